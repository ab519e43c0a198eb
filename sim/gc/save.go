package gc

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved holds what the collector remembers. The objects that it will check are in the queue.
type Saved struct {
	looks map[model.UID]bool
	owned map[model.UID][]model.Key
}

// Save returns what the collector remembers.
func (c *Collector) Save() Saved { return Saved{keyed.Copy(c.looks), cloneOwned(c.owned)} }

// Load fills a new collector. It has no timers to keep: a check is never cancelled.
func (c *Collector) Load(s Saved) {
	c.looks, c.owned = keyed.Copy(s.looks), cloneOwned(s.owned)
}

// cloneOwned copies the lists too, since claims leave them in place.
func cloneOwned(lists map[model.UID][]model.Key) map[model.UID][]model.Key {
	clone := keyed.Copy(lists)
	for uid, list := range maps.All(lists) {
		clone[uid] = slices.Clone(list)
	}
	return clone
}

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
