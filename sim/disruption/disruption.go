// Package disruption limits how many pods people take down at a time. It has the disruption controller, which counts
// the pods of each PodDisruptionBudget; the Eviction API, which asks the budgets; and kubectl drain, which uses the
// Eviction API. The StatefulSet controller never asks a budget: it deletes pods directly.
//
// Simplified: the disruption controller is never behind, except while kube-controller-manager restarts. Only the
// acts of a drain are events.
//
// Invariants: the counts of a budget always match the pods in the store, and its status follows them unless the
// controller is away or nothing has woken it; a node has at most one unfinished drain. Package sim calls it for
// users (Put, Evict, Drain), and Note at each fixed point; it asks package nodes, and writes nothing but deletions
// of pods and cordons.
package disruption

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Controller holds the budgets and the drains. SeePod must watch the store: it updates the counts of the budgets
// within each write of a pod.
type Controller struct {
	kernel *kernel.Kernel    `print:"-"`
	store  *store.Store      `print:"-"`
	log    *audit.Log        `print:"-"`
	nodes  *nodes.Controller `print:"-"`
	// budgets are the PodDisruptionBudgets in the order of their keys, drains the unfinished drains in the order in
	// which they started, at most one per node. failed are the drains that ended because evictions failed, in the
	// order in which they ended, until their nodes are drained again.
	budgets        []*budget
	drains, failed []*drain
	// selectors finds the budgets of a pod: all that are not uncounted. Those are budgets that have not counted their pods
	// yet. touched are those that Note has to look at. newest is the age of the newest budget that was ever there.
	selectors          keyed.Selectors[*budget] `print:"-"`
	uncounted, touched []*budget                `print:"-"`
	newest             int                      `print:"-"`
	// shared are the existing pods that a warning has named because several budgets select them.
	shared map[model.UID]bool `print:"-"`
	// found and uids are the memory of covering and status, which is used again.
	found []*budget   `print:"-"`
	uids  []model.UID `print:"-"`
}

// The kinds of events. retry: a drain asks again for the refused evictions. giveUp: the time of a drain is over.
// retryLast: the retry, after the other due events of its instant.
const (
	retry uint8 = iota
	giveUp
	retryLast
)

var eventNames = []string{"retry", "give up", "retry last"}

// byEviction is the actor of these writes: a user, through the Eviction API.
var byEviction = store.By{Actor: timeline.User, Reason: timeline.ReasonEvicted}

// New returns a controller without a budget, and takes over the events of the room.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, n *nodes.Controller) *Controller {
	c := &Controller{kernel: k, store: s, log: log, nodes: n}
	k.Handle(kernel.Disruption, eventNames, c)
	return c
}

// Happen carries out an event of a drain; only the kernel calls it. A drain's end cancels its timers.
func (c *Controller) Happen(e kernel.Event) {
	d := c.drainOf(e.Key.Name)
	switch {
	case e.Kind == giveUp:
		c.giveUp(d)
	case e.Kind == retry && c.mayStart(d):
		d.retry = c.kernel.Behind(c.kernel.Now(), kernel.ByCluster, d.event(retryLast))
	default:
		c.tryEvictions(d)
	}
}

// away reports whether the disruption controller is down at the moment, because kube-controller-manager restarts.
func (c *Controller) away() bool { return c.kernel.IsAway(kernel.Nodes) }

// Restart reports that kube-controller-manager is about to die. Until it is back, each budget keeps its present
// status, apart from what evictions take from it. It must be called before the kernel knows.
func (c *Controller) Restart() {
	c.Note()
	for _, b := range c.budgets {
		b.due = true
		c.touch(b)
	}
}

// SeePod is the watch of pods. It updates the counts of all budgets, and continues the drains when a pod is
// deleted. It writes nothing to the store: the next eviction of a drain comes with its retry. It costs O(budgets of
// the pod), and O(drained pods) when a pod is gone.
func (c *Controller) SeePod(change *store.Change) {
	c.recount(change.OldPod, change.Pod)
	if len(c.budgets) > 0 && !c.away() {
		c.wake(change)
	}
	if change.Pod == nil {
		delete(c.shared, change.OldPod.UID)
		for _, d := range slices.Clone(c.drains) {
			c.proceed(d, change.By.Why)
		}
	}
}
