package sim

import (
	"github.com/statefulsim/statefulsim/model"
)

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
