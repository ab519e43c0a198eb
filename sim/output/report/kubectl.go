package report

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Kubectl words pods as `kubectl get pods` does. It is shown the events of a run, one after the other, from the first
// on: it keeps the state of all pods.
type Kubectl struct{ table watchTable }

// Row is the line that kubectl shows for a pod. Its AGE counts from Created. Status is safe to print.
type Row struct {
	Ready, Status string
	Restarts      int
	Created       model.Time
}

// NewKubectl returns a Kubectl that has seen nothing.
func NewKubectl() *Kubectl { return &Kubectl{watchTable{words: map[model.Key]string{}}} }

// See takes the next event, and returns the row of its pod where kubectl shows something new of one. When a pod is
// gone, it returns its last row once more, as kubectl does.
func (k *Kubectl) See(event *timeline.Event) (row Row, ok bool) {
	pod, key := k.table.see(event)
	if pod == nil {
		return Row{}, false
	}
	return Row{
		Ready: k.table.ready(event, pod), Status: render.Visible(k.table.words[key]), Restarts: pod.Restarts,
		Created: pod.Created,
	}, true
}
