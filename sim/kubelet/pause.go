package kubelet

import (
	"iter"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// heldTimer is a timer of a pod whose kubelet is stopped: its slot in the life, what it does, and how long it still
// had to run. The slot stays valid as long as the life.
type heldTimer struct {
	slot       **kernel.Timer
	left       model.Time `print:"span"`
	background bool
	event      kernel.Event
}

// unattended reports whether no kubelet looks after the pod: its node is down, or its kubelet has forgotten it.
// Then its timers must not be in the queue.
func (l *life) unattended() bool { return l.hung || l.node != nil && l.node.Down }

// Pause stops the kubelet of a node that has just gone down. The node must be marked as Down first, so that timers
// that are set from then on are held.
func (k *Kubelets) Pause(n *nodes.Node) {
	for _, pod := range k.nodes.PodsOn(n) {
		k.freeze(k.lives[pod.UID])
	}
	k.freezeStrays(n)
}

// Resume continues the kubelet of a node that is up again, which must be marked so before. It reports its pods as
// they are, ends those that were deleted meanwhile, and kills the processes whose pods no longer exist. off means
// that the node's processes were dead: then the containers start again, and a pod that is being deleted ends at once.
func (k *Kubelets) Resume(n *nodes.Node, off bool) {
	for _, pod := range k.nodes.PodsOn(n) {
		l := k.lives[pod.UID]
		switch {
		case off && pod.Terminating():
			k.endDead(l)
		case off:
			k.beginAgain(l)
		}
		k.thaw(l)
		k.speakAgain(l, off)
	}
	k.thawStrays(n)
}

// endDead ends a pod that is being deleted, and whose machine was off. None of its containers runs, so its kubelet has
// nothing to stop: SyncTerminatingPod kills running containers only (ConvertPodStatusToRunningPod).
func (k *Kubelets) endDead(l *life) {
	k.disarm(l, &l.timers[gone])
	l.killed = nil
	k.setTimer(l, gone, 0)
}

// Hang makes the kubelet forget a pod: none of the pod's changes happen any more, not even its end, until its
// object is removed. It returns false if there is no such pod, or it is forgotten already.
func (k *Kubelets) Hang(key model.Key) bool {
	pod := k.store.Pod(key)
	if pod == nil || k.lives[pod.UID].hung {
		return false
	}
	l := k.lives[pod.UID]
	l.hung = true
	k.freeze(l)
	k.warn(l, timeline.ReasonHung, "the kubelet has forgotten "+key.Name)
	return true
}

// disarm drops a timer, whether it is in the queue, held, expired or nil.
func (k *Kubelets) disarm(l *life, slot **kernel.Timer) {
	k.kernel.Cancel(*slot)
	l.held = slices.DeleteFunc(l.held, func(h heldTimer) bool { return h.slot == slot })
}

// keepOpen takes a timer out of the background, in the queue or held, so that it keeps the run open. Its instant does
// not change, but its place among the events of that instant does.
func (k *Kubelets) keepOpen(l *life, slot **kernel.Timer) {
	if timer := *slot; timer.Pending() && timer.Background {
		at, event := timer.At, timer.Payload
		k.kernel.Cancel(timer)
		*slot = k.kernel.At(at, kernel.ByKubelet, event)
	}
	for i := range l.held {
		if l.held[i].slot == slot {
			l.held[i].background = false
		}
	}
}

// slots yields the places of all timers of a pod, its containers' timers last. Held timers are set again in this
// order, so it must not change.
func (l *life) slots() iter.Seq[**kernel.Timer] {
	return func(yield func(**kernel.Timer) bool) {
		for kind := range l.timers {
			if !yield(&l.timers[kind]) {
				return
			}
		}
		for c := range l.containers {
			for i := range c.timers {
				if !yield(&c.timers[i]) {
					return
				}
			}
		}
	}
}

// freeze moves the timers of a pod from the queue into held, with the time that each still had to run.
func (k *Kubelets) freeze(l *life) {
	for slot := range l.slots() {
		if timer := *slot; timer.Pending() {
			l.held = append(l.held, heldTimer{slot, timer.At - k.kernel.Now(), timer.Background, timer.Payload})
			k.kernel.Cancel(timer)
		}
	}
}

// thaw moves them back. If the pod is still unattended for the other reason, they are held again.
func (k *Kubelets) thaw(l *life) {
	held := l.held
	l.held = nil
	for _, h := range held {
		k.setOn(l, h.slot, h.left, h.background, h.event)
	}
}

// stopsIn returns how long the processes of a pod that is being deleted will still run, held timers included, and
// false if they never end or the pod is not being deleted.
func (k *Kubelets) stopsIn(l *life) (model.Time, bool) {
	if timer := l.timers[gone]; timer.Pending() {
		return timer.At - k.kernel.Now(), true
	}
	for _, h := range l.held {
		if h.slot == &l.timers[gone] {
			return h.left, true
		}
	}
	return 0, false
}
