package kubelet

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// eventKind names what happens to a pod, to one of its containers, or to a process whose pod is gone.
type eventKind uint8

// The kinds. The order counts: those before crash happen to a pod, which has one timer for each of them; those from
// crash to restartedAll happen to one of its containers; strayEnds happens to a process without a pod. The zero value is
// start. The numbers are part of saved states and of fingerprints, nowhere else.
const (
	start eventKind = iota
	ready
	fail
	gone
	heal
	gateOpens
	gateShuts
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
	restartedAll
	strayEnds
	ruleEnds
)

var eventNames = [...]string{
	"start", "ready", "fail", "gone", "heal", "gate opens", "gate shuts",
	"crash", "give up", "restart", "pulled", "pull again", "completed", "startup passed", "startup failed",
	"readiness passed", "liveness failed", "killed", "restarted all", "stray ends", "rule ends",
}

// podEvents is the number of event kinds for a pod, containerEvents the number for a container; a container's
// timers start at index 0.
const (
	podEvents           = crash
	firstContainerEvent = crash
	containerEvents     = restartedAll + 1 - firstContainerEvent
)

// Happen carries out an event of the kubelets; only the kernel calls it. The object of the event exists: timers are
// cancelled when their pod or process ends. Readiness goes through the gate if the pod has one.
func (k *Kubelets) Happen(e kernel.Event) {
	kind := eventKind(e.Kind)
	switch kind {
	case strayEnds:
		k.endStray(k.stray(e.UID))
		return
	case ruleEnds:
		k.RemoveRule(e.Key.Name)
		return
	}
	l := k.lives[e.UID]
	switch {
	case kind >= firstContainerEvent:
		k.happenIn(l, l.container(int(e.N)), kind)
	case kind == gone:
		l.ended = true
		k.recordKilled(l)
		k.write().RemovePod(l.Key)
	case kind == start && l.manifest != nil:
		k.begin(l)
	case kind == ready && l.gate != nil:
		k.warmUp(l)
	case kind == heal && l.gate != nil:
		k.applyGate(l)
	case kind == gateOpens, kind == gateShuts:
		k.moveGate(l, kind == gateOpens)
	default:
		k.movePod(l, kind)
	}
}

// movePod moves a pod that is not terminating to its next state. It handles only pods without a manifest and
// without a gate; it panics for a kind that is not such a state, because another branch should have taken it.
func (k *Kubelets) movePod(l *life, to eventKind) {
	k.write().ChangePod(l.Key, func(p *model.Pod) {
		switch to {
		case start:
			p.Phase = model.Running
		case ready, heal:
			p.Ready, p.ReadySince = true, k.kernel.Now()
		case fail:
			p.Phase, p.Ready, p.ReadySince, p.Reason = model.Failed, false, k.kernel.Now(), l.times.Reason
		default:
			panic(fmt.Sprintf("kubelet: event %q moves no pod, but it came to %s", eventNames[to], l.Key))
		}
	})
}
