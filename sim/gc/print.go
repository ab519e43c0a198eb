package gc

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim/kernel"
)

// Print prints in which order the claims of each owner have come. All else that the collector knows follows from the
// store, or stands in the queue.
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
