package plan

import (
	"fmt"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// mostFailingNames is the number of sets that the line of a failed requirement names.
const mostFailingNames = 3

// Failing returns a line for each requirement that fails: which it is, the sets, and what came instead. It is in the
// order of the sets; one that fails in the same way for several is one line.
func (plan *Plan) Failing() []string {
	var order []Requirement
	sets := map[Requirement][]string{}
	for _, list := range [][]*Set{plan.Sets, plan.NotAtRest} {
		for _, s := range list {
			for _, r := range s.Requirements {
				if r.Held {
					continue
				}
				if sets[*r] == nil {
					order = append(order, *r)
				}
				sets[*r] = append(sets[*r], s.key.String())
			}
		}
	}
	var lines []string
	for _, r := range order {
		lines = append(lines, fmt.Sprintf("FAILED: %s of %s: %s (%s)", r.Text, render.List(sets[r], mostFailingNames), r.Got,
			r.Source))
	}
	return lines
}
