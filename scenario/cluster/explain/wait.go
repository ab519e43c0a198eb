package explain

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
)

// Wait is something that the controller waits for.
type Wait struct {
	// Code and Rule are a reason and a rule of docs/timeline.md; Object is the pod, the PVC or the revision that they
	// are about, "" if there is none. Sentence says the same in words.
	Code     model.Code `json:"code"`
	Object   string     `json:"object,omitempty"`
	Rule     model.Rule `json:"rule,omitempty"`
	Sentence string     `json:"sentence"`
	// Since is when the wait began.
	Since Instant `json:"since"`
	// Release says what ends such a wait.
	Release string `json:"release"`
	// Error is the error of a call; "" if it is not known. Released says when and by what the wait ends in this run, ""
	// if it does not.
	Error    string `json:"error,omitempty"`
	Released string `json:"released,omitempty"`

	// why is the reason of which the fields above are the words.
	why model.Why
	// down is the node of the pod if it does not answer and keeps the pod, "" if not.
	down string
}

// newWait returns a wait for a reason.
func newWait(why model.Why, since model.Time) *Wait {
	return &Wait{
		Code: why.Code, Object: why.Object, Rule: why.Rule, Sentence: why.Sentence(),
		Since: Instant(since), why: why,
	}
}

// named is the sentence of a wait, with the names of its reason.
func (w *Wait) named() string { return w.Sentence + " (" + reasons.Names(w.why) + ")" }

// is says whether a reason is that of the wait.
func (w *Wait) is(why model.Why) bool {
	return w.Code == why.Code && w.Object == why.Object && w.Rule == why.Rule
}

// holds says whether one of the waits is for the pod.
func holds(waits []*Wait, pod string) bool {
	return slices.ContainsFunc(waits, func(w *Wait) bool { return w.Object == pod })
}

// plainly returns the waits that people are told. Parallel does not wait for a pod; where the rollout waits for that
// same pod, only the latter is said, since the two seem to contradict each other.
func plainly(waits []*Wait) []*Wait {
	return slices.DeleteFunc(slices.Clone(waits), func(w *Wait) bool {
		return w.why.Rule == model.RuleParallel && slices.ContainsFunc(waits, func(other *Wait) bool {
			return other.Object == w.Object && other.why.Rule != model.RuleParallel
		})
	})
}

// finalizers returns the finalizers of a pod that is being deleted, without those that only the garbage collector
// removes.
func finalizers(state *sim.State, pod model.Key) []string {
	if state == nil {
		return nil
	}
	for i := range state.Pods {
		if p := &state.Pods[i]; p.Key() == pod && p.Terminating() {
			return heal.Finalizers(p.Pod)
		}
	}
	return nil
}

// down returns the node that keeps a pod that is being deleted since it does not answer, "" if there is none.
func down(world *reasons.World) string {
	if world.Down && world.Terminating && !world.OutOfService && len(world.Finalizers) == 0 {
		return world.Node
	}
	return ""
}

// sinceWait says how long a wait has lasted, "" if the dump does not show it.
func sinceWait(w *Wait) string { return dump.Since(modelTime(w.Since)) }

// ends says in a sentence what ends a wait.
func ends(w *Wait) string {
	if strings.HasPrefix(w.Release, "ends ") {
		return "It " + w.Release + "."
	}
	return w.Release + "."
}
