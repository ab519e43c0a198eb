// Package whatif is the catalogue of what may happen to a StatefulSet, and to a change of one, each under one name. A
// plan asks it of the change that is to come, an upgrade of each set under two versions.
//
// It knows neither files nor flags, and plays nothing: a case is a script, and rules for pods, made from a Subject that
// the caller fills in. Cases are shared and never change. The command line takes their names from here.
package whatif

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// Cases is the catalogue, in the order in which cases are asked. Names are unique. testdata/catalogue.txt has what
// each asks of which sets.
var Cases = []*Case{
	{
		Name: "upgrade", Does: "the upgrade of the control plane itself", Use: OfVersions, Across: true,
		Script: func(*Subject) play.Script { return nil },
	},
	{
		Name: "image", Does: "a new image", Use: OfVersions,
		Script: change,
	},
	{
		Name: "never-starts", Does: "a new image that never starts, and is reverted", Use: OfVersions,
		Script: func(s *Subject) play.Script { return play.Script{s.Images.Broken, s.Images.Revert} },
	},
	{
		Name: "broken", Does: "a new image that runs but never becomes Ready, and is reverted", Use: OfVersions | OfChange,
		Asks: func(s *Subject) string {
			if s.replaces() {
				return "the new revision never becomes Ready"
			}
			return s.Low + " is deleted to get the new revision, and that never becomes Ready"
		},
		Fits:    func(s *Subject) bool { return s.Images != nil || s.replaces() || s.ByHand() },
		Behaves: breaks,
		Script: func(s *Subject) play.Script {
			if s.Images != nil {
				return play.Script{s.Images.Unready, s.Images.Revert}
			}
			return byHand(s)
		},
	},
	{
		Name: "crashes", Does: "the new revision starts and crashes, again and again", Use: OfChange,
		Fits:    func(s *Subject) bool { return s.Unprobed && (s.replaces() || s.ByHand()) },
		Behaves: func(s *Subject) []behaviour.Rule { return s.brings(crashes) },
		Script:  byHand,
	},
	{
		Name: "slow", Does: "the first pod to be replaced takes an hour longer to become Ready", Use: OfChange,
		Asks: func(s *Subject) string {
			if s.Unprobed {
				return s.Touched + " takes an hour longer to start"
			}
			return s.Touched + " takes an hour longer to become Ready"
		},
		Fits: func(s *Subject) bool { return len(s.Replaced) > 1 },
		Behaves: func(s *Subject) []behaviour.Rule {
			return s.rule(s.of(s.Replaced[0]), func(t *behaviour.Times) {
				d, _ := t.Ready.(behaviour.Constant)
				t.Ready = behaviour.Constant(time.Duration(d) + Slowness)
			})
		},
		Script: change,
	},
	{
		Name: "fixed", Does: "a first image that never becomes Ready, and is fixed", Use: OfVersions, First: true,
		Script: func(s *Subject) play.Script { return play.Script{s.Change.After(fixed)} },
	},
	{
		Name: "unready", Does: "an update while a pod with a low ordinal is not Ready", Use: OfVersions | OfChange, Lost: 1,
		Asks: func(s *Subject) string { return s.Low + " is not Ready when the change comes" },
		Fits: func(s *Subject) bool {
			return s.Images != nil || s.Touched != "" && s.Serves() > 1 && several(s) && s.Low != s.Touched
		},
		Script: func(s *Subject) play.Script {
			return play.Script{play.Unready(s.pod(s.Low), 0), s.Change.After(s.Pause)}
		},
	},
	{
		Name: "restart", Does: "a pod with a low ordinal that is deleted in the middle of an update",
		Use: OfVersions | OfChange, Lost: 1, Asks: asksRestart, Fits: fitsRestart, Script: restart,
	},
	{
		Name: "node", Does: "the node of a pod with a low ordinal is lost in the middle of an update", Use: OfChange,
		Lost: 1, Node: true,
		Asks: func(s *Subject) string {
			return Node + ", the node of " + s.Low + ", is lost during the rollout (no power, no network)"
		},
		Fits:   func(s *Subject) bool { return s.replaces() && several(s) && s.Low != s.Replaced[0] },
		Script: loseNode,
	},
	{
		Name: "young", Does: "an update while the pods are younger than minReadySeconds", Use: OfVersions | OfChange,
		Asks: func(*Subject) string {
			return "the pods have been Ready for less than minReadySeconds when the change comes (after a first start, a node " +
				"upgrade)"
		},
		Fits:   func(s *Subject) bool { return waits(s) && s.Serves() > 1 && (s.Images != nil || s.replaces()) },
		Script: func(s *Subject) play.Script { return play.Script{young(s), s.Change.Promptly()} },
	},
	{
		Name: "again", Does: "an update that is undone when its last pod is Ready, but not yet available",
		Use: OfVersions | OfChange,
		Asks: func(*Subject) string {
			return "the change is undone when kubectl rollout status returns, before minReadySeconds have passed"
		},
		Fits: func(s *Subject) bool {
			return waits(s) && s.Serves() > 1 && s.Rolls && s.Wanted.Spec.Strategy.Type == model.RollingUpdateStrategy &&
				(s.Images != nil || s.replaces())
		},
		Script: func(s *Subject) play.Script {
			return play.Script{s.Change, play.RolloutStatus(s.Key).Promptly(), play.Undo(s.Key).Promptly()}
		},
	},
	{
		Name: "together",
		Does: fmt.Sprintf("a change of the image that also raises minReadySeconds to %d, while the pods have been Ready for "+
			"less than that", Raised),
		Use:  OfVersions,
		Fits: several, Script: func(s *Subject) play.Script { return play.Script{s.Images.Slower} },
	},
	{
		Name: "ordinals", Does: "a change of ordinals.start that moves it beyond the existing pods", Use: OfVersions,
		Fits: some, Script: moved,
	},
	{
		Name: "partition", Does: "a pod below the partition that is deleted twice after an update", Use: OfVersions,
		Fits: func(s *Subject) bool { return s.Wanted.Partition() > 0 && some(s) },
		Script: func(s *Subject) play.Script {
			return play.Script{s.Change, play.Delete(s.index(0), false), play.Delete(s.index(0), false)}
		},
	},
	{
		Name: "by-hand", Does: "a new image, and all pods deleted by hand", Use: OfVersions,
		Fits:   func(s *Subject) bool { return s.Wanted.Spec.Strategy.Type == model.OnDeleteStrategy },
		Script: func(s *Subject) play.Script { return play.Script{s.Change, play.DeleteAll(s.Key)} },
	},
	{
		Name: "scale", Does: "a scale-up by two and a scale-down by three", Use: OfVersions,
		Script: func(s *Subject) play.Script {
			n := s.Wanted.Spec.Replicas
			return play.Script{play.Scale(s.Key, n+2), play.Scale(s.Key, max(0, n-1))}
		},
	},
	{
		Name: "scale-back", Does: "a scale-up that is taken back as soon as its first pod is Ready", Use: OfVersions,
		Script: func(s *Subject) play.Script {
			n := s.Wanted.Spec.Replicas
			return play.Script{play.Scale(s.Key, n+2), play.Scale(s.Key, n).After(s.born() + Soon)}
		},
	},
	{
		Name: "failed", Does: "a pod that is evicted, which makes it Failed", Use: OfVersions,
		Fits: some, Script: func(s *Subject) play.Script { return play.Script{play.Fail(s.index(0), "Evicted")} },
	},
	{
		Name: "succeeded", Does: "a pod whose containers exit with 0, which makes it Succeeded", Use: OfVersions,
		Fits: some, Script: func(s *Subject) play.Script { return play.Script{play.Succeed(s.index(0), "Completed")} },
	},
	{
		Name: "stalled", Does: "the rollout that is under way has stalled, for its revision does not become Ready",
		Use: OfChange, UnderWay: true,
		Fits: func(*Subject) bool { return false },
		// The template before is @1 of the run, that of the dump is @2.
		Behaves: func(s *Subject) []behaviour.Rule { return s.rule(behaviour.Match{Template: 2}, NeverReady) },
		Script:  change,
	},
}

// Node stands in the words of a case for the name of a node. No object of a cluster has such a name.
const Node = "NODE"

// Raised is the value that the case "together" gives minReadySeconds, in seconds.
const Raised = 600

// breaks lets no pod that the change brings become Ready. An upgrade has an image for that, and needs no rule.
func breaks(s *Subject) []behaviour.Rule {
	if s.Images != nil {
		return nil
	}
	return s.brings(NeverReady)
}

// brings lets the pods that the change brings behave in another way. If some pods have its template already, those
// stay as they are, and the rules name the pods that are replaced or created.
func (s *Subject) brings(change func(*behaviour.Times)) []behaviour.Rule {
	if !s.Staged {
		return s.rule(s.renewed(), change)
	}
	var rules []behaviour.Rule
	for _, pod := range slices.Concat(s.Replaced, s.Created) {
		rules = append(rules, s.rule(s.of(pod), change)...)
	}
	return rules
}

// byHand returns the change, and the deletion of a pod where that is how it gets the new template.
func byHand(s *Subject) play.Script {
	if s.replaces() {
		return change(s)
	}
	return play.Script{s.Change, play.Delete(s.pod(s.Low), false)}
}

// asksRestart says which pod is deleted, and when.
func asksRestart(s *Subject) string {
	pod, when := s.Low, "during the rollout"
	if s.Wanted.Partition() > 0 {
		pod += ", below the partition,"
	}
	if !s.replaces() {
		when = "afterwards"
	}
	if s.Guarded {
		return pod + " is deleted or fails " + when + " (a PodDisruptionBudget prevents neither)"
	}
	return pod + " is evicted or deleted " + when
}

// fitsRestart says whether a pod can be deleted in the middle of the change, besides the one that the change replaces
// first.
func fitsRestart(s *Subject) bool {
	switch {
	case s.Images != nil:
		return several(s)
	case !s.replaces():
		return s.Rolls && s.Serves() > 0 && some(s)
	}
	return several(s) && s.Low != s.Replaced[0]
}

// restart changes the set and deletes the pod Low: in the middle of the update, or after one that replaces none.
func restart(s *Subject) play.Script {
	remove := play.Delete(s.pod(s.Low), false)
	if s.Images != nil || s.replaces() {
		remove = remove.After(s.Middle)
	}
	return play.Script{s.Change, remove}
}

// loseNode changes the set and takes the node of the pod Low down, so that this shows when the first pod to be replaced
// has just begun to stop: the node may have to fall silent before the change for that.
func loseNode(s *Subject) play.Script {
	down, shows := play.LoseNode(s.pod(s.Low)), min(s.Begun+Soon, s.Middle)
	if shows < s.Grace {
		return play.Script{down, s.Change.After(s.Grace - shows)}
	}
	return play.Script{s.Change, down.After(shows - s.Grace)}
}

// moved moves the ordinals so far that no pod keeps its name.
func moved(s *Subject) play.Script {
	d := play.Deed{Verb: "patch", Does: "move ordinals.start beyond the existing pods"}
	return play.Script{play.Change(s.Key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		set.Spec.Ordinals = &model.Ordinals{Start: int32(set.Start()) + set.Spec.Replicas}
		return nil
	})}
}

// born returns the time that a new pod takes to become Ready. Times that are drawn count as 0.
func (s *Subject) born() time.Duration {
	start, _ := s.Times.Start.(behaviour.Constant)
	ready, _ := s.Times.Ready.(behaviour.Constant)
	return time.Duration(start + ready)
}
