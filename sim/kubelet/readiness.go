package kubelet

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// gate is the readiness of a pod that depends on other pods: a member of a cluster without a quorum is not ready.
type gate struct {
	// warm is true if the application itself is ready, holds if the condition held when it was last evaluated, and open if
	// the gate lets the pod be Ready.
	warm, holds, open bool
}

// gates are the pods whose readiness depends on other pods, in the order of their creation.
type gates struct {
	lives []*life
	// fold is the world as the conditions see it; seen is the number of events that were applied to it.
	fold timeline.Fold `print:"-"`
	seen int           `print:"-"`
	// again asks for an evaluation although nothing was recorded. ripened is the number of pods that had become available
	// by time alone at the last evaluation, which is not recorded either.
	again   bool
	ripened int `print:"-"`
	// most is the largest number of serving pods since a pod was last created.
	most int
}

// watchOthers adds a pod to those whose readiness depends on others.
func (k *Kubelets) watchOthers(l *life) {
	if l.times.When != nil && l.gate == nil {
		l.gate = &gate{}
		k.gates.lives = append(k.gates.lives, l)
		k.gates.again = true
	}
}

// Weigh evaluates the readiness conditions if something has happened since the last time; ripened counts the pods that
// have become available by time alone. All pods look at the same world, and then those change whose condition has
// changed. It returns false if there was nothing to evaluate.
func (k *Kubelets) Weigh(ripened int) bool {
	g := &k.gates
	if len(g.lives) == 0 || g.seen == len(k.kernel.Events()) && g.ripened == ripened && !g.again {
		return false
	}
	g.again, g.ripened = false, ripened
	news := false
	for ; g.seen < len(k.kernel.Events()); g.seen++ {
		e := &k.kernel.Events()[g.seen]
		g.fold.Apply(e)
		if e.Kind == timeline.KindPod && e.State == timeline.Pending {
			news, g.most = true, 0
		}
	}
	g.fold.T = k.kernel.Now()
	if serving := serving(&g.fold); serving > g.most {
		news, g.most = true, serving
	}
	if news {
		k.revive()
	}
	var changed []*life
	var known verdicts
	for _, l := range g.lives {
		if holds := known.of(l, &g.fold); holds != l.gate.holds {
			l.gate.holds = holds
			changed = append(changed, l)
		}
	}
	for _, l := range changed {
		k.swing(l)
	}
	return true
}

// verdicts caches shared conditions at one instant, so that a big set does not evaluate them for each of its pods.
type verdicts []verdict

type verdict struct {
	when  *behaviour.Condition
	set   model.Key
	holds bool
}

// of says whether the condition of a pod holds.
func (v *verdicts) of(l *life, world *timeline.Fold) bool {
	when := l.times.When
	if !when.Shared || l.Bare {
		return when.Holds(world, l.Set, l.Key.Name)
	}
	for _, known := range *v {
		if known.when == when && known.set == l.Set {
			return known.holds
		}
	}
	holds := when.Holds(world, l.Set, l.Key.Name)
	*v = append(*v, verdict{when, l.Set, holds})
	return holds
}

func serving(f *timeline.Fold) int {
	n := 0
	for _, set := range f.Sets() {
		n += set.Serving()
	}
	return n
}

// revive makes crash loops count again that could no longer change anything: there is a pod now that did not exist
// before, so their next round may end differently. A new pod, or one more serving pod, comes only so often.
func (k *Kubelets) revive() {
	for _, l := range k.gates.lives {
		for c := range l.containers {
			if c.idle {
				c.idle = false
				c.restarts.Unsettle()
				for i := range c.timers {
					k.keepOpen(l, &c.timers[i])
				}
				k.keepOpen(l, &l.timers[ready])
			}
		}
	}
}

// swing opens or closes the gate of a pod whose condition has changed, at once or with its next probes.
func (k *Kubelets) swing(l *life) {
	k.cancel(l, gateOpens, gateShuts)
	switch g := l.gate; {
	case g.holds && !g.open:
		k.setTimer(l, gateOpens, k.probeGate(l, true)-k.kernel.Now())
	case !g.holds && g.open && !k.isReady(l):
		g.open = false
	case !g.holds && g.open:
		at := k.probeGate(l, false)
		if d := l.times.When.Lose; d != nil {
			wait, never := k.kernel.Draw(d)
			if never {
				return
			}
			at = k.kernel.Now() + max(wait, 1)
		}
		k.setTimer(l, gateShuts, at-k.kernel.Now())
	}
}

func (k *Kubelets) isReady(l *life) bool {
	pod := k.store.Pod(l.Key)
	return pod != nil && pod.UID == l.UID && pod.Ready
}

// probeGate returns when the readiness probe notices that the condition holds or no longer holds. If the kubelet does
// not follow the manifest, it notices at once that it holds, and that it does not after the default time of a probe.
func (k *Kubelets) probeGate(l *life, opens bool) model.Time {
	probe, ticker := l.readinessProbe()
	switch {
	case opens && (probe == nil || !l.manifest.ready()):
		return k.kernel.Now()
	case probe == nil:
		return k.kernel.Now().Add(behaviour.DefaultLose)
	case opens:
		return ticker.From(k.kernel.Now()).Add(ticker.Times(probe.Successes - 1))
	}
	return ticker.From(k.kernel.Now() + 1).Add(ticker.Times(probe.Failures - 1))
}

// readinessProbe returns the first readiness probe of a pod, nil if the kubelet knows none.
func (l *life) readinessProbe() (*model.Probe, behaviour.Ticker) {
	if l.manifest == nil {
		return nil, behaviour.Ticker{}
	}
	for _, c := range l.manifest.main {
		if p := c.probed.spec.Readiness; p != nil {
			return p, behaviour.Ticker{Base: max(c.probed.run.From, l.manifest.ticks), Period: p.Period}
		}
	}
	return nil, behaviour.Ticker{}
}

// warmUp notes that the application of a pod is ready itself. The pod is Ready if the condition holds.
func (k *Kubelets) warmUp(l *life) {
	l.gate.warm = true
	k.applyGate(l)
	if !l.gate.open {
		k.warn(l, "Unhealthy", l.Key.Name+" is not ready before this holds: "+l.times.When.Text)
	}
}

// moveGate opens or closes the gate of a pod.
func (k *Kubelets) moveGate(l *life, open bool) {
	l.gate.open = open
	k.applyGate(l)
}

// applyGate makes a pod Ready or not Ready if its gate decides that. It does not while the pod is made unready for a
// time.
func (k *Kubelets) applyGate(l *life) {
	pod := k.store.Pod(l.Key)
	if pod == nil || pod.UID != l.UID || pod.Terminating() {
		return
	}
	message := "its readiness condition holds"
	if !l.gate.open {
		message = "its readiness condition does not hold any more"
	}
	if l.manifest != nil {
		if pod.Phase == model.Running {
			k.report(l, l.manifest.main[0], message)
		}
		return
	}
	isReady := l.gate.warm && l.gate.open && !l.timers[heal].Pending()
	if pod.Ready == isReady {
		return
	}
	c := l.app(pod)
	k.write().ChangePod(l.Key, func(p *model.Pod) {
		p.Ready, p.ReadySince = isReady, k.kernel.Now()
		p.Containers = &model.Containers{Name: c.name, Shown: c.word, Message: message, Restarts: c.started}
	})
}

// unwatch drops a pod that is gone, or whose containers have ended for good.
func (k *Kubelets) unwatch(l *life) {
	if l.gate != nil {
		k.gates.lives = slices.DeleteFunc(k.gates.lives, func(other *life) bool { return other == l })
	}
}
