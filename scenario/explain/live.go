package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Live is what there is to be said of a live cluster: of its sets, those first that need somebody.
type Live struct {
	Sets []*LiveSet `json:"sets"`
	// Assumed says what is assumed for want of a kind, Notes what is seen beside the sets.
	Assumed []string `json:"assumed,omitempty"`
	Notes   []string `json:"notes,omitempty"`

	dump *dump.Dump
}

// LiveSet is a set of a live cluster.
type LiveSet struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Replicas  int    `json:"replicas"`
	Serving   int    `json:"serving"`
	// AtRest: nothing is to be done, all is as it is wanted. GoesOn: it is not, and gets there by itself. Where neither is
	// true it is stuck: on StuckOn, where that is a pod.
	AtRest  bool   `json:"atRest"`
	GoesOn  bool   `json:"goesOn"`
	StuckOn string `json:"stuckOn,omitempty"`
	// Why is the cause in a sentence.
	Why string `json:"why,omitempty"`
	// Next are the changes of its pods to come, as POD STATE, in their order, NextClaims those of its claims; Takes is how
	// long that takes.
	Next       []string `json:"next,omitempty"`
	NextClaims []string `json:"nextClaims,omitempty"`
	Takes      Instant  `json:"takes,omitempty"`
	Pods       []Pod    `json:"pods"`
	Waits      []*Wait  `json:"waits"`
	// WaysOut are the commands that lead out, each played from the state of the dump, the best first.
	WaysOut []WayOut `json:"waysOut,omitempty"`
}

// WayOut is a way out of where a set is stuck, played as it is printed, pasted in one go.
type WayOut struct {
	Commands []string `json:"commands"`
	Heals    bool     `json:"heals"`
	// FewestServing is how many pods serve at least on the way, Takes how long it takes until the set is whole.
	FewestServing int     `json:"fewestServing"`
	Takes         Instant `json:"takes"`
	// Danger says what must be true first, "" where nothing can be lost.
	Danger string `json:"danger,omitempty"`
}

// ExplainLive explains the sets of a dump. The configuration is that of a world which begins with it.
func ExplainLive(d *dump.Dump, config sim.Config) *Live {
	live := &Live{Assumed: d.Assumed, dump: d}
	events := sim.New(config).Run(nil)
	result := events[len(events)-1].Result
	var fold timeline.Fold
	begun := 1 + lastOfDump(events)
	for i := range begun {
		fold.Apply(&events[i])
	}
	for _, set := range fold.Sets() {
		s := &LiveSet{
			Namespace: set.Key.Namespace, Name: set.Key.Name,
			Replicas: int(set.Spec.Spec.Replicas), Serving: set.Serving(),
		}
		s.follow(events[begun:])
		s.judge(set, events, result)
		live.Sets = append(live.Sets, s)
	}
	return live
}

// lastOfDump is the place of the last event that tells of the dump.
func lastOfDump(events []timeline.Event) int {
	for i := len(events) - 1; i > 0; i-- {
		if events[i].Actor == timeline.Dump {
			return i
		}
	}
	return 0
}

// follow notes what comes next.
func (s *LiveSet) follow(events []timeline.Event) {
	key := model.Key{Namespace: s.Namespace, Name: s.Name}
	for i := range events {
		e := &events[i]
		switch {
		case e.Set != key:
			continue
		case e.Kind == timeline.KindPod && !e.Bare:
			s.Next = append(s.Next, e.Pod+" "+e.State.String())
		case e.Kind == timeline.KindClaim && e.Actor != timeline.Dump:
			phase := e.Claim.Phase
			if e.Claim.Type == model.Deleted {
				phase = timeline.Gone.String()
			}
			s.NextClaims = append(s.NextClaims, e.Claim.Name+" "+phase)
		default:
			continue
		}
		s.Takes = Instant(e.T)
	}
}

// judge says whether a set is at rest, goes on or is stuck.
func (s *LiveSet) judge(set *timeline.Set, events []timeline.Event, result *timeline.Result) {
	stuck := slices.IndexFunc(result.Stuck, func(stuck timeline.Stuck) bool { return stuck.Set == set.Key })
	whole := set.Serving() == s.Replicas && len(set.Pods) == s.Replicas
	switch {
	case stuck >= 0:
		s.StuckOn = podOf(&result.Stuck[stuck], s, set.Spec)
		s.Why = result.Stuck[stuck].Why.Sentence()
	case result.Verdict != timeline.Settled && result.Verdict != timeline.IsStuck:
		s.Why = "the run does not come to its end: " + string(result.Verdict)
	case len(s.Next) == 0 && whole:
		s.AtRest = true
	default:
		s.GoesOn = true
	}
}

// podOf returns the pod that a set is stuck on, "" where it is none.
func podOf(stuck *timeline.Stuck, s *LiveSet, set *model.StatefulSet) string {
	if parent, ordinal := model.SplitPodName(stuck.Why.Object); ordinal >= 0 && parent == s.Name {
		return stuck.Why.Object
	}
	for i := range s.Replicas {
		if name := set.PodName(set.Start() + i); strings.Contains(stuck.Error, strconv.Quote(name)) {
			return name
		}
	}
	return ""
}
