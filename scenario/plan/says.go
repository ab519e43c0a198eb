package plan

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/whatif"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// says describes the result of a case.
func (s *subject) says(kind *whatif.Case, f *facts, events []timeline.Event) string {
	if kind.Node && f.verdict == timeline.IsStuck {
		return s.saysLost(f, s.lost(events))
	}
	switch kind.Name {
	case broken:
		return saysBroken(f)
	case crashes:
		return s.saysCrashes(f)
	case "slow":
		return s.saysSlow(f)
	case "restart":
		return s.saysRestart(f)
	}
	text := f.ending()
	if kind.Name == "again" && f.completes() {
		text = "the undo completes" + f.proviso()
	}
	if len(f.moves) == 0 {
		text += ". No pod is touched"
	}
	return text + ". " + render.Capital(f.serve())
}

// saysBroken describes a new revision that never becomes Ready.
func saysBroken(f *facts) string {
	switch {
	case f.serving == 0:
		return f.ending() + ". Then " + render.Agree(f.replicas, "its only pod does not serve",
			fmt.Sprintf("none of %d serves", f.replicas))
	case f.serving > f.replicas:
		return fmt.Sprintf("%s. %d pods still serve, where %d are wanted, and %d of them are updated", f.ending(), f.serving,
			f.replicas, f.updated)
	}
	return fmt.Sprintf("%s. %d of %d still serve, %d of them updated", f.ending(), f.serving, f.replicas, f.updated)
}

// saysCrashes is about pods that no probe watches: each is Ready between two crashes, so that nothing stops the
// rollout.
func (s *subject) saysCrashes(f *facts) string {
	return fmt.Sprintf("without a readiness probe a pod is Ready between two crashes, so the rollout continues. %d of %d "+
		"%s replaced and %s again and again. %s", len(f.of(replaced)), s.main.replicas,
		render.Agree(len(f.of(replaced)), "is", "are"), render.Agree(len(f.of(replaced)), "crashes", "crash"),
		render.Capital(serve(s.crashing(f), max(f.replicas, f.serving))))
}

// crashing returns how many pods serve at least, however long the new ones crash: sooner or later all of these are down
// at the same time, even if they are not in the run.
func (s *subject) crashing(f *facts) int {
	others := 0
	for p := range f.last.Pods.All {
		if p.Template != s.Template {
			others++
		}
	}
	return min(f.fewest, f.serving, others)
}

// saysSlow describes a new pod that takes very long to become Ready: what the rollout does meanwhile.
func (s *subject) saysSlow(f *facts) string {
	var others []Move
	for _, m := range f.of(replaced) {
		back := backOf(f, s.Touched)
		if m.Pod != s.Touched && (back == never || m.Down < back) {
			others = append(others, m)
		}
	}
	text := "no other pod is touched until then, however long it takes (StatefulSets have no progressDeadlineSeconds)"
	if len(others) > 0 {
		text = "the others continue meanwhile: " + pods(others)
	}
	text += ". " + render.Capital(f.serve())
	if f.verdict != timeline.Settled {
		text += ". " + render.Capital(f.ending())
	}
	return text
}

// backOf returns when a pod is back, never if it is not, or does not move.
func backOf(f *facts, pod string) Seconds {
	for _, m := range f.moves {
		if m.Pod == pod {
			return m.Back
		}
	}
	return never
}

// saysRestart describes a pod that somebody deletes in the middle of the rollout: at which revision it comes back.
func (s *subject) saysRestart(f *facts) string {
	text := "it does not come back"
	for pod := range f.last.Pods.All {
		if pod.Name != s.Low {
			continue
		}
		text = "it comes back at the old revision"
		if pod.Template == s.Template {
			text = "it comes back, and is at the new revision in the end"
		}
	}
	if f.verdict == timeline.Livelock {
		return f.ending() + ". " + render.Capital(f.serve())
	}
	return text + ". " + render.Capital(f.serve()) + ". " + render.Capital(f.ending())
}
