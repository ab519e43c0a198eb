// Package disruption is what keeps people from taking too many pods away at a time: the disruption controller, which
// counts the pods of each PodDisruptionBudget, the Eviction API, which asks it, and kubectl drain, which asks that.
package disruption

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Controller is the budgets and the drains.
type Controller struct {
	kernel *kernel.Kernel    `print:"-"`
	store  *store.Store      `print:"-"`
	log    *audit.Log        `print:"-"`
	nodes  *nodes.Controller `print:"-"`
	// budgets are the PodDisruptionBudgets in the order of their keys, drains those that go on.
	budgets []*budget
	drains  []*drain
	// shared are the pods of which it has been told that several budgets cover them.
	shared map[model.UID]bool `print:"-"`
}

// The events: a drain asks again for what was refused, and its time is over.
const (
	retry uint8 = iota
	giveUp
)

var eventNames = []string{"retry", "give up"}

// byEviction is who acts here: a user, through the Eviction API.
var byEviction = store.By{Actor: timeline.User, Reason: timeline.ReasonEvicted}

// New returns a cluster without a budget.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, n *nodes.Controller) *Controller {
	c := &Controller{kernel: k, store: s, log: log, nodes: n, shared: map[model.UID]bool{}}
	k.Handle(kernel.Disruption, eventNames, c.happen)
	k.Keep(kernel.Disruption, c.keep)
	return c
}

func (c *Controller) happen(e kernel.Event) {
	d := c.drainOf(e.Key.Name)
	switch e.Kind {
	case retry:
		c.tryEvictions(d)
	case giveUp:
		c.giveUp(d)
	}
}

// SeePod keeps the counts of all budgets, and goes on with the drains when a pod is gone.
func (c *Controller) SeePod(change *store.Change) {
	for _, b := range c.budgets {
		if change.OldPod != nil {
			b.count(change.OldPod, -1)
		}
		if change.Pod != nil {
			b.count(change.Pod, 1)
		}
	}
	if len(c.budgets) > 0 {
		c.choose(cmp.Or(change.Pod, change.OldPod))
	}
	if change.Pod == nil {
		delete(c.shared, change.OldPod.UID)
		for _, d := range slices.Clone(c.drains) {
			c.proceed(d, change.By.Why)
		}
	}
}
