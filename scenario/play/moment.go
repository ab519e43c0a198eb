package play

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Moment is a cluster at one instant, as kubectl sees it. It changes as the run goes on: copy what you keep.
type Moment struct {
	timeline.Fold
	// Pods are all pods that there are, also those that no set owns. A pod that is gone is not in it.
	Pods map[model.Key]Pod
}

// Pod holds what commands that wait for a pod need to know about it.
type Pod struct {
	// UID tells two pods of one name apart; 0 is no pod.
	UID model.UID
	// Ready is the condition, Terminating whether it is being deleted.
	Ready, Terminating bool
	// Own is true if the Service of the StatefulSet selects the pod: a StatefulSet owns it, or was deleted without it. A
	// pod that only has the name of one of the set's pods is not its own, and neither is one that was released because its
	// labels no longer match.
	Own bool
}

// Serving says whether the pod is Ready and not Terminating, and one of the StatefulSet's own.
func (p Pod) Serving() bool { return p.Own && p.Ready && !p.Terminating }

// apply follows the timeline past an event.
func (m *Moment) apply(e *timeline.Event) {
	m.Fold.Apply(e)
	pods(m.Pods).apply(e)
}

// pods are the pods that there are, by their names.
type pods map[model.Key]Pod

// apply follows the timeline past an event.
func (ps pods) apply(e *timeline.Event) {
	if !ofPod(e) {
		return
	}
	key := model.Key{Namespace: e.Set.Namespace, Name: e.Pod}
	if pod, gone := ps[key].after(e); gone {
		delete(ps, key)
	} else {
		ps[key] = pod
	}
}

// ofPod says whether an event is about a pod: its state, or its owner.
func ofPod(e *timeline.Event) bool {
	return e.Kind == timeline.KindPod || e.Kind == timeline.KindOwner && e.Pod != ""
}

// after returns the pod after an event that is about it. Another UID is another pod, without a trace of the old one.
func (p Pod) after(e *timeline.Event) (pod Pod, gone bool) {
	if e.UID != 0 && p.UID != e.UID {
		p = Pod{UID: e.UID}
	}
	if e.Kind == timeline.KindOwner {
		p.Own = e.Owned.Change != timeline.Released
	} else if !e.Bare {
		p.Own = true
	}
	switch e.State {
	case timeline.Gone:
		return Pod{}, true
	case timeline.Ready:
		p.Ready = true
	case timeline.Unready, timeline.Failed, timeline.Succeeded:
		p.Ready = false
	case timeline.Terminating:
		p.Terminating = true
	}
	return p, false
}
