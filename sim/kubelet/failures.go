package kubelet

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// What happens to pods from outside: a scenario, or a fault, says so.

// End is the end of a pod: its phase, Failed or Succeeded, and the reason for it.
type End struct {
	Phase  model.Phase
	Reason string
	// Refused says that the kubelet of a pod that has just been bound refuses it, as it does for a host port that is
	// taken: the pod starts no container and is Failed a second later.
	Refused bool
}

// Finish ends a pod that is not terminating: an eviction under pressure, say. It returns false, and does nothing, if
// there is no such pod or it has ended already. Whether its node is up does not matter. A pod may be refused within the
// write that binds it.
func (k *Kubelets) Finish(key model.Key, end End) bool {
	pod := k.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Finished() {
		return false
	}
	if end.Refused {
		l := k.lives[pod.UID]
		times := *l.times
		times.Reason, l.times = end.Reason, &times
		k.cancelAll(l)
		k.setTimer(l, fail, model.Time(time.Second))
		return true
	}
	k.write().ChangePod(key, func(p *model.Pod) {
		p.Phase, p.Ready, p.ReadySince, p.Reason = end.Phase, false, k.kernel.Now(), end.Reason
	})
	return true
}

// Unready makes a Ready pod that is not terminating not Ready, for the time given or, if that is 0, until something
// else makes it Ready. A crash or a deletion within that time cancels the end of it. It returns false if there is no
// such pod. With Shut or Opened the pod may be in any state.
func (k *Kubelets) Unready(key model.Key, d time.Duration) bool {
	pod := k.store.Pod(key)
	switch {
	case pod != nil && (d == Shut || d == Opened):
		k.shut(pod, d == Shut)
		return true
	case pod == nil || pod.Terminating() || !pod.Ready:
		return false
	}
	k.write().ChangePod(key, func(p *model.Pod) { p.Ready, p.ReadySince = false, k.kernel.Now() })
	if d > 0 {
		k.setTimer(k.lives[pod.UID], heal, model.Time(d))
	}
	return true
}

// Crash says how a container ends.
type Crash struct {
	// Container is its name; "" is the pod's first container. Others are only known if the kubelet follows the manifest.
	Container string
	// Word is the status that kubectl shows for it; "" means Error.
	Word string
	// Again is the time after each restart until the container ends once more; nil means never. Times is the total number
	// of ends; 0 means for ever.
	Again behaviour.Delay
	Times int
}

// Crash ends a container of a pod that runs: the pod stays Running and is not Ready until the kubelet has started the
// container again. It returns false if there is no such pod, or its container does not run. It changes the
// container's own times, so that Again and Times hold for the rest of the pod's life.
func (k *Kubelets) Crash(key model.Key, how Crash) bool {
	pod := k.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Phase != model.Running {
		return false
	}
	l := k.lives[pod.UID]
	c := l.app(pod)
	if how.Container != "" {
		c = l.named(how.Container)
	}
	if c == nil || c.state != isRunning {
		return false
	}
	c.times.Reason = how.Word
	if how.Again != nil {
		c.times.Crash, c.times.Crashes = how.Again, 0
		if how.Times > 0 {
			c.times.Crashes = c.ended + how.Times
		}
	}
	k.crashed(l, c, c.times.ErrorWord(), "container "+c.name+" ended with an error")
	return true
}
