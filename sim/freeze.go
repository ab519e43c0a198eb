package sim

import (
	"github.com/statefulsim/statefulsim/model"
)

// frozen are the timers of a pod whose kubelet does nothing: how long each had still to run.
type frozen struct {
	set  [requeue]bool
	left [requeue]model.Time
}

// idle says whether nobody looks after the pod: its node is down, or its kubelet has forgotten it.
func (l *life) idle() bool { return l.hung || l.node != nil && l.node.down }

// setTimer sets a timer of a pod. That of a kubelet which does nothing is kept until it comes back.
func (w *World) setTimer(l *life, kind eventKind, d model.Time) {
	actor := byKubelet
	switch {
	case kind == bind:
		actor = byScheduler
	case kind != ripe && l.idle():
		l.keep(kind, d)
		return
	}
	l.timers[kind] = w.queue.Schedule(w.Now()+d, actor, false, event{kind: kind, pod: l})
}

func (l *life) keep(kind eventKind, left model.Time) {
	if l.frozen == nil {
		l.frozen = &frozen{}
	}
	l.frozen.set[kind], l.frozen.left[kind] = true, left
}

// freeze stops the timers of a pod that its kubelet would have to make come true. What the API server's clients find out
// by themselves goes on: that a pod has been ready for long enough.
func (w *World) freeze(l *life) {
	for kind, timer := range l.timers {
		if k := eventKind(kind); k != bind && k != ripe && timer.Pending() {
			l.keep(k, timer.At-w.Now())
			w.queue.Cancel(timer)
		}
	}
}

// thaw lets the timers of a pod go on.
func (w *World) thaw(l *life) {
	kept := l.frozen
	if kept == nil || l.idle() {
		return
	}
	l.frozen = nil
	for kind, set := range kept.set {
		if set {
			w.setTimer(l, eventKind(kind), kept.left[kind])
		}
	}
}

// stopsIn returns how long the processes of a pod will run on that is being deleted, and false where they never end.
func (w *World) stopsIn(l *life) (model.Time, bool) {
	switch timer := l.timers[gone]; {
	case timer.Pending():
		return timer.At - w.Now(), true
	case l.frozen != nil && l.frozen.set[gone]:
		return l.frozen.left[gone], true
	}
	return 0, false
}
