package nodes

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Down stops the kubelet of a node. Its processes keep running, as after a network failure; with off they are dead,
// as after a power failure. It returns nil if there is no such node, or it is down already. Call Listen when its
// kubelet has stopped.
func (c *Controller) Down(name string, off bool) *Node {
	n := c.Node(name)
	if n == nil || n.Gone || n.Down {
		return nil
	}
	n.Down, n.Off = true, off
	message := n.Name + " is down: its kubelet does nothing, and its processes keep running"
	if off {
		message = n.Name + " is off: its kubelet does nothing, and its processes are dead"
	}
	c.Note(byKubelet, n, timeline.ReasonNodeDown, message)
	return n
}

// Listen makes the lifecycle controller wait for a sign of life from a node that is down. It is a call of its own
// because the kubelet of the node must be stopped between Down and Listen.
func (c *Controller) Listen(n *Node) {
	if !n.NotReady {
		n.monitor = c.kernel.At(c.kernel.Back(kernel.Nodes).Add(c.config.monitorGrace()), actor, event(monitor, n.Name))
	}
}

// Restart reports that the process of these controllers has died; the kernel knows when another one starts. That
// one knows only the objects: the silence of a node, and the toleration of a pod on a tainted node, count again
// from then on (tryUpdateNodeHealth and processPodOnNode upstream count from their own time).
func (c *Controller) Restart() {
	for _, n := range c.nodes {
		if n.monitor.Pending() {
			c.kernel.Cancel(n.monitor)
			c.Listen(n)
		}
		for _, pod := range c.PodsOn(n) {
			if c.evictions[pod.UID] != nil {
				c.dropEviction(pod.UID)
				c.evictLater(pod)
			}
		}
	}
}

// Up brings a node back. A node whose object was deleted registers itself. It returns nil if there is no such node,
// or it is up already; off reports whether its processes were dead. Call Balance when its kubelet continues.
func (c *Controller) Up(name string) (n *Node, off bool) {
	n = c.Node(name)
	if n == nil || !n.Gone && !n.Down {
		return nil, false
	}
	off = n.Off
	n.Down, n.Off, n.NotReady, n.Gone = false, false, false, false
	c.kernel.Cancel(n.monitor)
	c.untaint(n)
	c.Note(byKubelet, n, timeline.ReasonNodeUp, n.Name+" is back: its kubelet goes on")
	return n, off
}

// Cordon sets whether the scheduler may bind pods to a node. It returns false if that changes nothing.
func (c *Controller) Cordon(name string, cordoned bool) bool {
	n := c.Node(name)
	if n == nil || n.Gone || n.Cordoned == cordoned {
		return false
	}
	n.Cordoned = cordoned
	if cordoned {
		c.Note(byUser, n, timeline.ReasonCordoned, n.Name+" is cordoned: the scheduler binds no pod to it")
	} else {
		c.Note(byUser, n, timeline.ReasonUncordoned, n.Name+" is uncordoned: the scheduler binds pods to it again")
	}
	return true
}

// OutOfService puts the taint node.kubernetes.io/out-of-service:NoExecute on a node, or removes it. The pods of the
// node are deleted at once, and the pod garbage collector does not wait for a kubelet that is down. It returns false if
// that changes nothing.
func (c *Controller) OutOfService(name string, out bool) bool {
	n := c.Node(name)
	if n == nil || n.Gone || n.OutOfService == out {
		return false
	}
	n.OutOfService = out
	if !out {
		c.Note(byUser, n, timeline.ReasonInService, n.Name+" is in service again: the taint out-of-service is taken off")
		return true
	}
	c.Note(byUser, n, timeline.ReasonOutOfService, n.Name+" gets the taint node.kubernetes.io/out-of-service:NoExecute")
	for _, pod := range c.PodsOn(n) {
		c.store.As(byTaint).DeletePod(pod.Key(), pod.UID, false)
	}
	c.wantSweep()
	return true
}

// Delete deletes the object of a node. The pod garbage collector finds its pods orphaned and, after a quarantine,
// deletes them by force. It returns false if there is no such node.
func (c *Controller) Delete(name string) bool {
	n := c.Node(name)
	if n == nil || n.Gone {
		return false
	}
	c.untaint(n)
	c.kernel.Cancel(n.monitor)
	n.Gone = true
	c.Note(byUser, n, timeline.ReasonNodeDeleted, n.Name+" is deleted")
	c.kernel.At(c.nextSweep().Add(quarantine), actor, event(quarantined, n.Name))
	c.Balance()
	return true
}

// sweepInterval is the interval of the pod garbage collector (gcCheckPeriod). quarantine is how long it waits for a
// missing node to come back.
const (
	sweepInterval = 20 * time.Second
	quarantine    = 40 * time.Second
)

// doomed reports whether the pod garbage collector deletes a pod by force: it is terminating, and its node is not
// ready and out of service.
func (c *Controller) doomed(pod *model.Pod) bool {
	n := c.Node(pod.Node)
	return n != nil && !n.Gone && n.NotReady && n.OutOfService && !c.config.Rules.IgnoresOutOfService && pod.Terminating()
}

// wantSweep schedules the next round of the pod garbage collector, if it has something to do. It must be called
// whenever a pod on an out-of-service node may have started to terminate, or such a node has become not ready.
func (c *Controller) wantSweep() {
	if c.sweep.Pending() {
		return
	}
	for _, n := range c.nodes {
		if n.OutOfService && c.anyDoomed(n) {
			c.sweep = c.kernel.At(c.nextSweep(), actor, event(sweep, ""))
			return
		}
	}
}

// anyDoomed reports whether a round of the pod garbage collector would delete a pod of the node.
func (c *Controller) anyDoomed(n *Node) bool {
	for _, pod := range c.PodsOn(n) {
		if c.doomed(pod) {
			return true
		}
	}
	return false
}

// nextSweep returns the instant of the next round. Rounds come at multiples of the interval, counted from the start
// of the run; a round at this very instant has passed.
func (c *Controller) nextSweep() model.Time {
	now := c.kernel.Now()
	return now - now%model.Time(sweepInterval) + model.Time(sweepInterval)
}

// sweepPods is a round of the pod garbage collector for the nodes that are out of service; those that are missing have
// an event of their own (quarantined).
func (c *Controller) sweepPods() {
	for _, n := range c.nodes {
		if n.OutOfService {
			c.sweepNode(n, c.doomed)
		}
	}
}

// sweepNode deletes those pods of a node by force that which selects, as the pod garbage collector does. From 1.26 on
// a pod that is neither terminating nor ended is set to Failed first (KEP-3329).
func (c *Controller) sweepNode(n *Node, which func(*model.Pod) bool) {
	for _, pod := range c.PodsOn(n) {
		switch {
		case !which(pod):
		case pod.Terminating() || pod.Finished() || c.config.Rules.DeletesUnmarked:
			c.store.As(byGC).DeletePod(pod.Key(), pod.UID, true)
		default:
			c.markFailed(pod)
		}
	}
}

// markFailed sets a pod to Failed that the pod garbage collector is about to delete. A controller that deletes Failed
// pods itself is faster: its sync comes first (observed on 1.36.3).
func (c *Controller) markFailed(pod *model.Pod) {
	c.store.As(byGC).ChangePod(pod.Key(), func(p *model.Pod) { p.Phase, p.Ready = model.Failed, false })
	e := kernel.Event{Room: kernel.Nodes, Kind: remove, UID: pod.UID, Key: pod.Key()}
	c.kernel.At(c.kernel.Now(), kernel.AfterSyncs, e)
}
