package gc

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim/kernel"
)

// Print prints the order in which the claims of each owner were added, which decides the order of their checks.
// Everything else that the collector knows follows from the store or is in the queue.
func (c *Collector) Print(p *kernel.Print) {
	if len(c.owned) == 0 {
		return
	}
	for _, claim := range c.store.Claims() {
		for i := range claim.Owners {
			p.Int(slices.Index(c.owned[claim.Owners[i].UID], claim.Key()))
		}
	}
}
