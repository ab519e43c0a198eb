// Package storage models claims and their volumes: the binder gives a claim its volume, the protection controller
// keeps a deleted claim while a pod uses it, and the attach-detach controller prevents the use of a volume on two
// nodes.
//
// Invariants: every claim of the store has exactly one life here; terminating is the number of claims that are being
// deleted; a volume is held for at most one node, and no pod on that node uses it. This room never starts a pod: it
// returns the pods that may start, and the caller starts them, so it need not know the kubelets.
//
// The scheduler asks it as scheduler.Claims, and the kubelets tell it of pods as kubelet.Volumes. Package sim calls
// Settle.
package storage

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Controller is the three controllers that look after claims and volumes. SeeClaim and SeePod must watch the store.
type Controller struct {
	kernel *kernel.Kernel    `print:"-"`
	store  *store.Store      `print:"-"`
	log    *audit.Log        `print:"-"`
	nodes  *nodes.Controller `print:"-"`
	config Config            `print:"-"`

	// claims has the life of each claim in the store, by its uid.
	claims map[model.UID]*claim
	// terminating counts the claims that are being deleted. While it is 0, the end of a pod concerns no claim.
	terminating int
	// held are the volumes that are still attached to a node whose pods do not need them any more, by their claims.
	held map[model.Key]*attachment
	// due is true when the time of a forced detach has come and Settle has not been called since.
	due bool `print:"-"`
}

// The kinds of events. bind: a claim gets its volume. release: a deleted claim loses its protection, and is gone.
// detach: the time of a forced detach has come.
const (
	bind uint8 = iota
	release
	detach
)

var eventNames = []string{"bind", "release", "detach"}

// byBinder is the actor of these writes: they belong to the control plane, and no StatefulSet asks for them.
var byBinder = store.By{Actor: timeline.APIServer}

// New returns the storage of an empty cluster, and takes over the events of the room.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, n *nodes.Controller, config Config) *Controller {
	c := &Controller{
		kernel: k, store: s, log: log, nodes: n, config: config,
	}
	k.Handle(kernel.Storage, eventNames, c)
	return c
}

// Happen carries out an event; only the kernel calls it. The claim may be gone, replaced or in use again by then,
// so each event checks again.
func (c *Controller) Happen(e kernel.Event) {
	switch e.Kind {
	case bind:
		if stored := c.store.Claim(e.Key); stored != nil && stored.UID == e.UID && !stored.Terminating() {
			c.store.As(byBinder).BindClaim(e.Key)
		}
	case release:
		if stored := c.store.Claim(e.Key); stored != nil && stored.UID == e.UID && !c.store.InUse(e.Key) &&
			len(stored.Finalizers) <= 1 {
			c.store.As(byBinder).RemoveClaim(e.Key)
		}
	case detach:
		c.due = true
	}
}
