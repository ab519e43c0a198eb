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

// apply follows the timeline past an event. Another UID under a name is another pod, and nothing of the old one
// remains.
func (ps pods) apply(e *timeline.Event) {
	if e.Kind != timeline.KindPod && (e.Kind != timeline.KindOwner || e.Pod == "") {
		return
	}
	key := model.Key{Namespace: e.Set.Namespace, Name: e.Pod}
	pod := ps[key]
	if e.UID != 0 && pod.UID != e.UID {
		pod = Pod{UID: e.UID}
	}
	if e.Kind == timeline.KindOwner {
		pod.Own = e.Owned.Change != timeline.Released
	} else if !e.Bare {
		pod.Own = true
	}
	switch e.State {
	case timeline.Gone:
		delete(ps, key)
		return
	case timeline.Ready:
		pod.Ready = true
	case timeline.Unready, timeline.Failed, timeline.Succeeded:
		pod.Ready = false
	case timeline.Terminating:
		pod.Terminating = true
	}
	ps[key] = pod
}
