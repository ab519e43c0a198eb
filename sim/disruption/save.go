package disruption

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved is the budgets with their counts, and the unfinished and failed drains. Load makes copies, so one Saved may
// start many worlds.
type Saved struct {
	budgets        []budget
	drains, failed []drain
	shared         map[model.UID]bool
}

// Save returns what the controller remembers.
func (c *Controller) Save() (s Saved) {
	c.countNew()
	s.shared = keyed.Copy(c.shared)
	for _, b := range c.budgets {
		s.budgets = append(s.budgets, *b.copied())
	}
	s.drains, s.failed = saved(c.drains), saved(c.failed)
	return s
}

// copied returns a copy of a budget that shares nothing that changes.
func (b *budget) copied() *budget {
	one := *b
	one.owners, one.without = keyed.Copy(b.owners), b.without.copied()
	return &one
}

// saved returns copies of drains.
func saved(drains []*drain) []drain {
	var list []drain
	for _, d := range drains {
		one := *d
		one.pods, one.failed = copyOf(d.pods), copyOf(d.failed)
		list = append(list, one)
	}
	return list
}

// Load fills a new controller. The nodes are there already.
func (c *Controller) Load(s Saved) {
	c.shared = keyed.Copy(s.shared)
	for _, b := range s.budgets {
		one := b.copied()
		c.budgets = append(c.budgets, one)
		if b.touched {
			c.touched = append(c.touched, one)
		}
	}
	for _, b := range c.byAge() {
		c.newest = b.age
		if b.spec.Selects != nil {
			c.selectors.Add(b.spec.Namespace, b.spec.Selects, b)
		}
	}
	c.drains, c.failed = c.loaded(s.drains), c.loaded(s.failed)
}

// loaded returns drains of this world; their timers come with Keep.
func (c *Controller) loaded(drains []drain) []*drain {
	var list []*drain
	for _, d := range drains {
		d.node, d.retry, d.limit = c.nodes.Node(d.node.Name), nil, nil
		d.pods, d.failed = copyOf(d.pods), copyOf(d.failed)
		list = append(list, &d)
	}
	return list
}

// copyOf returns copies of the pods of a drain, which change while the drain continues.
func copyOf(pods []*drained) []*drained {
	copies := make([]*drained, len(pods))
	for i, pod := range pods {
		p := *pod
		copies[i] = &p
	}
	return copies
}

// Keep takes a timer. Only the kernel calls it.
func (c *Controller) Keep(e kernel.Event, timer *kernel.Timer) {
	switch d := c.drainOf(e.Key.Name); {
	case d == nil:
	case e.Kind == giveUp:
		d.limit = timer
	default:
		d.retry = timer
	}
}

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
