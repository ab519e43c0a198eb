package explore

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// refused returns the refusals of the plain run, each as a sentence. Where the files are a change, and not a scenario
// that may mean to be refused, nothing of the change happens then, so a search that finds nothing says nothing of it.
func (x *Explorer) refused() []string {
	if !x.source.Change {
		return nil
	}
	var list []string
	outcome := x.scenario.Run(scenario.RunOptions{Interrupted: x.Interrupted})
	for i := range outcome.Timeline {
		if step := outcome.Timeline[i].Step; step != nil && step.Effect == timeline.Refused && step.ExpectedRefusal == "" {
			list = append(list, fmt.Sprintf("Kubernetes %s refuses the change: %s", x.scenario.Profile.Version(), step.Refusal))
		}
	}
	return list
}

// Refused returns the refusals of all parts, each once.
func (r *Report) Refused() []string {
	var list []string
	for _, part := range r.Parts {
		for _, text := range part.Refused {
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}
