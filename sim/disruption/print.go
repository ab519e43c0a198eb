package disruption

import "github.com/statefulsim/statefulsim/sim/kernel"

// Print prints the budgets and the drains. The counts of a budget follow from the store, except while it
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
	printDrains(p, c.drains)
	printDrains(p, c.failed)
}

func printDrains(p *kernel.Print, drains []*drain) {
	p.Int(len(drains))
	for _, d := range drains {
		p.Text(d.node.Name)
		p.Int(d.total)
		p.Int(int(d.timeout))
		for _, pods := range [][]*drained{d.pods, d.failed} {
			p.Int(len(pods))
			for _, pod := range pods {
				p.Key(pod.key)
				p.Key(pod.set)
				p.UID(pod.evicted)
				p.Refusal(pod.refused)
			}
		}
	}
}
