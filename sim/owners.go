package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// ownership says how the controller of an object has changed with a write, 0 where it has not.
func (w *World) ownership(old, object *model.Meta) timeline.OwnerChange {
	before, after := old.Controller(), object.Controller()
	switch {
	case after != nil && (before == nil || before.UID != after.UID):
		return timeline.Adopted
	case before == nil || after != nil:
		return 0
	case w.why.Code == model.CodeRelease:
		return timeline.Released
	}
	return timeline.LeftBehind
}

// observeOwner records that a pod has another controller or none. A pod that its set has left behind still stands with
// it, since it most likely waits for the set's successor.
func (w *World) observeOwner(l *life, old, pod *model.Pod) {
	change := w.ownership(&old.Meta, &pod.Meta)
	if change == 0 {
		return
	}
	if change == timeline.Adopted {
		l.set, l.bare = ownerOf(&pod.Meta), false
	}
	e := w.podEvent(timeline.KindOwner, l, pod, stateOf(pod))
	e.Owned = &timeline.Owned{Change: change}
	w.record(e)
	l.bare = l.bare || change == timeline.Released
}

// stateOf returns the state that a pod is in.
func stateOf(pod *model.Pod) timeline.State {
	switch {
	case pod.Terminating():
		return timeline.Terminating
	case pod.Ready:
		return timeline.Ready
	}
	return phaseStates[pod.Phase]
}

// bareOf makes bare what an earlier set of the name has left, be it on purpose or until the collector comes, now that
// there is another one: from here on they are its own only if it adopts them.
func (w *World) bareOf(set *model.StatefulSet) {
	for _, pod := range w.store.Pods() {
		owner := pod.Controller()
		if l := w.pods.byUID[pod.UID]; l.set == set.Key() && (owner == nil || owner.UID != set.UID) {
			l.bare = true
		}
	}
}

// observeRevisionOwner records that a revision has another controller or none, and says whether it has.
func (w *World) observeRevisionOwner(old, revision *model.Revision) bool {
	change := w.ownership(&old.Meta, &revision.Meta)
	if change == 0 {
		return false
	}
	set := ownerOf(&revision.Meta)
	if change != timeline.Adopted {
		set = ownerOf(&old.Meta)
	}
	w.record(timeline.Event{
		Kind: timeline.KindOwner, Actor: w.actor, Set: set, Why: w.why,
		Template: revision.Template.ID, Revision: revision.Number,
		Owned: &timeline.Owned{Change: change, Revision: revision.Name},
	})
	return true
}

// standsWith returns the set that a new pod stands with: its owner or, for a bare pod, the one that it is named after.
func standsWith(pod *model.Pod) (set model.Key, bare bool) {
	if pod.Controller() != nil {
		return ownerOf(&pod.Meta), false
	}
	parent, _ := model.SplitPodName(pod.Name)
	return model.Key{Namespace: pod.Namespace, Name: parent}, true
}

// recordRepair tells that a pod has got its name or its pod-name label back.
func (w *World) recordRepair(l *life, pod *model.Pod) {
	w.record(timeline.Event{
		Kind: timeline.KindSync, Actor: w.actor, Set: l.set, Pod: pod.Name, UID: pod.UID, Why: w.why,
	})
}
