package storage

import "github.com/statefulsim/statefulsim/sim/kernel"

// Print prints the claims, in the order of the store, and the volumes that are still attached to a node on which no
// pod needs them. The timers are in the kernel's queue.
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
