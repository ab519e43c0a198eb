package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// gate is the readiness of a pod that depends on others: a member of a cluster that has no quorum is not ready.
type gate struct {
	// warm says that the application itself is ready, holds that the condition did when it was looked at last, and open
	// that the pod may be Ready by it.
	warm, holds, open bool
}

// gates are the pods whose readiness depends on others, in the order of their births.
type gates struct {
	lives []*life
	// fold is the world as the conditions see it, seen the number of events that were applied to it.
	fold timeline.Fold
	seen int
	// again asks for a look although nothing was recorded.
	again bool
	// most is the greatest number of serving pods since the last birth of one.
	most int
}

// watchOthers adds a pod to those whose readiness depends on others.
func (w *World) watchOthers(l *life) {
	if l.times.When != nil && l.gate == nil {
		l.gate = &gate{}
		w.gates.lives = append(w.gates.lives, l)
		w.gates.again = true
	}
}

// weigh looks at the conditions of readiness where something has happened since the last look. All pods look at the
// same world; then those change for which it has changed. It returns false where nothing was to be looked at.
func (w *World) weigh() bool {
	g := &w.gates
	if len(g.lives) == 0 || g.seen == len(w.events) && !g.again {
		return false
	}
	g.again = false
	news := false
	for ; g.seen < len(w.events); g.seen++ {
		e := &w.events[g.seen]
		g.fold.Apply(e)
		if e.Kind == timeline.KindPod && e.State == timeline.Pending {
			news, g.most = true, 0
		}
	}
	g.fold.T = w.Now()
	if serving := serving(&g.fold); serving > g.most {
		news, g.most = true, serving
	}
	if news {
		w.revive()
	}
	var changed []*life
	var known verdicts
	for _, l := range g.lives {
		if holds := known.of(l, &g.fold); holds != l.gate.holds {
			l.gate.holds = holds
			changed = append(changed, l)
		}
	}
	w.actor, w.why = timeline.Kubelet, model.Why{}
	for _, l := range changed {
		w.swing(l)
	}
	return true
}

// verdicts are what is known of shared conditions in one look, so that a big set does not ask for each of its pods.
type verdicts []verdict

type verdict struct {
	when  *behaviour.Condition
	set   model.Key
	holds bool
}

// of says whether the condition of a pod holds.
func (v *verdicts) of(l *life, world *timeline.Fold) bool {
	when := l.times.When
	if !when.Shared || l.bare {
		return when.Holds(world, l.set, l.key.Name)
	}
	for _, known := range *v {
		if known.when == when && known.set == l.set {
			return known.holds
		}
	}
	holds := when.Holds(world, l.set, l.key.Name)
	*v = append(*v, verdict{when, l.set, holds})
	return holds
}

func serving(f *timeline.Fold) int {
	n := 0
	for _, set := range f.Sets() {
		n += set.Serving()
	}
	return n
}

// revive lets crash loops count again that could change nothing any more: now there is a pod that they had not met, so
// that their next round may end otherwise. A new pod comes, or one more is serving, only so often.
func (w *World) revive() {
	for _, l := range w.gates.lives {
		for c := range l.containers {
			if c.idle {
				c.idle = false
				c.restarts.Unsettle()
				for i := range c.timers {
					w.keepOpen(l, &c.timers[i])
				}
				w.keepOpen(l, &l.timers[ready])
			}
		}
	}
}

// swing opens or closes the gate of a pod for which the condition has changed, or does so with its next probes.
func (w *World) swing(l *life) {
	w.cancel(l, gateOpens, gateShuts)
	switch g := l.gate; {
	case g.holds && !g.open:
		w.setTimer(l, gateOpens, w.probeGate(l, true)-w.Now())
	case !g.holds && g.open && !w.isReady(l):
		g.open = false
	case !g.holds && g.open:
		at := w.probeGate(l, false)
		if d := l.times.When.Lose; d != nil {
			ns, never := d.Draw(w.chooser)
			if never {
				return
			}
			at = w.Now() + model.Time(max(ns, 1))
		}
		w.setTimer(l, gateShuts, at-w.Now())
	}
}

func (w *World) isReady(l *life) bool {
	pod := w.store.Pod(l.key)
	return pod != nil && pod.UID == l.uid && pod.Ready
}

// probeGate returns when the readiness probe notices that the condition holds, or does not any more. Where the kubelet
// does not follow the manifest it is noticed at once, and missed as by a probe that says nothing of its own.
func (w *World) probeGate(l *life, opens bool) model.Time {
	probe, ticker := l.readinessProbe()
	switch {
	case opens && (probe == nil || !l.boxes.ready()):
		return w.Now()
	case probe == nil:
		return w.Now().Add(behaviour.DefaultLose)
	case opens:
		return ticker.From(w.Now()).Add(ticker.Times(probe.Successes - 1))
	}
	return ticker.From(w.Now() + 1).Add(ticker.Times(probe.Failures - 1))
}

// readinessProbe returns the first readiness probe of a pod, nil where the kubelet knows none.
func (l *life) readinessProbe() (*model.Probe, behaviour.Ticker) {
	if l.boxes == nil {
		return nil, behaviour.Ticker{}
	}
	for _, c := range l.boxes.main {
		if p := c.probed.spec.Readiness; p != nil {
			return p, behaviour.Ticker{Base: max(c.probed.run.From, l.boxes.ticks), Period: p.Period}
		}
	}
	return nil, behaviour.Ticker{}
}

// warmUp notes that the application of a pod is ready itself; the pod is, where the condition holds.
func (w *World) warmUp(l *life) {
	l.gate.warm = true
	w.applyGate(l)
	if !l.gate.open {
		w.record(timeline.Event{
			Kind: timeline.KindK8sEvent, Actor: timeline.Kubelet, Set: l.set, Pod: l.key.Name, UID: l.uid, Warning: true,
			Reason: "Unhealthy", Message: l.key.Name + " is not ready before this holds: " + l.times.When.Text,
		})
	}
}

// moveGate opens or closes the gate of a pod.
func (w *World) moveGate(l *life, open bool) {
	l.gate.open = open
	w.applyGate(l)
}

// applyGate makes a pod Ready, or not, where its gate decides that: not as long as it is to be unready for a while.
func (w *World) applyGate(l *life) {
	pod := w.store.Pod(l.key)
	if pod == nil || pod.UID != l.uid || pod.Terminating() {
		return
	}
	message := "its readiness condition holds"
	if !l.gate.open {
		message = "its readiness condition does not hold any more"
	}
	if l.boxes != nil {
		if pod.Phase == model.Running {
			w.tell(l, l.boxes.main[0], message)
		}
		return
	}
	isReady := l.gate.warm && l.gate.open && !l.timers[heal].Pending()
	if pod.Ready == isReady {
		return
	}
	c := l.app(pod)
	w.store.ChangePod(l.key, func(p *model.Pod) {
		p.Ready, p.ReadySince = isReady, w.Now()
		p.Containers = &model.Containers{Name: c.name, Shown: c.word, Message: message, Restarts: c.started}
	})
}

// unwatch drops a pod that is gone, or whose containers have ended for good.
func (w *World) unwatch(l *life) {
	if l.gate != nil {
		w.gates.lives = slices.DeleteFunc(w.gates.lives, func(other *life) bool { return other == l })
	}
}
