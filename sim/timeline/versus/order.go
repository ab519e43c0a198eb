package versus

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// SameOrder says whether the same pods are created and deleted in the same order, whenever that is. Those of one
// moment are a batch: one by one is another order than all at once.
func SameOrder(a, b []timeline.Event) bool {
	return slices.EqualFunc(batches(a), batches(b), slices.Equal[[]string])
}

// batches lists which pods are created and deleted together.
func batches(events []timeline.Event) [][]string {
	var all [][]string
	for _, m := range Moments(events) {
		var batch []string
		for _, e := range m.Changes {
			if e.State == timeline.Pending || e.State == timeline.Terminating {
				batch = append(batch, e.Set.String()+" "+Entry(e))
			}
		}
		if len(batch) > 0 {
			all = append(all, batch)
		}
	}
	return all
}
