package report

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Kubectl words pods as `kubectl get pods` does. It is shown the events of a run, one after the other.
type Kubectl struct{ table watchTable }

// Row is what kubectl shows of a pod. Its AGE counts from Created.
type Row struct {
	Ready, Status string
	Created       model.Time
}

// NewKubectl returns a Kubectl that has seen nothing.
func NewKubectl() *Kubectl {
	return &Kubectl{watchTable{pods: map[model.Key]*watched{}, containers: map[madeOf]int{}}}
}

// See takes the next event, and returns the row of its pod where the event is a pod's change of state.
func (k *Kubectl) See(event *timeline.Event) (row Row, ok bool) {
	switch event.Kind {
	case timeline.KindStep:
		k.table.learn(event.Step)
	case timeline.KindPod:
		return k.pod(event), true
	}
	return Row{}, false
}

func (k *Kubectl) pod(event *timeline.Event) Row {
	key := model.Key{Namespace: event.Set.Namespace, Name: event.Pod}
	pod := k.table.pods[key]
	if pod == nil {
		pod = &watched{created: event.T, containers: max(1, k.table.containers[madeOf{event.Set, event.Template}])}
		k.table.pods[key] = pod
	}
	pod.enter(event)
	if event.State == timeline.Gone {
		delete(k.table.pods, key)
	}
	ready := 0
	if pod.ready {
		ready = pod.containers
	}
	return Row{Ready: fmt.Sprintf("%d/%d", ready, pod.containers), Status: clean(pod.status), Created: pod.created}
}
