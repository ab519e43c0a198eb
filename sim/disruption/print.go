package disruption

import "github.com/statefulsim/statefulsim/sim/kernel"

// Print prints the budgets and the drains. The counts of a budget follow from the store, and its status from the
// counts while it is due and the controller is there.
func (c *Controller) Print(p *kernel.Print) {
	p.Int(len(c.budgets))
	for _, b := range c.byAge() {
		p.Budget(b.spec)
		p.Bool(b.due, b.unseen, b.fresh)
		for _, n := range []int32{b.told.Allowed, b.told.Healthy, b.told.Desired, b.told.Expected} {
			p.Int(int(n))
		}
	}
	printDrains(p, c.drains)
	printDrains(p, c.failed)
}

// printDrains prints drains with their pods. Since when something is so is left out, and so are the timers.
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
