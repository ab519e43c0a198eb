// Package storage models claims and their volumes: the binder gives a claim its volume, the protection controller
// keeps a deleted claim while a pod uses it, and the attach-detach controller prevents the use of a volume on two
// nodes.
package storage

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Controller is the actor that looks after claims and volumes.
type Controller struct {
	kernel *kernel.Kernel    `print:"-"`
	store  *store.Store      `print:"-"`
	log    *audit.Log        `print:"-"`
	nodes  *nodes.Controller `print:"-"`
	config Config            `print:"-"`

	claims map[model.UID]*claim
	// terminating counts the claims that are being deleted: while there is none no pod has to be looked at.
	terminating int
	// held are the volumes that are still attached to a node on which no pod needs them any more, by their claims.
	held map[model.Key]*attachment
	// due is true when the time of a forced detach has come and Settle has not been called since.
	due bool `print:"-"`
}

// The events: a claim gets its volume; one that is deleted loses its protection; a volume is detached by force.
const (
	bind uint8 = iota
	release
	detach
)

var eventNames = []string{"bind", "release", "detach"}

// byBinder is the actor of these writes.
var byBinder = store.By{Actor: timeline.APIServer}

// New returns the storage of an empty cluster.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, n *nodes.Controller, config Config) *Controller {
	c := &Controller{
		kernel: k, store: s, log: log, nodes: n, config: config,
		claims: map[model.UID]*claim{}, held: map[model.Key]*attachment{},
	}
	k.Handle(kernel.Storage, eventNames, c.happen)
	k.Keep(kernel.Storage, c.keep)
	return c
}

func (c *Controller) happen(e kernel.Event) {
	switch e.Kind {
	case bind:
		if stored := c.store.Claim(e.Key); stored != nil && stored.UID == e.UID && !stored.Terminating() {
			c.store.As(byBinder).BindClaim(e.Key)
		}
	case release:
		if stored := c.store.Claim(e.Key); stored != nil && stored.UID == e.UID && !c.store.InUse(e.Key) {
			c.store.As(byBinder).RemoveClaim(e.Key)
		}
	case detach:
		c.due = true
	}
}
