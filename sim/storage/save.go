package storage

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// Saved holds what is known of claims, and the volumes that are still attached to a node on which no pod needs them.
type Saved struct {
	claims      map[model.UID]claim
	terminating int
	held        map[model.Key]attachment
}

// Save returns what the storage remembers.
func (c *Controller) Save() Saved {
	s := Saved{claims: map[model.UID]claim{}, terminating: c.terminating, held: map[model.Key]attachment{}}
	for _, uid := range slices.Collect(maps.Keys(c.claims)) {
		s.claims[uid] = *c.claims[uid]
	}
	for _, key := range c.heldKeys() {
		a := *c.held[key]
		a.blocked = slices.Clip(a.blocked)
		s.held[key] = a
	}
	return s
}

// Load fills a new storage. The store, the lives of the claims and the nodes are there already.
func (c *Controller) Load(s Saved) {
	c.terminating = s.terminating
	for _, uid := range slices.Collect(maps.Keys(s.claims)) {
		saved := s.claims[uid]
		c.claims[uid] = &claim{Life: c.log.Claim(saved.Key), times: saved.times, sought: saved.sought, reach: saved.reach}
	}
	for _, key := range slices.Collect(maps.Keys(s.held)) {
		a := s.held[key]
		a.node, a.timeout = c.nodes.Node(a.node.Name), nil
		c.held[key] = &a
	}
}

// keep takes a timer.
func (c *Controller) keep(e kernel.Event, timer *kernel.Timer) {
	switch l, known := c.claims[e.UID]; {
	case e.Kind == detach:
		if a := c.held[e.Key]; a != nil {
			a.timeout = timer
		}
	case !known:
	case e.Kind == bind:
		l.binding = timer
	default:
		l.release = timer
	}
}
