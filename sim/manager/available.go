package manager

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
)

// A pod that is Ready for minReadySeconds is available. No write marks that moment: observers find out by the
// clock.

// followPod sets and drops the timer for a pod to become available. It relies on the pod's set being in the log by
// then: the record watches pods before the manager does. A pod whose readiness does not change keeps its timer, so
// other writes of the pod cost one comparison.
func (m *Manager) followPod(change *store.Change) {
	pod, old := change.Pod, change.OldPod
	if old == nil {
		m.availableLater(pod)
		return
	}
	over := pod == nil || pod.Terminating() || pod.Finished()
	if !over && pod.Ready == old.Ready {
		return
	}
	m.dropAvailable(old.UID)
	if !over {
		m.availableLater(pod)
	}
}

// dropAvailable cancels a pod's timer, if it has one. The key is the uid: the next pod has its own.
func (m *Manager) dropAvailable(pod model.UID) {
	if timer := m.available[pod]; timer != nil {
		m.kernel.Cancel(timer)
		delete(m.available, pod)
	}
}

// availableLater sets the timer for a Ready pod to become available, if its set has minReadySeconds. The pod must
// not have a timer yet. The actor is the kubelet, because the timer marks the end of a stage of the pod's life, not
// an act of the controller.
//
// Upstream has no such event: there a delayed sync (requeue in package statefulset) finds the pod available. The
// timer exists so that the world knows that something is still going to change.
func (m *Manager) availableLater(pod *model.Pod) {
	if !pod.Ready || pod.Terminating() {
		return
	}
	set := m.store.Set(m.log.Pod(pod.Key()).Set)
	if set == nil || set.Spec.MinReadySeconds == 0 {
		return
	}
	if at := model.AvailableAt(pod, set.Spec.MinReadySeconds); at > m.kernel.Now() {
		e := kernel.Event{Room: kernel.Manager, Kind: becomeAvailable, UID: pod.UID, Key: pod.Key()}
		keyed.Put(&m.available, pod.UID, m.kernel.At(at, kernel.ByKubelet, e))
	}
}

// availableAgain sets the timers of all pods of a set again, after a change of its minReadySeconds.
func (m *Manager) availableAgain(set model.Key) {
	for _, key := range m.log.PodsOf(set) {
		pod := m.store.Pod(key)
		m.dropAvailable(pod.UID)
		m.availableLater(pod)
	}
}
