package manager

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
)

// A pod that is Ready for minReadySeconds is available. No write says so: who watches finds out by the clock.

// followPod sets and drops the timer at which a pod becomes available.
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

func (m *Manager) dropAvailable(pod model.UID) {
	if timer := m.available[pod]; timer != nil {
		m.kernel.Cancel(timer)
		delete(m.available, pod)
	}
}

// availableLater sets the timer at which a Ready pod becomes available, where minReadySeconds asks for more than its
// being Ready. It is a kubelet's in the order of an instant.
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
		m.available[pod.UID] = m.kernel.At(at, kernel.ByKubelet, e)
	}
}

// availableAgain sets those timers again of all the pods of a set whose minReadySeconds has changed.
func (m *Manager) availableAgain(key model.Key) {
	for _, pod := range m.store.Pods() {
		if m.log.Pod(pod.Key()).Set == key {
			m.dropAvailable(pod.UID)
			m.availableLater(pod)
		}
	}
}
