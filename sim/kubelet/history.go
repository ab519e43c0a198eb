package kubelet

import "github.com/statefulsim/statefulsim/sim/timeline"

// Forget returns how many of the first n events of the timeline the kubelets no longer need. It is called when an
// instant is over, and the caller forgets these events: indexes into the timeline are counted from the rest.
func (k *Kubelets) Forget(n int) int {
	g, events := &k.gates, k.kernel.Events()
	if len(g.lives) == 0 && k.behaviour.Conditional() {
		g.hear(events)
	}
	if len(g.lives) > 0 {
		n = min(n, g.seen)
	}
	for i := range events[:n] {
		if isTwins(&events[i]) {
			k.forgotten = append(k.forgotten, events[i])
		}
	}
	g.seen = max(0, g.seen-n)
	return n
}

// hear applies the events that the conditions have not seen.
func (g *gates) hear(events []timeline.Event) {
	for ; g.seen < len(events); g.seen++ {
		e := &events[g.seen]
		g.fold.Apply(e)
		if e.Kind == timeline.KindPod && e.State == timeline.Pending {
			g.news, g.most = true, 0
		}
	}
}

// pastTwins returns the events about identities that two processes have or had.
func (k *Kubelets) pastTwins() (twins []*timeline.Event) {
	for _, events := range [][]timeline.Event{k.forgotten, k.kernel.Events()} {
		for i := range events {
			if isTwins(&events[i]) {
				twins = append(twins, &events[i])
			}
		}
	}
	return twins
}

// isTwins says whether an event is about an identity that two processes have or had.
func isTwins(e *timeline.Event) bool {
	return e.Kind == timeline.KindProcess && e.Reason == timeline.ReasonTwins
}
