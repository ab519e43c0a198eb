package sim

import (
	"iter"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
)

// heldTimer is a timer of a pod whose kubelet does nothing: where it belongs, what it does, and how long it had still
// to run.
type heldTimer struct {
	slot       **queue.Entry[event]
	left       model.Time
	background bool
	payload    event
}

// unattended says whether nobody looks after the pod: its node is down, or its kubelet has forgotten it.
func (l *life) unattended() bool { return l.hung || l.node != nil && l.node.down }

// setTimer sets a timer of a pod.
func (w *World) setTimer(l *life, kind eventKind, d model.Time) {
	payload := event{kind: kind, pod: l}
	if kind == bind {
		l.timers[bind] = w.queue.Schedule(w.Now()+d, byScheduler, false, payload)
		return
	}
	w.setOn(l, &l.timers[kind], d, kind == ready && l.idle(), payload)
}

// setOn sets a timer of a pod's kubelet. Where that does nothing it is kept until it goes on.
func (w *World) setOn(l *life, slot **queue.Entry[event], d model.Time, background bool, payload event) {
	if l.unattended() {
		l.held = append(l.held, heldTimer{slot, d, background, payload})
		return
	}
	*slot = w.queue.Schedule(w.Now()+d, byKubelet, background, payload)
}

// disarm drops a timer, kept or not.
func (w *World) disarm(l *life, slot **queue.Entry[event]) {
	w.queue.Cancel(*slot)
	if len(l.held) > 0 {
		l.held = slices.DeleteFunc(l.held, func(h heldTimer) bool { return h.slot == slot })
	}
}

// keepOpen takes a timer out of the background, kept or not.
func (w *World) keepOpen(l *life, slot **queue.Entry[event]) {
	if timer := *slot; timer.Pending() && timer.Background {
		w.queue.Cancel(timer)
		*slot = w.queue.Schedule(timer.At, byKubelet, false, timer.Payload)
	}
	for i := range l.held {
		if l.held[i].slot == slot {
			l.held[i].background = false
		}
	}
}

// slots yields the timers of a pod that its kubelet has to make come true. What the API server's clients find out by
// themselves is not among them: that a pod has been ready for long enough.
func (l *life) slots() iter.Seq[**queue.Entry[event]] {
	return func(yield func(**queue.Entry[event]) bool) {
		for kind := range l.timers {
			if k := eventKind(kind); k != bind && k != ripe && !yield(&l.timers[kind]) {
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
func (w *World) freeze(l *life) {
	for slot := range l.slots() {
		if timer := *slot; timer.Pending() {
			l.held = append(l.held, heldTimer{slot, timer.At - w.Now(), timer.Background, timer.Payload})
			w.queue.Cancel(timer)
		}
	}
}

// thaw lets the timers of a pod's kubelet go on.
func (w *World) thaw(l *life) {
	if l.unattended() {
		return
	}
	held := l.held
	l.held = nil
	for _, h := range held {
		w.setOn(l, h.slot, h.left, h.background, h.payload)
	}
}

// stopsIn returns how long the processes of a pod will run on that is being deleted, and false where they never end.
func (w *World) stopsIn(l *life) (model.Time, bool) {
	if timer := l.timers[gone]; timer.Pending() {
		return timer.At - w.Now(), true
	}
	for _, h := range l.held {
		if h.slot == &l.timers[gone] {
			return h.left, true
		}
	}
	return 0, false
}
