package sim

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
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

// The kinds. Those before requeue happen to a pod, which has one timer for each of them; those from crash on happen to
// one of its containers.
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

// The events of a container, in whose timers they stand from 0.
const (
	firstContainerEvent = crash
	containerEvents     = killed + 1 - firstContainerEvent
)

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
	switch pod := e.Payload.pod; e.Payload.kind {
	case bind:
		w.actor = timeline.Scheduler
		if w.schedulable(pod) {
			w.bindPod(pod)
		}
	case ripe:
		w.ripened++
		w.work.Add(pod.set)
		w.gates.again = true
	default:
		w.actor = timeline.Kubelet
		w.happenTo(pod, &e.Payload)
	}
}

// happenTo lets happen to a pod what its kubelet does.
func (w *World) happenTo(pod *life, e *event) {
	switch {
	case e.kind >= firstContainerEvent:
		w.happenIn(e)
	case e.kind == gone:
		pod.ended = true
		w.tellKilled(pod)
		w.store.RemovePod(pod.key)
	case e.kind == start && pod.boxes != nil:
		w.begin(pod)
	case e.kind == ready && pod.gate != nil:
		w.warmUp(pod)
	case e.kind == heal && pod.gate != nil:
		w.applyGate(pod)
	case e.kind == gateOpens, e.kind == gateShuts:
		w.moveGate(pod, e.kind == gateOpens)
	default:
		w.movePod(pod, e.kind)
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
		default:
			panic(fmt.Sprintf("sim: event %d moves no pod, but it came to %s", to, pod.key))
		}
	})
}
