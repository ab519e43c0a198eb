package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// event is what the queue holds: something that will happen to a pod, or a sync that was put off.
type event struct {
	kind eventKind
	pod  *life
	set  model.Key
	// do, where it is given, is what happens: the work of a controller beside the StatefulSet's, a call, a fault.
	do func()
	// container is the one that it happens to, where it happens to one.
	container *container
}

type eventKind uint8

const (
	bind eventKind = iota
	start
	ready
	fail
	gone
	heal
	ripe
	gateOpens
	gateShuts
	requeue
	crash
	giveUp
	restart
	pulled
	pullAgain
	completed
	startupPassed
	startupFailed
	readinessPassed
	livenessFailed
	killed
)

// The events of a container.
const (
	firstContainerEvent = crash
	containerEvents     = killed + 1 - firstContainerEvent
)

// life is one life of a pod: from its creation until it is gone. Its timers die with what they would change.
type life struct {
	key model.Key
	uid model.UID
	// set is the set that the pod stands with. A bare one is not owned by it.
	set  model.Key
	bare bool
	nth  int
	// node is the node that the pod is bound to, or nil.
	node  *node
	times kubelet.Times
	// main is nil as long as nothing is to be remembered of the pod's container, boxes where the containers are not told
	// apart.
	main  *container
	boxes *boxes
	// gate is nil where the pod's readiness depends on no other.
	gate *gate
	// killed names the containers that do not stop by themselves when the pod is deleted.
	killed []string
	timers [requeue]*queue.Entry[event]
	// held are its timers while nobody looks after it.
	held []heldTimer
	// eviction is the timer at which its node's taint has it deleted.
	eviction *queue.Entry[event]
	// hung is true when its kubelet has forgotten it, ended when its kubelet has seen its processes end. silenced is true
	// where only the silence of its node has made it unready.
	hung, ended, silenced bool
}

// podLives are the lives of the pods that there are, and how many each name has had.
type podLives struct {
	byUID map[model.UID]*life
	nth   map[model.Key]int
}

func newPodLives() podLives {
	return podLives{byUID: map[model.UID]*life{}, nth: map[model.Key]int{}}
}

// dispatch lets an event happen.
func (w *World) dispatch(e *queue.Entry[event]) {
	if e.Payload.kind == requeue {
		w.work.Add(e.Payload.set)
		return
	}
	w.why = model.Why{}
	if e.Payload.do != nil {
		e.Payload.do()
		return
	}
	pod := e.Payload.pod
	switch e.Payload.kind {
	case bind:
		w.actor = timeline.Scheduler
		if w.schedulable(pod) {
			w.bindPod(pod)
		}
	case ripe:
		w.ripened++
		w.work.Add(pod.set)
		w.gates.again = true
	case gone:
		w.actor = timeline.Kubelet
		pod.ended = true
		w.tellKilled(pod)
		w.store.RemovePod(pod.key)
	default:
		w.actor = timeline.Kubelet
		switch {
		case e.Payload.kind >= firstContainerEvent:
			w.happenIn(&e.Payload)
		case e.Payload.kind == start && pod.boxes != nil:
			w.begin(pod)
		case e.Payload.kind == ready && pod.gate != nil:
			w.warmUp(pod)
		case e.Payload.kind == gateOpens, e.Payload.kind == gateShuts:
			w.moveGate(pod, e.Payload.kind == gateOpens)
		default:
			w.movePod(pod, e.Payload.kind)
		}
	}
}

// movePod moves a pod that is not terminating to its next state.
func (w *World) movePod(pod *life, to eventKind) {
	w.store.ChangePod(pod.key, func(p *model.Pod) {
		switch to {
		case start:
			p.Phase = model.Running
		case ready, heal:
			p.Ready, p.ReadySince = true, w.Now()
		case fail:
			p.Phase, p.Ready, p.ReadySince, p.Reason = model.Failed, false, w.Now(), pod.times.Reason
		}
	})
}

// born begins a life: it looks up how the pod will behave and sends it to the scheduler.
func (w *World) born(pod *model.Pod) *life {
	key := pod.Key()
	w.pods.nth[key]++
	l := &life{key: key, uid: pod.UID, nth: w.pods.nth[key]}
	l.set, l.bare = standsWith(pod)
	w.pods.byUID[pod.UID] = l
	l.times = w.timesOf(pod, l)
	w.after(l, bind, l.times.Schedule)
	return l
}

func (w *World) timesOf(pod *model.Pod, l *life) kubelet.Times {
	return w.config.Kubelet.For(w.subject(pod, l))
}

func (w *World) subject(pod *model.Pod, l *life) kubelet.Subject {
	return kubelet.Subject{Pod: pod, StatefulSet: l.set.Name, Nth: l.nth}
}

// after sets a timer of a pod. It is drawn now; one that never rings is not set.
func (w *World) after(l *life, kind eventKind, delay kubelet.Delay) {
	if delay == nil {
		return
	}
	ns, never := delay.Draw(w.chooser)
	if never {
		w.complain(l, kind)
		return
	}
	w.setTimer(l, kind, model.Time(ns))
}

// idle says whether that the pod becomes Ready changes nothing any more.
func (l *life) idle() bool { return l.main != nil && l.main.idle }

// complain tells why a pod does not get to its next state, where the scenario gives a reason: ImagePullBackOff, say.
func (w *World) complain(l *life, kind eventKind) {
	if l.times.Reason == "" || kind != start && kind != ready {
		return
	}
	missed := "Running"
	if kind == ready {
		missed = "Ready"
	}
	w.record(timeline.Event{
		Kind: timeline.KindK8sEvent, Actor: timeline.Kubelet, Set: l.set, Pod: l.key.Name, UID: l.uid, Warning: true,
		Reason: l.times.Reason, Message: l.key.Name + " does not become " + missed,
	})
}

func (w *World) cancel(l *life, kinds ...eventKind) {
	for _, kind := range kinds {
		w.disarm(l, &l.timers[kind])
	}
}

func (w *World) cancelAll(l *life) {
	for _, timer := range l.timers {
		w.queue.Cancel(timer)
	}
	for c := range l.containers {
		w.cancelIn(l, c)
	}
	w.queue.Cancel(l.eviction)
	l.held = nil
}

// neverMind keeps the containers of a pod that has become Ready from giving up.
func (w *World) neverMind(l *life) {
	for c := range l.containers {
		w.disarm(l, &c.timers[giveUp-firstContainerEvent])
	}
}

// follow sets and drops a pod's timers when its state has changed.
func (w *World) follow(l *life, old, pod *model.Pod) {
	switch {
	case pod.Terminating() && !old.Terminating():
		w.cancelAll(l)
		if pod.Node != "" && !pod.Finished() {
			w.stop(l, pod)
		}
		return
	case pod.Terminating():
		return
	case pod.Finished() && !old.Finished():
		w.unwatch(l)
		w.cancelAll(l)
		return
	}
	if pod.Node != "" && old.Node == "" {
		l.times = w.timesOf(pod, l)
		if w.attached(l, pod) {
			w.bound(l, pod)
		}
	}
	if pod.Phase == model.Running && old.Phase != model.Running {
		if len(w.cluster.strays) > 0 {
			w.countTwins(l.key, l.set)
		}
		if l.boxes == nil {
			w.started(l, pod)
		}
		w.after(l, fail, l.times.Fail)
	}
	if pod.Ready != old.Ready {
		if pod.Ready {
			w.neverMind(l)
		}
		w.cancel(l, ripe)
		w.ripenLater(l, pod)
	}
}

// ripenLater sets the timer at which a Ready pod becomes available, where minReadySeconds asks for more than its being
// Ready.
func (w *World) ripenLater(l *life, pod *model.Pod) {
	set := w.store.Set(l.set)
	if !pod.Ready || pod.Terminating() || set == nil || set.Spec.MinReadySeconds == 0 {
		return
	}
	if at := model.AvailableAt(pod, set.Spec.MinReadySeconds); at > w.Now() {
		l.timers[ripe] = w.queue.Schedule(at, byKubelet, false, event{kind: ripe, pod: l})
	}
}

// ripenAgain resets those timers of all the pods of a set whose minReadySeconds has changed.
func (w *World) ripenAgain(key model.Key) {
	for _, pod := range w.store.Pods() {
		if l := w.pods.byUID[pod.UID]; l.set == key {
			w.cancel(l, ripe)
			w.ripenLater(l, pod)
		}
	}
}

// died ends a life. Its process may live on.
func (w *World) died(l *life, pod *model.Pod) {
	w.unwatch(l)
	delete(w.pods.byUID, l.uid)
	w.outlived(l, pod)
	w.leaveVolumes(l, pod)
	w.cancelAll(l)
	if l.node != nil {
		l.node.pods--
	}
	for _, d := range slices.Clone(w.drains) {
		w.proceed(d)
	}
}
