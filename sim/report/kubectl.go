package report

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Kubectl words pods as `kubectl get pods` does. It is shown the events of a run, one after the other.
type Kubectl struct{ table watchTable }

// Row is what kubectl shows of a pod. Its AGE counts from Created.
type Row struct {
	Ready, Status string
	Restarts      int
	Created       model.Time
}

// NewKubectl returns a Kubectl that has seen nothing.
func NewKubectl() *Kubectl {
	return &Kubectl{watchTable{pods: map[model.Key]*watched{}, containers: map[madeOf]int{}}}
}

// See takes the next event, and returns the row of its pod where kubectl shows something new of one.
func (k *Kubectl) See(event *timeline.Event) (row Row, ok bool) {
	switch event.Kind {
	case timeline.KindStep:
		k.table.learn(event.Step)
	case timeline.KindPod, timeline.KindContainer, timeline.KindK8sEvent, timeline.KindOwner:
		if pod := k.table.see(event); pod != nil {
			return Row{
				Ready: pod.readyOf(), Status: page.Visible(pod.status), Restarts: pod.restarts(), Created: pod.created,
			}, true
		}
	}
	return Row{}, false
}
