package explain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// Live describes a live cluster: its sets, those that need somebody first.
type Live struct {
	// At is the time at which the dump was taken (RFC 3339): the newest time in it, unless it was given. It is left out
	// if the dump has no time at all. All other times are seconds that count from there. Sets are its StatefulSets,
	// those that need somebody first.
	At   time.Time  `json:"at,omitzero"`
	Sets []*LiveSet `json:"sets"`
	// Guessed says that At is a guess: it is the newest time in the dump, and nothing in it shows how old that is.
	Guessed bool `json:"guessed,omitempty"`
	// Kubernetes is the version that was simulated, and what the dump shows of that of the cluster.
	Kubernetes judge.Versions `json:"kubernetes"`
	// Causes are what several of the stuck sets have in common, those of the most sets first.
	Causes []Cause `json:"causes,omitempty"`
	// Assumed says what is assumed because a kind is missing. Notes are observations beside the sets.
	Assumed []string `json:"assumed,omitempty"`
	Notes   []string `json:"notes,omitempty"`

	// setless is true if the dump has pods of sets but no sets: then nothing can be said of them.
	setless bool
}

// LiveSet is a set of a live cluster.
type LiveSet struct {
	// Namespace and Name are those of the StatefulSet.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Replicas is spec.replicas, Serving the number of its pods that are Ready and not Terminating.
	Replicas int `json:"replicas"`
	Serving  int `json:"serving"`
	judge.Judgement
	// AtRest and GoesOn follow from its state: it matches its spec, or will by itself. StuckOn is the pod that the set, or
	// a drain of its node, is stuck on, if it is a pod.
	AtRest  bool   `json:"atRest"`
	GoesOn  bool   `json:"goesOn"`
	StuckOn string `json:"stuckOn,omitempty"`
	// Unknown is what the status shows of a set that is not at rest and whose pods are not in the dump: nobody can say
	// whether it continues. It is "" for every other set.
	Unknown string `json:"unknown,omitempty"`
	// Assumes is the assumption under which it is stuck: that a running pod stays unready; "" means none. TooEarly says
	// that it is too early to assume that, and how long to wait.
	Assumes  string `json:"assumes,omitempty"`
	TooEarly string `json:"tooEarly,omitempty"`
	// Provided is an assumption under which it continues by itself; "" means none. There are two: the node of a
	// terminating pod answers, although the dump does not show the node; or an unknown storage class gives volumes.
	Provided string `json:"provided,omitempty"`
	// Why is the cause in a sentence, Facts what the dump shows of it.
	Why   string   `json:"why,omitempty"`
	Facts []string `json:"facts,omitempty"`
	// Next are the next changes of its pods, as POD STATE, in order, and NextClaims those of its claims; Takes is the
	// time from the dump until the last one. They are those of the simulated run, so they are only as good as its Pace.
	Next       []string `json:"next,omitempty"`
	NextClaims []string `json:"nextClaims,omitempty"`
	Takes      Instant  `json:"takes,omitempty"`
	// Pace says which times the simulation takes for the pods, and where they come from.
	Pace string `json:"pace,omitempty"`
	// Pods are sorted by ordinal, without those of other owners. Waits are, of a set that is stuck, what keeps it
	// there, StuckOn first; of one that goes on, what the controller waits for, the oldest first; of one at rest, only
	// what a drain would wait for.
	Pods  []Pod   `json:"pods"`
	Waits []*Wait `json:"waits"`
	// AtRisk are the PVCs of its pods that are being deleted: they are gone when their pods are.
	AtRisk []*Risk `json:"atRisk,omitempty"`
	// WaysOut are the commands that people use, each played from the state of the dump. Those that heal the set come
	// first, the best one at the top.
	WaysOut []WayOut `json:"waysOut,omitempty"`

	// of is the judgement with what it rests on. draining is the node whose drain would wait for ever for StuckOn. old
	// says how many of its pods have an old revision, and why it leaves them; guessed are the times that are only
	// assumed and that Takes rests on: "stop in 2s".
	of       judge.Set
	draining string
	// doubtful is true if it continues only if the dump is not older than its newest time.
	doubtful bool
	old      string
	guessed  []string
}

// Stuck says whether a set does not get where it should be by itself, as far as can be said already.
func (s *LiveSet) Stuck() bool { return s.State == judge.Stuck || s.State == judge.TooEarly }

// Well says whether nobody needs to look at a set: it is at rest, no drain waits for it, and no data is at risk.
func (s *LiveSet) Well() bool { return s.AtRest && s.StuckOn == "" && len(s.AtRisk) == 0 }

// Key returns the name of a set.
func (s *LiveSet) Key() model.Key { return model.Key{Namespace: s.Namespace, Name: s.Name} }

// Held says whether nobody has to look at a set now. It is false if one is stuck or unknown, or if the dump shows only
// the pods of sets.
func (l *Live) Held() bool {
	return !l.setless && !slices.ContainsFunc(l.Sets, func(s *LiveSet) bool { return !s.Judgement.Held() })
}

// Whole says whether the dump shows the pods of all its sets, so that a run can begin with it.
func (l *Live) Whole() bool {
	return !slices.ContainsFunc(l.Sets, func(s *LiveSet) bool { return s.of.Unseen })
}

// ExplainLive explains the sets of a dump: those that need somebody first, then those that lack the most. The
// laboratory is one whose worlds begin with it. It plays what happens by itself, once for all sets, and the ways out of
// each stuck set in a world of its namespace. Neither of the two is changed, and Sets is never nil.
func ExplainLive(d *dump.Dump, lab *play.Lab) *Live { return explainLive(d, lab, "") }

// ExplainPod explains the sets that have a pod of a name, NAME or NAMESPACE/NAME, or are stuck on it. It plays the ways
// out of these sets alone. There are none if the dump has no such pod of a set.
func ExplainPod(d *dump.Dump, lab *play.Lab, pod string) *Live { return explainLive(d, lab, pod) }

// view is what the sets of a dump are explained with.
type view struct {
	*dump.Index
	lab *play.Lab
	run *judge.Run
	// took are the times that the Ready pods of the dump took, losses when pods stopped being Ready.
	took   dump.Took
	losses []loss
}

// explainLive explains the sets of a pod, or all if it is "".
func explainLive(d *dump.Dump, lab *play.Lab, pod string) *Live {
	quiet := *lab
	quiet.World.Start = d.WithoutServices()
	judged, run := judge.Of(d, &quiet)
	v := &view{Index: run.Dump, lab: &quiet, run: run, took: d.TookAll(), losses: lossesOf(d)}
	all := make([]*LiveSet, 0, len(judged))
	for _, of := range judged {
		all = append(all, v.set(of))
	}
	live := &Live{
		At: d.At, Guessed: d.Guessed, Sets: all, Assumed: d.Assumed,
		Kubernetes: judge.Versions{Played: lab.Profile.Version(), Found: d.Kubelet},
		Notes:      slices.Concat(notes(d), foreign(d), resizes(d, all)),
		setless:    len(d.State.Sets) == 0 && (d.Ignored || unready(d)),
	}
	if pod != "" {
		live.Sets = ofPod(live.Sets, pod)
	}
	v.lead(live.Sets)
	slices.SortStableFunc(live.Sets, func(a, b *LiveSet) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.share(), b.share()), a.Key().Compare(b.Key()))
	})
	live.Causes = shared(live.Sets)
	return live
}

// ofPod returns the sets that have a pod of a name, NAME or NAMESPACE/NAME, or are stuck on it.
func ofPod(sets []*LiveSet, pod string) []*LiveSet {
	return slices.DeleteFunc(sets, func(s *LiveSet) bool {
		name := strings.TrimPrefix(pod, s.Namespace+"/")
		return !slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.Name == name }) && s.StuckOn != name
	})
}

// rank is smaller the more a set needs somebody.
func (s *LiveSet) rank() int {
	switch {
	case s.Stuck():
		return 0
	case len(s.AtRisk) > 0:
		return 1
	case s.Unknown != "":
		return 2
	case s.AtRest && s.StuckOn != "":
		return 3
	case s.GoesOn:
		return 4
	}
	return 5
}

// share returns the part of its replicas that serves, in thousandths.
func (s *LiveSet) share() int { return 1000 * s.Serving / max(1, s.Replicas) }
