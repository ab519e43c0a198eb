package nodes

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved holds the nodes and what the controllers that watch over them remember.
type Saved struct {
	nodes []Node
	zones []savedZone
	dark  bool
	rules Rules
}

// savedZone is a zone, with its nodes by their names: pointers would be into the old world.
type savedZone struct {
	name  string
	queue []string
	next  model.Time
}

// Save returns all that is known of the nodes.
func (c *Controller) Save() Saved {
	s := Saved{dark: c.dark, rules: c.config.Rules}
	for _, n := range c.nodes {
		node := *n
		node.monitor = nil
		s.nodes = append(s.nodes, node)
	}
	for _, name := range slices.Sorted(maps.Keys(c.zones)) {
		z := savedZone{name: name, next: c.zones[name].next}
		for _, n := range c.zones[name].queue {
			z.queue = append(z.queue, n.Name)
		}
		s.zones = append(s.zones, z)
	}
	return s
}

// Load fills a new controller, whatever nodes its configuration has. The nodes are copies, so whoever holds a node of
// the old controller must look it up again by its name.
func (c *Controller) Load(s Saved) {
	c.nodes, c.dark, c.config.Rules = c.nodes[:0], s.dark, s.rules
	clear(c.zones)
	all := slices.Clone(s.nodes)
	for i := range all {
		c.nodes = append(c.nodes, &all[i])
	}
	for i := range s.zones {
		z := &zone{name: s.zones[i].name, next: s.zones[i].next}
		for _, name := range s.zones[i].queue {
			z.queue = append(z.queue, c.Node(name))
		}
		c.zones[z.name] = z
	}
}

// Keep takes a timer. Only the kernel calls it.
func (c *Controller) Keep(e kernel.Event, timer *kernel.Timer) {
	switch e.Kind {
	case monitor:
		c.Node(e.Key.Name).monitor = timer
	case taint:
		c.zones[e.Key.Name].pass = timer
	case evict:
		keyed.Put(&c.evictions, e.UID, timer)
	case sweep:
		c.sweep = timer
	}
}
