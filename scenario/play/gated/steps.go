package gated

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// OfStep is what a tool says of a set that a step has written, until the next step that writes the set: a tool that has
// not ended by then never ends.
type OfStep struct {
	// Step is the number of the step, Namespace and StatefulSet are those of the set.
	Step        int    `json:"step"`
	Namespace   string `json:"namespace"`
	StatefulSet string `json:"statefulset"`
	*Answer
}

// OfSteps plays the tools on each step of a run that writes a set, in their order.
func OfSteps(events []timeline.Event, gates []*gate.Gate) []*OfStep {
	var list []*OfStep
	for i := range events {
		step := events[i].Step
		if step == nil {
			continue
		}
		for _, set := range step.Sets {
			for _, a := range between(events, i, next(events, i, set.Key()), set.Key(), gates) {
				list = append(list, &OfStep{step.Number, set.Namespace, set.Name, a})
			}
		}
	}
	return list
}

// next returns the index of the next step that writes or removes a set, the number of all events if there is none.
func next(events []timeline.Event, at int, key model.Key) int {
	for i := at + 1; i < len(events); i++ {
		step := events[i].Step
		if step != nil && (slices.Contains(step.Removed, key) ||
			slices.ContainsFunc(step.Sets, func(set *model.StatefulSet) bool { return set.Key() == key })) {
			return i
		}
	}
	return len(events)
}
