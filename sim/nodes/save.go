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

// Load fills a new controller, whatever nodes its configuration has. The nodes are copies, so a caller that holds a
// node of the old controller must look it up again by its name.
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

// Print prints the nodes, and what the lifecycle controller remembers of their zones. The evictions of pods are in
// the queue. If a round of the pod garbage collector may come, its time is printed, because it follows the clock and
// not an event. Labels, taints and allocatable never change, so they are left out.
func (c *Controller) Print(p *kernel.Print) {
	p.Bool(c.dark)
	p.Int(len(c.nodes))
	healthy := true
	for _, n := range c.nodes {
		p.Text(n.Name)
		p.Text(n.Zone)
		p.Bool(n.Down, n.Off, n.Gone, n.NotReady, n.Cordoned, n.OutOfService, n.Unreachable)
		healthy = healthy && !n.Down && !n.Gone && !n.NotReady && !n.OutOfService
	}
	if !healthy {
		p.Time(c.nextSweep())
	}
	rules := &c.config.Rules
	p.Int(int(rules.MonitorGrace))
	p.Bool(rules.IgnoresOutOfService, rules.IgnoresUnhealthyPolicy, rules.IgnoresSidecars, rules.UpdatesAllBudgets,
		rules.CountsEmptySpread)
	p.Bool(rules.NamesTaints, rules.SaysTolerate, rules.SaysConflict, rules.HopesForRoom)
	for _, n := range c.nodes {
		z := c.zones[n.Zone]
		p.Left(z.next)
		p.Int(len(z.queue))
		for _, waits := range z.queue {
			p.Text(waits.Name)
		}
	}
}
