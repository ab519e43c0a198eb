package storage

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved holds what is known about claims, and the volumes that are still attached to a node whose pods do not need
// them. Timers in it are not used: Load sets them to nil, and the kernel hands them to keep.
type Saved struct {
	claims      map[model.UID]claim
	terminating int
	held        map[model.Key]attachment
}

// Save returns what the storage remembers. Lists of blocked pods are shared but clipped: appending copies.
func (c *Controller) Save() Saved {
	s := Saved{terminating: c.terminating}
	if len(c.claims) > 0 {
		s.claims = make(map[model.UID]claim, len(c.claims))
	}
	for uid, of := range maps.All(c.claims) {
		s.claims[uid] = *of
	}
	for _, key := range c.heldKeys() {
		a := *c.held[key]
		if s.held == nil {
			s.held = map[model.Key]attachment{}
		}
		a.blocked = slices.Clip(a.blocked)
		s.held[key] = a
	}
	return s
}

// Load fills a new storage. The store, the lives of the claims and the nodes are there already.
func (c *Controller) Load(s Saved) {
	c.terminating = s.terminating
	for uid, saved := range maps.All(s.claims) {
		keyed.Put(&c.claims, uid, &claim{
			Life: c.log.Claim(saved.Key), times: saved.times, sought: saved.sought, reach: saved.reach,
		})
	}
	for key, a := range maps.All(s.held) {
		a.node, a.timeout = c.nodes.Node(a.node.Name), nil
		keyed.Put(&c.held, key, &a)
	}
}

// Keep takes a timer. Only the kernel calls it.
func (c *Controller) Keep(e kernel.Event, timer *kernel.Timer) {
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

// Print prints the claims, in the order of the store, and the volumes that are still attached to a node whose pods
// do not need them. The timers are in the kernel's queue.
func (c *Controller) Print(p *kernel.Print) {
	for _, stored := range c.store.Claims() {
		l := c.claims[stored.UID]
		l.Life.Print(p)
		p.Delay(l.times.Bind)
		p.Delay(l.times.Release)
		p.Text(string(l.times.Mode))
		p.Bool(l.sought)
		p.Text(l.reach)
	}
	p.Int(len(c.held))
	for _, key := range c.heldKeys() {
		a := c.held[key]
		p.Key(key)
		p.Text(a.node.Name)
		p.UID(a.pod)
		p.Left(a.since.Add(forceDetach))
		p.Bool(a.runs)
		p.Int(len(a.blocked))
		for _, b := range a.blocked {
			p.Key(b.key)
			p.UID(b.uid)
		}
	}
}
