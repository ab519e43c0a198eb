package nodes

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// actor is the actor of all events of nodes.
const actor = kernel.ByCluster

const (
	// taintInterval is the time between two nodes that are tainted in a mostly healthy zone (--node-eviction-rate 0.1),
	// slowTaintInterval that in a large unhealthy zone (--secondary-node-eviction-rate 0.01).
	taintInterval     = 10 * time.Second
	slowTaintInterval = 100 * time.Second
	// largeZone is the largest size of a zone that gets no taints while it is unhealthy
	// (--large-cluster-size-threshold).
	largeZone = 50
	// unhealthyNodes and unhealthyPercent define an unhealthy zone: more than that many nodes are not ready, and at least
	// that percentage of them (--unhealthy-zone-threshold 0.55).
	unhealthyNodes   = 2
	unhealthyPercent = 55
)

// zone is what the node lifecycle controller remembers of one zone. Nodes without a zone share the zone "". queue
// has the nodes that it will taint, in the order in which they became not ready, each once; a node that is back
// stays in it until pass skips it. next is the earliest instant for the next taint.
type zone struct {
	name  string
	queue []*Node
	next  model.Time `print:"left"`
	// pass is the timer for the next possible taint of a node in the queue.
	pass *kernel.Timer
}

// interval returns the time between two nodes of a zone that are tainted; 0 means that none is tainted. It depends on
// how many nodes of the zone are ready at this moment. A zone without any ready node is tainted at the normal rate;
// if no node of the cluster is ready, goDark decides.
func (c *Controller) interval(z *zone) time.Duration {
	ready, notReady := 0, 0
	for _, n := range c.nodes {
		switch {
		case n.Zone != z.name || n.Gone:
		case n.NotReady:
			notReady++
		default:
			ready++
		}
	}
	unhealthy := ready > 0 && notReady > unhealthyNodes && 100*notReady >= unhealthyPercent*(ready+notReady)
	switch {
	case !unhealthy:
		return taintInterval
	case ready+notReady > largeZone:
		return slowTaintInterval
	}
	return 0
}

// silent marks a node that has been silent for too long as not ready, and its pods with it, and queues it for a
// taint. It does not look at what the node's processes do: the controller cannot know.
func (c *Controller) silent(n *Node) {
	n.NotReady = true
	c.Note(byAPI, n, timeline.ReasonNodeNotReady,
		fmt.Sprintf("%s is NotReady: it has been silent for %s", n.Name, c.config.monitorGrace()))
	for _, pod := range c.PodsOn(n) {
		c.markUnready(pod)
	}
	c.Balance()
	c.wantSweep()
	c.silenced = true
}

// Silenced reports whether a node has become not ready since the last call. The world asks after each event,
// because the storage may then detach volumes by force; this room does not know the storage.
func (c *Controller) Silenced() bool {
	silenced := c.silenced
	c.silenced = false
	return silenced
}

// markUnready makes a pod not Ready, as the node lifecycle controller does for all pods of a node that is not
// ready. A terminating pod keeps its condition, since it serves no traffic anyway.
func (c *Controller) markUnready(pod *model.Pod) {
	if !pod.Ready || pod.Terminating() {
		return
	}
	c.store.As(byNode).ChangePod(pod.Key(), func(p *model.Pod) { p.Ready, p.ReadySince = false, c.kernel.Now() })
}

// Balance decides again which nodes may be tainted. It must be called whenever a node becomes ready or not ready,
// is added or is deleted. While all nodes are not ready, nothing is queued; when one is ready again, all others are
// queued again.
func (c *Controller) Balance() {
	dark := true
	for _, n := range c.nodes {
		dark = dark && (n.Gone || n.NotReady)
	}
	switch {
	case dark && !c.dark:
		c.goDark()
	case !dark && c.dark:
		c.dark = false
	}
	if dark {
		return
	}
	for _, n := range c.nodes {
		z := c.zones[n.Zone]
		if n.NotReady && !n.Gone && !n.Unreachable && !slices.Contains(z.queue, n) {
			z.queue = append(z.queue, n)
		}
	}
	for _, n := range c.nodes {
		if z := c.zones[n.Zone]; len(z.queue) > 0 {
			c.passLater(z)
		}
	}
}

// goDark stops all evictions and takes the taints off: if no node at all is ready, it is most likely the controller
// that is cut off (full disruption mode upstream).
func (c *Controller) goDark() {
	c.dark = true
	for _, n := range c.nodes {
		z := c.zones[n.Zone]
		z.queue = nil
		c.kernel.Cancel(z.pass)
		c.untaint(n)
	}
	c.kernel.Record(timeline.Entry{
		Kind: timeline.KindNode, Actor: timeline.APIServer, Reason: timeline.ReasonAllNodesDown,
		Message: "no node is ready: the node controller evicts nothing until one is",
	})
}

// passLater schedules the next taint of a zone. It comes after everything else at its instant, so that nodes which
// become silent together are seen together.
func (c *Controller) passLater(z *zone) {
	c.kernel.Cancel(z.pass)
	z.pass = c.kernel.At(max(c.kernel.Now(), z.next), actor, event(taint, z.name))
}

// pass taints the next node of a zone, if the zone's state allows it, and schedules the one after it. If it does not
// allow it, the queue stays and the next Balance tries again.
func (c *Controller) pass(z *zone) {
	interval := c.interval(z)
	z.queue = slices.DeleteFunc(z.queue, func(n *Node) bool { return n.Gone || !n.NotReady || n.Unreachable })
	if len(z.queue) == 0 || interval == 0 {
		return
	}
	c.taint(z.queue[0])
	z.queue = z.queue[1:]
	z.next = c.kernel.Now().Add(interval)
	if len(z.queue) > 0 {
		c.passLater(z)
	}
}

// taint puts the taint of a node that is not ready on it, with the effect NoExecute. Its pods are deleted when their
// toleration ends.
func (c *Controller) taint(n *Node) {
	n.Unreachable, n.tainted = true, c.kernel.Now()
	c.Note(byAPI, n, timeline.ReasonUnreachable, n.Name+" gets the taint "+n.Taint()+":NoExecute")
	for _, pod := range c.PodsOn(n) {
		c.evictLater(pod)
	}
}

// evictLater sets the timer for deleting a pod because of its node's taint; the toleration counts from this moment,
// or from the controller's return. A pod that tolerates the taint forever, or is terminating, gets no timer.
func (c *Controller) evictLater(pod *model.Pod) {
	tolerated := c.toleration(pod)
	if pod.Terminating() || tolerated == model.Forever {
		return
	}
	e := kernel.Event{Room: kernel.Nodes, Kind: evict, UID: pod.UID, Key: pod.Key()}
	keyed.Put(&c.evictions, pod.UID, c.kernel.At(c.kernel.Back(kernel.Nodes).Add(tolerated), actor, e))
}

// toleration returns how long a pod stays on its node, which is not ready: as its template says, else as the cluster
// does (the admission plugin DefaultTolerationSeconds).
func (c *Controller) toleration(pod *model.Pod) time.Duration {
	var own *time.Duration
	if t := pod.Template; t != nil {
		own = t.Unreachable
		if c.Node(pod.Node).Taint() == taintNotReady {
			own = t.NotReady
		}
	}
	switch {
	case own != nil:
		return *own
	case c.config.Toleration > 0:
		return c.config.Toleration
	}
	return DefaultToleration
}

// untaint removes the taint unreachable from a node, and cancels the evictions that followed from it. Pods that are
// terminating already stay so.
func (c *Controller) untaint(n *Node) {
	if !n.Unreachable {
		return
	}
	n.Unreachable = false
	for _, pod := range c.PodsOn(n) {
		c.dropEviction(pod.UID)
	}
}
