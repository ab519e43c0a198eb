package kubelet

import (
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Memory holds what is known of a pod of a start state in addition to its object. The zero value is right for a pod
// that is not bound.
type Memory struct {
	// Bound is the instant when the pod was bound to its node, Started the instant when it started to run, both
	// before now. They have no meaning before the pod reaches that stage. They show how much of a stage has passed
	// already.
	Bound, Started model.Time
	// Hung is true if its kubelet does not finish stopping it, although the node answers.
	Hung bool
	// Silenced is true if the pod is unready only because its node is silent.
	Silenced bool
	// Passed is the number of init containers that need not run again, counted from the first: they have completed
	// or, sidecars, started. It has no meaning for a Running pod, whose init containers have all passed.
	Passed int
	// Turned is the instant before now when the next init container started; now or 0 if it does not run, or if
	// that is not known.
	Turned model.Time
}

// Remember sets what is known of the pods of a start state, by uid. It is called before the pods are added; a pod
// without an entry is as if it were bound at 0.
func (k *Kubelets) Remember(memories map[model.UID]Memory) { k.memories = memories }

// Memory returns what is known of an existing pod.
func (k *Kubelets) Memory(pod model.UID) Memory {
	l := k.lives[pod]
	m := Memory{Bound: l.bound, Started: l.started, Hung: l.hung, Silenced: l.silenced, Turned: k.kernel.Now()}
	if l.manifest != nil {
		m.Passed = l.manifest.turn
		if c := l.manifest.next(); c.probed.regular() && c.state == isRunning {
			m.Turned = c.probed.run.Started
		}
	}
	return m
}

// meet begins the life of a pod, or continues the life of a pod in a start state: the timer of its present stage
// gets the drawn time of the stage minus the time that has passed. If more time has passed than was drawn, the
// stage ends at once.
func (k *Kubelets) meet(pod *model.Pod) {
	l := k.fresh.Next()
	*l = life{Life: k.log.Pod(pod.Key()), times: &unbound}
	keyed.Put(&k.lives, pod.UID, l)
	if pod.Node == "" {
		return
	}
	memory := k.memories[pod.UID]
	l.bound, l.started, l.hung, l.silenced = memory.Bound, memory.Started, memory.Hung, memory.Silenced
	l.node = k.nodes.Node(pod.Node)
	l.times = k.timesOf(pod, l)
	switch {
	case pod.Finished():
	case pod.Terminating():
		if k.behaviour.Probes != nil {
			k.unpack(l, pod)
			l.manifest.runs(pod.Phase, memory.Passed)
		}
		k.stop(l, pod)
		k.hasten(l, &l.timers[gone], pod.Deletion.At)
	case pod.Phase == model.Pending:
		k.bound(l, pod)
		l.recall(pod.Containers)
		for slot := range l.slots() {
			k.hasten(l, slot, l.bound)
		}
	default:
		k.takeUp(l, pod)
	}
}

// carryOn lets an init container that was running at the start state end in time, and reports whether there is one.
func (k *Kubelets) carryOn(l *life, c *container) bool {
	m := k.memories[l.UID]
	if m.Turned >= 0 {
		return false
	}
	for i := range c.timers {
		k.hasten(l, &c.timers[i], m.Turned)
	}
	m.Turned = 0
	k.memories[l.UID] = m
	return true
}

// recall notes how often the container that the status of a Pending pod is about has ended: an init container,
// which the others wait for. It starts its next run with the pod.
func (l *life) recall(status *model.Containers) {
	if l.manifest == nil || status == nil {
		return
	}
	c := l.named(status.Name)
	if c == nil {
		return
	}
	c.started, c.ended = status.Restarts, status.Restarts
	if strings.HasSuffix(status.Shown, shownCrashLoopBackOff) {
		c.ended++
	}
}

// takeUp continues a pod of a start state that is Running. A Ready pod needs no timer for that, and its gate is
// assumed to be open. Only the number of its crashes is known, not the back-off.
func (k *Kubelets) takeUp(l *life, pod *model.Pod) {
	k.watchOthers(l)
	if k.behaviour.Probes != nil {
		k.unpack(l, pod)
		k.takeUpManifest(l, pod)
		return
	}
	if pod.Containers != nil {
		c := l.app(pod)
		c.started, c.ended = pod.Containers.Restarts, pod.Containers.Restarts
	}
	switch {
	case pod.Ready && l.gate != nil:
		l.gate.warm, l.gate.holds, l.gate.open = true, true, true
	case !pod.Ready && !l.silenced:
		k.started(l, pod)
	}
	k.after(l, fail, l.times.Fail)
	for slot := range l.slots() {
		k.hasten(l, slot, l.started)
	}
}

// takeUpManifest assumes that the containers of a pod run and, if the pod is Ready, that they are ready. If it is not
// Ready, they are assumed to have just been started.
func (k *Kubelets) takeUpManifest(l *life, pod *model.Pod) {
	m := l.manifest
	m.pass(len(m.init))
	for _, c := range m.main {
		if pod.Ready {
			c.state = isRunning
			c.probed.up, c.probed.ready, c.probed.wasReady = true, true, true
			continue
		}
		k.run(l, c)
	}
	if !pod.Ready && m.ready() {
		k.scheduleIn(l, m.main[0], readinessPassed, k.kernel.Now())
	}
}

// pass notes that the first init containers have done their work: the sidecars among them run.
func (b *manifest) pass(passed int) {
	b.turn = min(passed, len(b.init))
	for _, c := range b.init[:b.turn] {
		c.state, c.probed.up = isDone, true
		if c.probed.spec.Sidecar {
			c.state, c.probed.ready = isRunning, true
		}
	}
}

// runs notes which containers of a pod that is being deleted have run until then: all of a pod that is Running, and of
// one that is Pending the next, and the sidecars before it.
func (b *manifest) runs(phase model.Phase, passed int) {
	if phase == model.Pending {
		b.pass(passed)
		b.next().state = isRunning
		return
	}
	b.pass(len(b.init))
	for _, c := range b.main {
		c.state = isRunning
	}
}

// hasten makes a timer expire earlier by the time that has passed since an instant, but not before now; a held
// timer has that much less left.
func (k *Kubelets) hasten(l *life, slot **kernel.Timer, since model.Time) {
	passed := k.kernel.Now() - since
	for i := range l.held {
		if h := &l.held[i]; h.slot == slot {
			h.left = max(0, h.left-passed)
		}
	}
	*slot = k.kernel.Hasten(*slot, time.Duration(passed))
}
