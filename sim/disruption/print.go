package disruption

import "github.com/statefulsim/statefulsim/sim/kernel"

// Print prints the budgets and the unfinished drains. The counts of a budget follow from the store, except while it
// is stale, or the controller is away.
func (c *Controller) Print(p *kernel.Print) {
	p.Int(len(c.budgets))
	for _, b := range c.budgets {
		p.Budget(b.spec)
		p.Bool(b.stale, b.unseen)
		if p.Present(b.stale || c.away()) {
			p.Int(int(b.told.Allowed))
			p.Int(int(b.told.Healthy))
			p.Int(int(b.told.Desired))
		}
	}
	p.Int(len(c.drains))
	for _, d := range c.drains {
		p.Text(d.node.Name)
		p.Int(d.total)
		p.Int(int(d.timeout))
		p.Int(len(d.pods))
		for _, pod := range d.pods {
			p.Key(pod.key)
			p.Key(pod.set)
			p.UID(pod.evicted)
			p.Refusal(pod.refused)
		}
	}
}
