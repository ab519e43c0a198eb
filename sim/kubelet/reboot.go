package kubelet

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// speakAgain reports a pod as Ready again if only the silence of its node made it unready. The kubelet does so as
// soon as it sees the difference in the API server, unless something else keeps the pod from being ready now. A pod
// whose processes were dead (off) becomes ready by its restart instead.
func (k *Kubelets) speakAgain(l *life, off bool) {
	pod := k.store.Pod(l.Key)
	if l.silenced && !off && !pod.Terminating() && !pod.Finished() && l.wellBehaved() {
		k.movePod(l, heal)
	}
	l.silenced = false
}

// wellBehaved reports whether nothing that the kubelet knows of a pod keeps it from being Ready.
func (l *life) wellBehaved() bool {
	switch {
	case l.gate != nil && !l.gate.open:
		return false
	case l.manifest != nil:
		return l.manifest.ready()
	}
	return l.main == nil || l.main.state == isRunning
}

// beginAgain restarts the containers of a pod whose node was off. Its phase does not change; the pod is Ready when
// they have started and become ready again. Of its held timers, only the timer for the phase Failed remains. A pod
// that never started, is being deleted or has ended has nothing to start. It must be called while the pod's timers
// are held, before thaw.
func (k *Kubelets) beginAgain(l *life) {
	pod := k.store.Pod(l.Key)
	if pod.Terminating() || pod.Finished() || !l.begun(pod) {
		return
	}
	// The phase Failed does not depend on the containers, so its timer continues.
	l.held = slices.DeleteFunc(l.held, func(h heldTimer) bool { return h.slot != &l.timers[fail] })
	if pod.Ready {
		by := store.By{Actor: timeline.Kubelet, Reason: timeline.ReasonRestarted}
		k.store.As(by).ChangePod(l.Key, func(p *model.Pod) { p.Ready, p.ReadySince = false, k.kernel.Now() })
	}
	if l.gate != nil {
		*l.gate = gate{shut: l.gate.shut}
		k.gates.again = true
	}
	switch {
	case l.manifest != nil:
		k.repack(l)
	case l.main != nil || l.gate != nil || l.times.Crash != nil || l.times.GiveUp != nil:
		c := l.app(pod)
		c.turnOff()
		k.afterIn(l, c, restart, l.times.Start)
	default:
		k.healAgain(l)
	}
}

// begun reports whether a container of the pod has ever been started.
func (l *life) begun(pod *model.Pod) bool {
	if l.manifest == nil {
		return pod.Phase == model.Running
	}
	return l.manifest.first().state != notStarted
}

// repack starts a pod with a manifest again, with its first init container and new tickers. Each container that has
// run counts one more restart.
func (k *Kubelets) repack(l *life) {
	b := l.manifest
	b.turn, b.again, b.ticks = 0, false, k.firstTick()
	for c := range b.all {
		if c.state != notStarted {
			c.started++
		}
		c.turnOff()
		c.state = notStarted
		c.probed.reset()
	}
	k.after(l, start, l.times.Start)
}

// turnOff ends a container without a status, and clears the kubelet's memory of its back-off, which a reboot loses.
func (c *container) turnOff() {
	c.state, c.word, c.idle, c.paused, c.restarts = isDown, "", false, false, behaviour.Restarts{}
}

// healAgain makes a pod Ready when its containers have started, if nothing else is known. It needs no memory of them.
func (k *Kubelets) healAgain(l *life) {
	wait := model.Time(0)
	for _, delay := range []behaviour.Delay{l.times.Start, l.times.Ready} {
		takes, never := k.kernel.Draw(delay)
		if never {
			return
		}
		wait += takes
	}
	k.setTimer(l, heal, wait)
}
