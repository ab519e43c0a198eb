package nodes

import "github.com/statefulsim/statefulsim/sim/kernel"

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
	p.Bool(rules.IgnoresOutOfService, rules.IgnoresUnhealthyPolicy, rules.IgnoresSidecars)
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
