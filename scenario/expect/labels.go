package expect

import (
	"maps"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Labelling is what a step, a fault or a dump makes of the labels of a pod. A timeline does not have it, so only those
// who have the scenario know the labels of the pods that no set owns.
type Labelling struct {
	// Step and Fault are the number of the step, or of the fault, that does it. Both are 0 for a pod of a dump.
	Step, Fault int
	Pod         model.Key
	// New says that the pod is created, so that these are all of its labels.
	New bool
	// Labels are those that the pod gets, Removed the keys of those that it loses.
	Labels  map[string]string
	Removed []string
}

// labelled is a labelling in a run: after the event at the index, which is -1 if it holds from the beginning.
type labelled struct {
	*Labelling
	index int
	at    model.Time
}

// labellings are those of a run, by the pod, in the order in which they happened.
type labellings map[model.Key][]labelled

// labellings finds out which of the labellings happened in the run, and when. A fault may act several times.
func (r *run) labellings(all []Labelling) labellings {
	byPod, steps, faults := labellings{}, map[int]*Labelling{}, map[int]*Labelling{}
	for i := range all {
		switch l := &all[i]; {
		case l.Step > 0:
			steps[l.Step] = l
		case l.Fault > 0:
			faults[l.Fault] = l
		default:
			byPod[l.Pod] = append(byPod[l.Pod], labelled{l, -1, 0})
		}
	}
	for i := range r.events {
		var l *Labelling
		switch e := &r.events[i]; {
		case e.Step != nil && e.Step.Effect.Changes():
			l = steps[e.Step.Number]
		case e.Fault != nil && e.Fault.Effect.Changes():
			l = faults[e.Fault.Number]
		}
		if l != nil {
			byPod[l.Pod] = append(byPod[l.Pod], labelled{l, i, r.events[i].T})
		}
	}
	return byPod
}

// of returns the labels of a pod after the first events of the run. What was done to an earlier pod of its name does
// not matter.
func (l labellings) of(set *timeline.Set, p *timeline.Pod, events int) map[string]string {
	labels := set.Labels(p)
	for _, change := range l[model.Key{Namespace: set.Key.Namespace, Name: p.Name}] {
		if change.index >= events || change.at < p.Created {
			continue
		}
		if change.New {
			clear(labels)
		}
		maps.Copy(labels, change.Labels)
		for _, name := range change.Removed {
			delete(labels, name)
		}
	}
	return labels
}
