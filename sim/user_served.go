package sim

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kubelet"
)

// The acts and queries of a session's server (package serve), in addition to what a step can do.

// UserOf returns the user of a world that is driven from outside. It may be asked at fixed points and by Config.Wrote;
// it acts only within a step.
func UserOf(w *World) *User { return &User{w} }

// DrawVersion returns a resource version for an object that only the server of a session has, later than all before it.
func (u *User) DrawVersion() uint64 { return u.w.store.DrawVersion() }

// Forgotten returns how many events of the timeline Config.NoHistory has dropped.
func (u *User) Forgotten() int { return u.w.kernel.Recorded() - len(u.w.Events()) }

// DeletePodWithin asks for a pod's deletion with a grace period other than the pod's own: the pod is gone when it
// is over, if it does not stop sooner. A pod that is being deleted accepts only a shorter one. With 0 it is
// DeletePod with force.
func (u *User) DeletePodWithin(key model.Key, grace time.Duration) *model.APIError {
	if grace == 0 {
		return u.DeletePod(key, true)
	}
	if err := u.write().DeletePodWithin(key, 0, grace); err != nil {
		return err
	}
	u.w.kubelet.Shorten(key)
	return nil
}

// ShutPod keeps a pod unready, or stops doing so, because of an act in its containers. Config.Wrote may call it,
// and also PinPod, LeavePod and RefusePod.
func (u *User) ShutPod(key model.Key, shut bool) bool {
	if shut {
		return u.w.kubelet.Unready(key, kubelet.Shut)
	}
	return u.w.kubelet.Unready(key, kubelet.Opened)
}

// PinPod binds a pod that waits to a node; see scheduler.Pin.
func (u *User) PinPod(pod *model.Pod, node string) { u.w.scheduler.Pin(pod.UID, node) }

// LeavePod leaves a waiting pod to another scheduler than the world's; see scheduler.Leave.
func (u *User) LeavePod(pod *model.Pod) { u.w.scheduler.Leave(pod.UID) }

// RefusePod lets the kubelet of a pod that has just been bound refuse it; see kubelet.End.
func (u *User) RefusePod(key model.Key, reason string) {
	u.w.kubelet.Finish(key, kubelet.End{Reason: reason, Refused: true})
}

// DeleteRevision deletes a revision.
func (u *User) DeleteRevision(key model.Key) *model.APIError { return u.write().DeleteRevision(key) }

// PodState returns a copy of a pod and what its kubelet knows about it, with times counted from now, and its
// address, "" if it has none.
func (u *User) PodState(pod *model.Pod) (PodState, string) {
	return statedPod(u.w, pod), u.w.audit.Address(pod)
}

// Nodes returns the nodes as their objects show them, in the times of the world.
func (u *User) Nodes() []NodeState {
	var list []NodeState
	for _, n := range u.w.nodes.States() {
		list = append(list, nodeState(n))
	}
	return list
}

// Services and Budgets return those that exist.
func (u *User) Services() []*model.Service { return u.w.dns.Services() }

// Budgets returns the PodDisruptionBudgets, the oldest first.
func (u *User) Budgets() []*model.Budget { return u.w.disruption.Budgets() }

// Version returns the resource version of the last write: two equal answers mean that nothing was written in between.
func (u *User) Version() uint64 { return u.w.store.Version() }
