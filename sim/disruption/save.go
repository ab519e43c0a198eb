package disruption

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved is the budgets with their counts, and the unfinished drains. Load makes copies, so one Saved may begin many
// worlds.
type Saved struct {
	budgets []budget
	drains  []drain
	shared  map[model.UID]bool
}

// Save returns what the controller remembers.
func (c *Controller) Save() (s Saved) {
	s.shared = keyed.Copy(c.shared)
	for _, b := range c.budgets {
		s.budgets = append(s.budgets, *b)
		s.budgets[len(s.budgets)-1].owners = slices.Clone(b.owners)
	}
	for _, d := range c.drains {
		s.drains = append(s.drains, *d)
		s.drains[len(s.drains)-1].pods = copyOf(d.pods)
	}
	return s
}

// Load fills a new controller. The nodes are there already.
func (c *Controller) Load(s Saved) {
	c.shared = keyed.Copy(s.shared)
	for _, b := range s.budgets {
		b.owners = slices.Clone(b.owners)
		c.budgets = append(c.budgets, &b)
	}
	for _, d := range s.drains {
		d.node, d.pods, d.retry, d.limit = c.nodes.Node(d.node.Name), copyOf(d.pods), nil, nil
		c.drains = append(c.drains, &d)
	}
}

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
	case e.Kind == retry:
		d.retry = timer
	default:
		d.limit = timer
	}
}
