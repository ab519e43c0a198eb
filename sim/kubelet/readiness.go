package kubelet

import (
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// gate makes the readiness of a pod depend on other pods: a member of a cluster without a quorum is not ready. Or
// readiness depends on what is done in the pod's containers (Shut). The pod is Ready if warm and open are true.
type gate struct {
	// warm is true if the application itself is ready (with a manifest its containers say so, and warm is not used).
	// holds is the value of the condition when it was last evaluated. open is what the readiness probe has noticed of
	// it: it follows holds after the time of the probe.
	warm, holds, open bool
	// shut is true while a user keeps the pod unready.
	shut bool
}

// gates are the pods whose readiness depends on other pods, or on Shut. All conditions see the same world, which is
// folded once for all of them.
type gates struct {
	// lives are in the order in which their kubelets started on them. A pod leaves when it is gone or has ended.
	lives []*life
	// fold is the world as the conditions see it; seen is the number of the kernel's events that were applied to it,
	// without those that were forgotten. It is only kept up to date while there are lives, and catches up when Weigh or
	// Forget is next called.
	fold timeline.Fold `print:"-"`
	seen int           `print:"-"`
	// again asks for an evaluation although nothing was recorded: there is a new gate. ripened is the number of pods
	// that had become available by time alone at the last evaluation, which no event shows.
	again   bool
	ripened int `print:"-"`
	// news is true if a pod was created since the last evaluation.
	news bool `print:"-"`
	// undecided are the conditions that could not be evaluated, as a warning says.
	undecided []*behaviour.Condition `print:"-"`
	// most is the largest number of serving pods since a pod was last created. A higher number is news for a crash loop.
	most int
}

// watchOthers gives a pod a gate if its rule has a condition, and does nothing if it has one already.
func (k *Kubelets) watchOthers(l *life) {
	if l.times.When != nil && l.gate == nil {
		l.gate = &gate{}
		k.gates.lives = append(k.gates.lives, l)
		k.gates.again = true
	}
}

// Shut and Opened are not durations for Unready: an act in the pod's containers keeps it unready, or stops doing
// so. Its readiness probe notices at its next ticks, if the kubelet follows the manifest.
const (
	Shut   time.Duration = -1
	Opened time.Duration = -2
)

// shut keeps a pod unready, or no longer.
func (k *Kubelets) shut(pod *model.Pod, shut bool) {
	l := k.lives[pod.UID]
	if l.gate == nil && shut && !pod.Finished() {
		l.gate = &gate{warm: pod.Ready, holds: true, open: true}
		k.gates.lives = append(k.gates.lives, l)
	}
	if l.gate != nil && l.gate.shut != shut {
		l.gate.shut, k.gates.again = shut, true
	}
}

// Weigh evaluates the readiness conditions if something has happened since the last time; ripened counts the pods
// that have become available by time alone. All pods look at the same world, and then those change whose condition
// has changed: the result does not depend on the order. It returns false if there was nothing to evaluate; the world
// calls it until then, since a change of readiness may change other conditions. It costs O(new events + gated pods).
// Crash loops wake up first if the user has changed something.
func (k *Kubelets) Weigh(ripened int) bool {
	if k.changes != k.kernel.Changes {
		k.wake()
	}
	g := &k.gates
	if len(g.lives) == 0 || g.seen == len(k.kernel.Events()) && g.ripened == ripened && !g.again {
		return false
	}
	g.again, g.ripened = false, ripened
	g.hear(k.kernel.Events())
	news := g.news
	g.news, g.fold.T = false, k.kernel.Now()
	if serving := serving(&g.fold); serving > g.most {
		news, g.most = true, serving
	}
	if news {
		k.revive()
	}
	var changed []*life
	var known verdicts
	for _, l := range g.lives {
		holds := known.of(l, k)
		if k.over() {
			return false
		}
		if holds != l.gate.holds {
			l.gate.holds = holds
			changed = append(changed, l)
		}
	}
	for _, l := range changed {
		k.swing(l)
	}
	return true
}

// verdicts caches the values of shared conditions at one instant, so that a set does not evaluate them for each pod.
type verdicts []verdict

// verdict is the value of a condition that is Shared, for the pods of one set.
type verdict struct {
	when  *behaviour.Condition
	set   model.Key
	holds bool
}

// of reports whether the condition of a pod holds.
func (v *verdicts) of(l *life, k *Kubelets) bool {
	when := l.times.When
	if l.gate.shut || when == nil {
		return !l.gate.shut
	}
	if !when.Shared || l.Bare {
		return k.decide(l)
	}
	for _, known := range *v {
		if known.when == when && known.set == l.Set {
			return known.holds
		}
	}
	holds := k.decide(l)
	*v = append(*v, verdict{when, l.Set, holds})
	return holds
}

// decide evaluates the condition of a pod. If it cannot, there is one warning: the run may be stuck by that.
func (k *Kubelets) decide(l *life) bool {
	when := l.times.When
	holds, err := when.Holds(&k.gates.fold, l.Set, l.Key.Name, k.pay)
	if err != nil && !k.over() && !slices.Contains(k.gates.undecided, when) {
		k.gates.undecided = append(k.gates.undecided, when)
		k.kernel.Warn("nobody knows whether %s is ready, and it counts as not ready: %s: %s", l.Key.Name, err, when.Text)
	}
	return holds
}

// over reports whether the run has ended, for example because the conditions cost too much. Nothing may change
// after that.
func (k *Kubelets) over() bool { return k.kernel.Result.Verdict != "" }

// serving counts the pods of all sets that are Ready and not terminating.
func serving(f *timeline.Fold) int {
	n := 0
	for _, set := range f.Sets() {
		n += set.Serving()
	}
	return n
}

// revive lets crash loops keep the run open again that could no longer change anything: there is a pod that did not
// exist before, or one more serving pod, so their next round may end differently. That comes only so often, and so a
// run with nothing but crash loops still ends.
func (k *Kubelets) revive() {
	for _, l := range k.gates.lives {
		for c := range l.containers {
			if c.idle {
				k.goesOn(l, c)
			}
		}
	}
}

// wake lets the crash loops whose pod is Ready at times keep the run open again, because the world has changed: a
// user has changed something, or a new pod exists. The controller may do something now when the pod is Ready, so
// two more rounds are worth waiting for.
func (k *Kubelets) wake() {
	k.changes = k.kernel.Changes
	if !k.paused {
		return
	}
	k.paused = false
	for _, uid := range slices.Sorted(maps.Keys(k.lives)) {
		l := k.lives[uid]
		for c := range l.containers {
			if c.paused {
				k.goesOn(l, c)
			}
		}
	}
}

// goesOn lets an idle crash loop keep the run open again, until its rounds have repeated again.
func (k *Kubelets) goesOn(l *life, c *container) {
	c.idle, c.paused = false, false
	c.restarts.Unsettle()
	for i := range c.timers {
		k.keepOpen(l, &c.timers[i])
	}
	k.keepOpen(l, &l.timers[ready])
}

// swing opens or closes the gate of a pod whose condition has changed, at once or with its next probes. A change
// back before the probe has noticed cancels it. The gate of a pod that is not Ready closes at once, since that is
// not visible.
func (k *Kubelets) swing(l *life) {
	k.cancel(l, gateOpens, gateShuts)
	switch g := l.gate; {
	case g.holds && !g.open:
		k.setTimer(l, gateOpens, k.probeGate(l, true)-k.kernel.Now())
	case !g.holds && g.open && !k.isReady(l):
		g.open = false
	case !g.holds && g.open:
		at := k.probeGate(l, false)
		if when := l.times.When; when != nil && when.Lose != nil {
			wait, never := k.kernel.Draw(when.Lose)
			if never {
				return
			}
			at = k.kernel.Now() + max(wait, 1)
		}
		k.setTimer(l, gateShuts, at-k.kernel.Now())
	}
}

// isReady reports whether a pod that exists is Ready.
func (k *Kubelets) isReady(l *life) bool {
	return k.store.Pod(l.Key).Ready
}

// probeGate returns when the readiness probe notices that the condition holds or no longer holds: after
// successThreshold or failureThreshold ticks. If the kubelet does not follow the manifest, it notices at once that it
// holds, and that it does not after the default time of a probe.
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

// readinessProbe returns the first readiness probe of a pod and its ticker, nil if the kubelet knows none. It
// represents all readiness probes of the pod.
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

// warmUp notes that the application of a pod without a manifest is ready itself. The pod is Ready if the gate is
// open; otherwise the kubelet complains once.
func (k *Kubelets) warmUp(l *life) {
	l.gate.warm = true
	k.applyGate(l)
	switch when := l.times.When; {
	case l.gate.open:
	case when == nil:
		k.warn(l, "Unhealthy", "Readiness probe failed: the container lacks a file that the probe looks for")
	default:
		k.warn(l, "Unhealthy", l.Key.Name+" is not ready before this holds: "+when.Text)
	}
}

// moveGate opens or closes the gate of a pod.
func (k *Kubelets) moveGate(l *life, open bool) {
	l.gate.open = open
	k.applyGate(l)
}

// applyGate makes a pod Ready or not Ready if its gate decides that. It does nothing while a fault keeps the pod
// unready for a time (the timer heal), nor for a pod that is terminating.
func (k *Kubelets) applyGate(l *life) {
	pod := k.store.Pod(l.Key)
	if pod.Terminating() {
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

// unwatch stops evaluating the condition of the gate's pod, because the pod is gone or its containers have ended.
func (k *Kubelets) unwatch(l *life) {
	if l.gate != nil {
		k.gates.lives = slices.DeleteFunc(k.gates.lives, func(other *life) bool { return other == l })
	}
}
