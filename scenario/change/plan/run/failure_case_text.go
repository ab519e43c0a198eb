package run

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

func (s *subject) says(p *played) string {
	kind, f := p.kind, p.facts
	if kind.Node && f.Verdict == timeline.IsStuck {
		return s.saysLost(f, s.lost(p.events))
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
	text := f.Ending()
	if kind.Name == "again" && f.Completes() {
		text = "the undo completes" + f.Proviso()
	}
	if len(f.Moves) == 0 {
		text += ". No pod is touched"
	}
	return text + ". " + render.Capital(f.Serve())
}

func saysBroken(f *Facts) string {
	switch {
	case f.Serving == 0:
		return f.Ending() + ". Then " + render.Agree(f.Replicas, "its only pod does not serve",
			fmt.Sprintf("none of %d serves", f.Replicas))
	case f.Serving > f.Replicas:
		return fmt.Sprintf("%s. %d pods still serve, where %d are wanted, and %d of them are updated", f.Ending(), f.Serving,
			f.Replicas, f.Updated)
	}
	return fmt.Sprintf("%s. %d of %d still serve, %d of them updated", f.Ending(), f.Serving, f.Replicas, f.Updated)
}

// saysCrashes is about pods that no probe watches: nothing stops the rollout, since each is Ready at times.
func (s *subject) saysCrashes(f *Facts) string {
	n := len(f.Moves.Of(Replaced))
	return fmt.Sprintf("without a readiness probe a pod is Ready between two crashes, so the rollout continues. %d of %d "+
		"%s replaced and %s again and again. %s", n, s.main.Replicas, render.Agree(n, "is", "are"),
		render.Agree(n, "crashes", "crash"), render.Capital(render.Serve(s.crashing(f), max(f.Replicas, f.Serving))))
}

// saysSlow describes a new pod that takes very long to become Ready: what the rollout does meanwhile.
func (s *subject) saysSlow(f *Facts) string {
	back := Never
	if at := slices.IndexFunc(f.Moves, func(m Move) bool { return m.Pod == s.Touched }); at >= 0 {
		back = f.Moves[at].Back
	}
	others := slices.DeleteFunc(f.Moves.Of(Replaced), func(m Move) bool {
		return m.Pod == s.Touched || back != Never && m.Down >= back
	})
	text := "no other pod is touched until then, however long it takes (StatefulSets have no progressDeadlineSeconds)"
	if len(others) > 0 {
		text = "the others continue meanwhile: " + others.Pods()
	}
	text += ". " + render.Capital(f.Serve())
	if f.Verdict != timeline.Settled {
		text += ". " + render.Capital(f.Ending())
	}
	return text
}

// saysRestart describes a pod that somebody deletes in the middle of the rollout: at which revision it comes back.
func (s *subject) saysRestart(f *Facts) string {
	text := "it does not come back"
	for pod := range f.Last.Pods.All {
		if pod.Name != s.Low {
			continue
		}
		text = "it comes back at the old revision"
		if pod.Template == s.Template {
			text = "it comes back, and is at the new revision in the end"
		}
	}
	if f.Verdict == timeline.Livelock {
		return f.Ending() + ". " + render.Capital(f.Serve())
	}
	return text + ". " + render.Capital(f.Serve()) + ". " + render.Capital(f.Ending())
}

// lost is what a run shows of a node that falls silent: its name, the pods of the set that count as not Ready for that,
// and how long after that they are deleted for it; never if they are not.
type lost struct {
	node    string
	pods    []string
	deleted Seconds
}

// lost looks at a run for what the set loses with a node.
func (s *subject) lost(events []timeline.Event) lost {
	l := lost{deleted: Never}
	var since model.Time
	for i := range events {
		e := &events[i]
		switch {
		case l.node == "" && e.NodeState != nil && !e.NodeState.Up:
			l.node = e.Node
		case e.Kind != timeline.KindPod || e.Set != s.Key:
		case e.Reason == timeline.ReasonNodeNotReady:
			l.pods, since = append(l.pods, e.Pod), e.T
		case e.Reason == timeline.ReasonTaintEviction:
			l.deleted = Seconds(e.T.Sub(since))
		}
	}
	return l
}

// saysLost describes a rollout while a node is silent. All versions count a node as not Ready within a minute.
func (s *subject) saysLost(f *Facts, l lost) string {
	if len(l.pods) == 0 {
		return fmt.Sprintf("the rollout deletes %s, and it stays Terminating as long as %s does not answer. %s", s.Low,
			whatif.Node, render.Capital(f.Serve()))
	}
	one := func(one, many string) string { return render.Agree(len(l.pods), one, many) }
	text := fmt.Sprintf("within a minute %s %s as not Ready", render.And(l.pods), one("counts", "count"))
	switch {
	case l.deleted != Never:
		text += fmt.Sprintf(", %s later %s deleted, and %s Terminating", render.Brief(time.Duration(l.deleted)),
			one("it is", "they are"), one("it stays", "they stay"))
	case f.Last.Pods.Any(func(p *timeline.Pod) bool { return p.Terminating && slices.Contains(l.pods, p.Name) }):
		text += ". The rollout deletes " + one("it, and it stays", "them, and they stay") + " Terminating"
	}
	text += " as long as " + whatif.Node + " does not answer"
	if f.Updated < s.main.Updated-len(l.pods) {
		text += fmt.Sprintf(". Meanwhile the rollout waits, with %d of %s at the new revision", f.Updated,
			render.Count(s.main.Updated, "pod"))
	} else {
		text += ". Meanwhile the rollout replaces the other pods"
	}
	return text + ". " + render.Capital(f.Serve())
}
