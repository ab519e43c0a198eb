package gc

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Saved holds what the collector remembers. The objects that it will check are in the queue.
type Saved struct {
	looks map[model.UID]bool
	owned map[model.UID][]model.Key
}

// Save returns what the collector remembers.
func (c *Collector) Save() Saved { return Saved{maps.Clone(c.looks), cloneOwned(c.owned)} }

// Load fills a new collector.
func (c *Collector) Load(s Saved) { c.looks, c.owned = maps.Clone(s.looks), cloneOwned(s.owned) }

func cloneOwned(lists map[model.UID][]model.Key) map[model.UID][]model.Key {
	clone := maps.Clone(lists)
	for _, uid := range slices.Collect(maps.Keys(lists)) {
		clone[uid] = slices.Clone(lists[uid])
	}
	return clone
}
