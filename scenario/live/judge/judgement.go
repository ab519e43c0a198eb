// Package judge says how each StatefulSet of a state of a cluster stands: whether it is at rest, continues by itself,
// is stuck, or whether that cannot be said, or not yet, and how certain that is. It is the only place that says so:
// plan, explain and upgrade all ask it.
//
// A judgement is made from two things. One is a run that begins with the state, and in which nobody does anything. The
// other is what the state itself shows: conditions, events, times. Where they contradict each other, what the cluster
// says outweighs what the run assumes.
//
//	Dump + Lab → Run → evidence (a set) → Judgement → Facts
//
// The causes are in causes.go, cause_pod.go and idle.go; what the state shows of them and what ends them in advice*.go.
// What the words of a cluster mean is in package symptom.
//
// Each of these is made once, and does not change.
package judge

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// State is how a set stands.
type State string

// The states. AtRest: the set matches its spec, as far as its strategy asks for. Continues: it does not yet, and gets
// there by itself. TooEarly: it may be stuck, but a healthy set would look the same at this instant. Stuck: it does not
// get there by itself. Unknown: the state does not show enough of it.
const (
	AtRest    State = "at rest"
	Continues State = "continues"
	TooEarly  State = "too early"
	Stuck     State = "stuck"
	Unknown   State = "unknown"
)

// Judgement is how a set stands. The JSON form is public: docs/json.md describes it.
type Judgement struct {
	// State is "at rest", "continues", "too early", "stuck" or "unknown".
	State State `json:"state"`
	// Certain says that nothing which the state does not show can make it wrong, as long as nobody changes anything. A
	// set that continues is never certain to: its pods have yet to start, and the controllers to work.
	Certain bool `json:"certain"`
	// Until is, of a set that continues, when it is complete, and of one of which it is too early to say something,
	// when it can be said. It counts from the instant of the state; 0 otherwise.
	Until Seconds `json:"until,omitempty"`
	// Blockers are the objects that keep it from where it should be, whoever owns them. Causes say why they do, the
	// most important first. Both are empty for a set at rest.
	Blockers []Object `json:"blockers"`
	Causes   []Cause  `json:"causes"`
}

// Seconds is a span of virtual time; JSON has it in seconds.
type Seconds = render.Seconds

// Object names an object of the cluster. Group is "" for the core API; Namespace is "" for those that have none.
type Object struct {
	// Kind, Group, Namespace and Name name the object.
	Kind      string `json:"kind"`
	Group     string `json:"group"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Cause is why a set does not get where it should be.
type Cause struct {
	// Name is one of those that docs/causes.md lists. Sentence says it in words, without a full stop. Evidence is what the
	// state shows of it, as the cluster says it. Certain says that the evidence shows the cause, and nothing else fits.
	Name     string   `json:"name"`
	Sentence string   `json:"sentence"`
	Evidence []string `json:"evidence"`
	Certain  bool     `json:"certain"`

	// of are the objects at which it lies. advice says what ends it, in sentences, beyond what is said of a pod.
	of     []Object
	advice []string
}

// whole returns the judgement with lists that are not nil, so that programs find a list in the JSON and no null. No
// cause is certain of a state that is not.
func (j Judgement) whole() Judgement {
	if j.Blockers == nil {
		j.Blockers = []Object{}
	}
	causes := make([]Cause, 0, len(j.Causes))
	for _, c := range j.Causes {
		if c.Evidence == nil {
			c.Evidence = []string{}
		}
		c.Certain = c.Certain && j.Certain
		causes = append(causes, c)
	}
	j.Causes = causes
	return j
}

// Held says whether nobody has to do anything about a set now: it is at rest, continues, or it is too early to say.
func (j *Judgement) Held() bool { return j.State != Stuck && j.State != Unknown }

// Standstill says that a stuck set does not continue by itself, and whether that is certain: everywhere in these words.
func (j *Judgement) Standstill() string {
	if j.Certain {
		return "it does not continue by itself"
	}
	return "it probably does not continue by itself"
}

// The kinds of blockers.
const (
	kindSet     = "StatefulSet"
	kindPod     = "Pod"
	kindClaim   = "PersistentVolumeClaim"
	kindNode    = "Node"
	kindQuota   = "ResourceQuota"
	kindService = "Service"
)

func objectOf(set *model.StatefulSet) Object { return Object{kindSet, "apps", set.Namespace, set.Name} }

func podObject(namespace, name string) Object { return Object{kindPod, "", namespace, name} }

func claimObject(namespace, name string) Object { return Object{kindClaim, "", namespace, name} }

func nodeObject(name string) Object { return Object{kindNode, "", "", name} }

// End is how a run ends for one set.
type End struct {
	Set     model.Key
	Verdict timeline.Verdict
	// Gone is true if the set was deleted on the way. Stuck is what holds it up, nil for nothing.
	Gone  bool
	Stuck *timeline.Stuck
	// Takes is the time until the last change of the set. Provided is what must be true, and the state with which the run
	// began does not show, so that it gets there; "" for nothing.
	Takes    time.Duration
	Provided string
	// Doubted is true if the cluster is of a version that sim does not know.
	Doubted bool
}

// AtEnd says how a run leaves a set.
func AtEnd(end *End) *Judgement {
	j := Judgement{State: Stuck}
	of := []Object{{Kind: "StatefulSet", Group: "apps", Namespace: end.Set.Namespace, Name: end.Set.Name}}
	switch {
	case end.Verdict == timeline.Settled && !end.Gone && end.Provided != "":
		j.State, j.Until = Continues, Seconds(end.Takes)
	case end.Verdict == timeline.Settled && !end.Gone:
		j.State = AtRest
	case end.Stuck != nil:
		j.Blockers, j.Causes = of, []Cause{{Name: "waits", Sentence: end.Stuck.Why.Sentence()}}
	case end.Verdict == timeline.Livelock:
		j.Certain, j.Blockers = true, of
		j.Causes = []Cause{{Name: "hot-loop", Sentence: "the controller " + reasons.NeverConverges, Certain: true}}
	default:
		j.State = Unknown
	}
	j.Certain = j.Certain && !end.Doubted
	whole := j.whole()
	return &whole
}
