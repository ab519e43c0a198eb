package judge

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// next returns what happens next if nobody does anything, and how long it takes. A pod that has ended, or has no node,
// is gone as soon as it is deleted: it is never seen Terminating, unless a finalizer keeps it.
func (e *evidence) next() (next Next, takes Seconds) {
	idle := map[string]bool{}
	for p := range e.now.Pods.All {
		idle[p.Name] = unstopped(p.State, p.Node)
	}
	for i := range e.later {
		event := &e.later[i]
		switch {
		case event.Kind == timeline.KindPod && !event.Bare && idle[event.Pod] && goes(e.later[i:]):
			continue
		case event.Kind == timeline.KindPod && !event.Bare:
			next.Pods = append(next.Pods, event.Pod+" "+event.State.String())
			idle[event.Pod] = unstopped(event.State, event.Node)
		case event.Kind == timeline.KindClaim && event.Actor != timeline.Dump:
			phase := event.Claim.Phase
			if event.Claim.Type == model.Deleted {
				phase = timeline.Gone.String()
			}
			next.Claims = append(next.Claims, event.Claim.Name+" "+phase)
		default:
			continue
		}
		takes = Seconds(event.T)
	}
	return next, takes
}

// unstopped says whether a pod in a state, on a node, needs no kubelet that stops it: it has ended, or has no node.
func unstopped(state timeline.State, node string) bool {
	return state == timeline.Failed || state == timeline.Succeeded || state == timeline.Pending && node == ""
}

// goes says whether the first of some events is that a pod is Terminating which is gone in the same instant.
func goes(events []timeline.Event) bool {
	return events[0].State == timeline.Terminating && slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Kind == timeline.KindPod && e.Pod == events[0].Pod && e.State == timeline.Gone && e.T == events[0].T
	})
}
