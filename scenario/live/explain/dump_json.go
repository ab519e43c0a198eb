package explain

import (
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Dumped is the explanation of a dump: its sets, those that need somebody first.
type Dumped struct {
	// At is the time at which the dump was taken (RFC 3339): the newest time in it, unless it was given. It is left out
	// if the dump has no time at all. All other times are seconds that count from there. Sets are its StatefulSets,
	// those that need somebody first.
	At   time.Time    `json:"at,omitzero"`
	Sets []*DumpedSet `json:"sets"`
	// Guessed says that At is a guess: it is the newest time in the dump, and nothing in it shows how old that is.
	Guessed bool `json:"guessed,omitempty"`
	// Kubernetes is the version that was simulated, and what the dump shows of that of the cluster.
	Kubernetes release.Versions `json:"kubernetes"`
	// Causes are what several of the stuck sets have in common, those of the most sets first.
	Causes []Cause `json:"causes,omitempty"`
	// Assumed says what is assumed because a kind is missing. Notes are observations beside the sets.
	Assumed []string `json:"assumed,omitempty"`
	Notes   []string `json:"notes,omitempty"`

	// setless is true if the dump has pods of sets but no sets: then nothing can be said of them.
	setless bool
}

// DumpedSet is a set of a dump.
type DumpedSet struct {
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
	// Gates is what deploy tools say that wait for the set, from the instant of the dump on, if --gate names some.
	Gates []*gated.Answer `json:"gates,omitempty"`
	// WaysOut are the commands that people use, each played from the state of the dump. Those that heal the set come
	// first, the best one at the top.
	WaysOut []WayOut `json:"waysOut,omitempty"`

	// of is the judgement with what it rests on. held is the drain that would wait for ever for StuckOn; nil for none.
	// old says how many of its pods have an old revision, and why it leaves them, and below which of them its partition
	// leaves; guessed are the times that are only
	// assumed and that Takes rests on: "stop in 2s".
	of   judge.Set
	held *hold
	// doubtful is true if it continues only if the dump is not older than its newest time.
	doubtful bool
	old      string
	below    string
	guessed  []string
}

// Stuck says whether a set does not get where it should be by itself, as far as can be said already.
func (s *DumpedSet) Stuck() bool { return s.State == judge.Stuck || s.State == judge.TooEarly }

// Well says whether nobody needs to look at a set: it is at rest, no drain waits for it, and no data is at risk.
func (s *DumpedSet) Well() bool { return s.AtRest && s.StuckOn == "" && len(s.AtRisk) == 0 }

// Key returns the name of a set.
func (s *DumpedSet) Key() model.Key { return model.Key{Namespace: s.Namespace, Name: s.Name} }

// Held says whether nobody has to look at a set now. It is false if one is stuck or unknown, or if the dump shows only
// the pods of sets.
func (l *Dumped) Held() bool {
	return !l.setless && !slices.ContainsFunc(l.Sets, func(s *DumpedSet) bool { return !s.Judgement.Held() })
}

// Whole says whether the dump shows the pods of all its sets, so that a run can begin with it.
func (l *Dumped) Whole() bool {
	return !slices.ContainsFunc(l.Sets, func(s *DumpedSet) bool { return s.of.Unseen })
}

// Cause is what keeps several sets stuck at once: whoever removes it helps all of them.
type Cause struct {
	// What is the cause as a clause: "node a does not answer". Sets are the sets that it keeps stuck, as
	// NAMESPACE/NAME, in the order of the explanation; they are at least two.
	What string   `json:"what"`
	Sets []string `json:"sets"`
}

// rank is smaller the more a set needs somebody.
func (s *DumpedSet) rank() int {
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
func (s *DumpedSet) share() int { return 1000 * s.Serving / max(1, s.Replicas) }

// mostSets is the number of sets of a dump up to which its page has runs.
const mostSets = 12

// Runs returns the runs that the page carries: what happens if nobody does anything, and then what happens with each
// fix. There are none if the first is too long for a page, if nothing happens in it and nothing is waited for, or if
// the dump does not show the pods of a set.
func (l *Dumped) Runs(lab *play.Lab) []*report.Run {
	rest := !slices.ContainsFunc(l.Sets, func(s *DumpedSet) bool { return !s.AtRest })
	if rest || !l.Whole() || len(l.Sets) > mostSets {
		return nil
	}
	created, assumed := map[model.Key]model.Time{}, map[model.Key]string{}
	for i := range lab.World.Start.Pods {
		created[lab.World.Start.Pods[i].Key()] = lab.World.Start.Pods[i].Created
	}
	for _, set := range l.Sets {
		assumed[set.Key()] = set.drawn()
	}
	runs := []*report.Run{{Name: Alone, Events: lab.Run(nil), Begun: &report.Begun{Created: created, Assumed: assumed}}}
	if len(runs[0].Events) > doc.MostEvents {
		return nil
	}
	for _, set := range l.Sets {
		for i := range set.WaysOut {
			way := &set.WaysOut[i]
			if n := len(way.Events); way.Heals && n > 0 && n <= doc.MostEvents && len(runs) < doc.MostRuns {
				runs = append(runs, &report.Run{Name: way.RunName(), Events: way.Events,
					Begun: &report.Begun{Created: created}})
			}
		}
	}
	return runs
}

// drawn is what the run in which nobody does anything takes for granted of the set, as a clause; "" for nothing.
func (s *DumpedSet) drawn() string {
	switch {
	case s.of.Plays || s.of.Asleep != "":
		return s.Assumes
	case s.State == judge.TooEarly:
		return "what is late still comes: " + s.Why
	case s.State == judge.Stuck:
		return "this ends: " + s.Why
	case s.doubtful && s.Provided == "":
		return "the dump is not older than its newest time"
	}
	return strings.TrimPrefix(s.Provided, "provided that ")
}
