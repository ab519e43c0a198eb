package kubelet

import (
	"iter"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// heldTimer is a timer of a pod whose kubelet is stopped: where it belongs, what it does, and how long it still had to
// run.
type heldTimer struct {
	slot       **kernel.Timer
	left       model.Time `print:"span"`
	background bool
	event      kernel.Event
}

// unattended says whether no kubelet looks after the pod: its node is down, or its kubelet has forgotten it.
func (l *life) unattended() bool { return l.hung || l.node != nil && l.node.Down }

// Pause stops the kubelet of a node that is down now.
func (k *Kubelets) Pause(n *nodes.Node) {
	for _, pod := range k.nodes.PodsOn(n) {
		k.freeze(k.lives.Get(pod.UID))
	}
	k.freezeStrays(n)
}

// Resume continues the kubelet of a node that is up again. It reports its pods as they are, ends those that were
// deleted meanwhile, and kills the processes whose pods no longer exist. off means that the node's processes were dead.
func (k *Kubelets) Resume(n *nodes.Node, off bool) {
	for _, pod := range k.nodes.PodsOn(n) {
		l := k.lives.Get(pod.UID)
		if off {
			k.beginAgain(l)
		}
		k.thaw(l)
		k.speakAgain(l, off)
	}
	k.thawStrays(n)
}

// Hang makes the kubelet forget a pod: none of the pod's changes happen any more, not even its end. It returns false if
// there is no such pod, or it is forgotten already.
func (k *Kubelets) Hang(key model.Key) bool {
	pod := k.store.Pod(key)
	if pod == nil || k.lives.Get(pod.UID).hung {
		return false
	}
	l := k.lives.Get(pod.UID)
	l.hung = true
	k.freeze(l)
	k.warn(l, timeline.ReasonHung, "the kubelet has forgotten "+key.Name)
	return true
}

// disarm drops a timer, stopped or not.
func (k *Kubelets) disarm(l *life, slot **kernel.Timer) {
	k.kernel.Cancel(*slot)
	if len(l.held) > 0 {
		l.held = slices.DeleteFunc(l.held, func(h heldTimer) bool { return h.slot == slot })
	}
}

// keepOpen takes a timer out of the background, stopped or not, so that it keeps the run open.
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

// slots yields the timers of a pod, those of its containers last.
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

// freeze stops the timers of a pod's kubelet.
func (k *Kubelets) freeze(l *life) {
	for slot := range l.slots() {
		if timer := *slot; timer.Pending() {
			l.held = append(l.held, heldTimer{slot, timer.At - k.kernel.Now(), timer.Background, timer.Payload})
			k.kernel.Cancel(timer)
		}
	}
}

// thaw continues the timers of a pod's kubelet.
func (k *Kubelets) thaw(l *life) {
	if l.unattended() {
		return
	}
	held := l.held
	l.held = nil
	for _, h := range held {
		k.setOn(l, h.slot, h.left, h.background, h.event)
	}
}

// stopsIn returns how long the processes of a pod that is being deleted will still run, and false if they never end.
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
