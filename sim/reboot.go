package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// speakAgain reports a pod Ready again that only the silence of its node had made unready. The kubelet does so as soon
// as it sees that the API server says otherwise, unless something else keeps the pod from being ready by now.
func (w *World) speakAgain(l *life, off bool) {
	pod := w.store.Pod(l.key)
	if l.silenced && !off && !pod.Terminating() && !pod.Finished() && l.wellBehaved() {
		w.movePod(l, heal)
	}
	l.silenced = false
}

// wellBehaved says whether nothing that the kubelet knows of a pod keeps it from being Ready.
func (l *life) wellBehaved() bool {
	switch {
	case l.gate != nil && !l.gate.open:
		return false
	case l.boxes != nil:
		return l.boxes.ready()
	}
	return l.main == nil || l.main.state == isRunning
}

// beginAnew begins the containers of a pod again whose node was off. Its phase stays as it is; it is ready when they
// have started and become ready once more.
func (w *World) beginAnew(l *life) {
	pod := w.store.Pod(l.key)
	if pod.Terminating() || pod.Finished() || !l.begun(pod) {
		return
	}
	// What makes the phase Failed is nothing that a container does, so its time goes on.
	l.held = slices.DeleteFunc(l.held, func(h heldTimer) bool { return h.slot != &l.timers[fail] })
	if pod.Ready {
		w.reason = timeline.ReasonRestarted
		w.store.ChangePod(l.key, func(p *model.Pod) { p.Ready, p.ReadySince = false, w.Now() })
		w.reason = ""
	}
	if l.gate != nil {
		*l.gate = gate{}
		w.gates.again = true
	}
	switch {
	case l.boxes != nil:
		w.repack(l)
	case l.main != nil || l.gate != nil || l.times.Crash != nil || l.times.GiveUp != nil:
		c := l.app(pod)
		c.turnOff()
		w.afterIn(l, c, restart, l.times.Start)
	default:
		w.healAnew(l)
	}
}

// begun says whether a container of the pod has ever been started.
func (l *life) begun(pod *model.Pod) bool {
	if l.boxes == nil {
		return pod.Phase == model.Running
	}
	return l.boxes.first().state != notStarted
}

// repack lets a pod begin with its first init container again. Those containers that have run count one more restart.
func (w *World) repack(l *life) {
	b := l.boxes
	b.turn, b.ticks = 0, w.firstTick()
	for c := range b.all {
		if c.state != notStarted {
			c.started++
		}
		c.turnOff()
		c.state = notStarted
		c.probed.reset()
	}
	w.after(l, start, l.times.Start)
}

// turnOff ends a container without a word of its own, and the kubelet's memory of its back-off with it.
func (c *container) turnOff() {
	c.state, c.word, c.idle, c.restarts = isDown, "", false, behaviour.Restarts{}
}

// healAnew makes a pod Ready whose containers nothing else is known of, when these have started.
func (w *World) healAnew(l *life) {
	wait := model.Time(0)
	for _, delay := range []behaviour.Delay{l.times.Start, l.times.Ready} {
		ns, never := delay.Draw(w.chooser)
		if never {
			return
		}
		wait += model.Time(ns)
	}
	w.setTimer(l, heal, wait)
}
