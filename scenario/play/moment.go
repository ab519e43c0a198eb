package play

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Moment is a cluster at one instant, as kubectl sees it.
type Moment struct {
	timeline.Fold
	// Pods are all pods that there are, also those that no set owns.
	Pods map[model.Key]Pod
}

// Pod is what commands that wait for a pod ask about it.
type Pod struct {
	UID model.UID
	// Ready is the condition, Terminating whether it is being deleted.
	Ready, Terminating bool
}

// Serving says whether the pod is Ready and not Terminating.
func (p Pod) Serving() bool { return p.Ready && !p.Terminating }

func (m *Moment) apply(e *timeline.Event) {
	m.Fold.Apply(e)
	if e.Kind != timeline.KindPod {
		return
	}
	key := model.Key{Namespace: e.Set.Namespace, Name: e.Pod}
	pod := m.Pods[key]
	if e.UID != 0 && pod.UID != e.UID {
		pod = Pod{UID: e.UID}
	}
	switch e.State {
	case timeline.Gone:
		delete(m.Pods, key)
		return
	case timeline.Ready:
		pod.Ready = true
	case timeline.Unready, timeline.Failed, timeline.Succeeded:
		pod.Ready = false
	case timeline.Terminating:
		pod.Terminating = true
	}
	m.Pods[key] = pod
}
