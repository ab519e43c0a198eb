// Package nodes is the nodes of the cluster and the controllers that watch over them: the node lifecycle controller,
// which finds nodes silent and taints them, the taint eviction, which deletes their pods, and the pod garbage
// collector.
//
// The lifecycle controller sees time, not the truth: a node that is silent is not ready, whatever its processes do.
// So a Node has two sides: Down and Off are the truth, which only the kubelets know; the other fields are its
// object, and the control plane knows only these.
//
// Simplified: the node's last sign of life is the instant when it went down (really up to 10s before), and the
// controller looks all the time (really every 5s).
//
// Invariants: a pod has an eviction only if its node is Unreachable, and a node is Unreachable only if it is
// NotReady; no node is tainted while none is ready.
//
// The scheduler, the storage, the disruption controller and the kubelets ask it about nodes. Package sim calls what
// users and faults do to nodes, and Silenced after each event. It calls no room, and writes only what its controllers
// do to pods.
package nodes

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Node is a node and what is known of it. The state of its kubelet and the state of its object may differ. Other
// packages may read and keep it, since a node lives as long as the world, but not change it.
type Node struct {
	Spec
	// Down is true while its kubelet is stopped; Off is true if its processes are dead too. Off implies Down.
	Down, Off bool
	// Gone is true from the deletion of its object until its kubelet registers it again (Up).
	Gone bool
	// NotReady is true while its object says that it is not ready: from MonitorGrace after Down until Up.
	NotReady bool
	// Cordoned is spec.unschedulable, OutOfService the taint that a user sets. Unreachable is true while it has the taint
	// that evicts its pods, whichever Taint says.
	Cordoned, OutOfService, Unreachable bool

	// tainted is the time of that taint.
	tainted model.Time `print:"-"`
	// monitor is the timer for the moment when the node has been silent for too long.
	monitor *kernel.Timer
}

// Schedulable reports whether the scheduler may bind a pod to the node. It uses only what the API server knows: a
// node that has just gone down still gets pods.
func (n *Node) Schedulable() bool {
	return !n.Gone && !n.NotReady && !n.Cordoned && !n.OutOfService
}

// The taints that the node lifecycle controller uses to evict the pods of a node that is not ready.
const (
	taintNotReady    = "node.kubernetes.io/not-ready"
	taintUnreachable = "node.kubernetes.io/unreachable"
)

// Taint returns the taint of a node that is not ready: whether its kubelet says so itself, or is silent.
func (n *Node) Taint() string {
	if n.Down {
		return taintUnreachable
	}
	return taintNotReady
}

// Controller holds the nodes and the controllers that watch over them. Only it changes a Node.
type Controller struct {
	kernel *kernel.Kernel `print:"-"`
	store  *store.Store   `print:"-"`
	config Config         `print:"-"`
	// nodes are in the order of the configuration. None is ever removed: a node whose object is deleted is Gone.
	nodes []*Node
	// zones has the zone of every node.
	zones map[string]*zone
	// dark is true while no node at all is ready. No node is tainted then, no zone has a queue, and nothing is evicted.
	dark bool
	// sweep is the next round of the pod garbage collector; nil or expired if it has nothing to do. Rounds that would
	// find nothing are left out, so that they keep no run open.
	sweep *kernel.Timer `print:"-"`
	// evictions are the timers for deleting pods because of their node's taint. Their pods exist, are not
	// terminating, and are on a node that is Unreachable.
	evictions map[model.UID]*kernel.Timer `print:"-"`
	// silenced is true if a node has become not ready since Silenced was last called.
	silenced bool `print:"-"`
}

// The kinds of events. monitor: a node has been silent for too long. taint: a zone's next node may be tainted. evict:
// a pod does not tolerate its node any longer. sweep: a round of the pod garbage collector, for nodes that are out of
// service. quarantined: a node has been missing for long enough that its pods are deleted. remove: the pod garbage
// collector deletes a pod that it has made Failed.
const (
	monitor uint8 = iota
	taint
	evict
	sweep
	quarantined
	remove
)

var eventNames = []string{"monitor", "taint", "evict", "sweep", "quarantined", "remove"}

// New returns the nodes of a configuration, all of them up and ready, and takes over the events of the room.
func New(k *kernel.Kernel, s *store.Store, config Config) *Controller {
	c := &Controller{
		kernel: k, store: s, config: config,
		zones: map[string]*zone{},
	}
	specs := config.Specs()
	all := make([]Node, len(specs))
	c.nodes = make([]*Node, len(specs))
	for i, spec := range specs {
		all[i].Spec = spec
		c.nodes[i] = &all[i]
		if c.zones[spec.Zone] == nil {
			c.zones[spec.Zone] = &zone{name: spec.Zone}
		}
	}
	k.Handle(kernel.Nodes, eventNames, c)
	return c
}

// Happen carries out an event of the room. Only the kernel calls it.
func (c *Controller) Happen(e kernel.Event) {
	switch e.Kind {
	case monitor:
		if n := c.Node(e.Key.Name); n.Down {
			c.silent(n)
		}
	case taint:
		c.pass(c.zones[e.Key.Name])
	case evict:
		if c.evictions[e.UID] != nil {
			c.store.As(byTaint).DeletePod(e.Key, e.UID, false)
		}
		c.wantSweep()
	case sweep:
		c.sweepPods()
	case quarantined:
		if n := c.Node(e.Key.Name); n.Gone {
			c.sweepNode(n, func(*model.Pod) bool { return true })
		}
	case remove:
		c.store.As(byGC).DeletePod(e.Key, e.UID, true)
	}
}

// The actors here, with their reasons.
var (
	byAPI   = store.By{Actor: timeline.APIServer}
	byTaint = store.By{Actor: timeline.APIServer, Reason: timeline.ReasonTaintEviction}
	byGC    = store.By{Actor: timeline.APIServer, Reason: timeline.ReasonPodGC}
	byNode  = store.By{Actor: timeline.APIServer, Reason: timeline.ReasonNodeNotReady}
	// byKubelet is for writes of the node itself, byUser for writes of people.
	byKubelet = store.By{Actor: timeline.Kubelet}
	byUser    = store.By{Actor: timeline.User}
)

// event returns an event about a node, or about a zone.
func event(kind uint8, name string) kernel.Event {
	return kernel.Event{Room: kernel.Nodes, Kind: kind, Key: model.Key{Name: name}}
}

// All returns the nodes in their order, including deleted ones.
func (c *Controller) All() []*Node { return c.nodes }

// Node returns the node with a name, nil if there never was one. It is found by a search: O(nodes).
func (c *Controller) Node(name string) *Node {
	for _, n := range c.nodes {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Rules returns the rules of the version of the control plane.
func (c *Controller) Rules() *Rules { return &c.config.Rules }

// SetRules sets the rules of another version of the control plane, as an upgrade does. Pods that only the new version
// deletes are found by the next round of the pod garbage collector.
func (c *Controller) SetRules(rules Rules) {
	c.config.Rules = rules
	c.wantSweep()
}

// PodsOn returns the pods that are bound to a node, in the order of their keys. It looks at all pods; the slice is
// new, so the caller may delete pods while iterating.
func (c *Controller) PodsOn(n *Node) []*model.Pod {
	var on []*model.Pod
	for _, pod := range c.store.Pods() {
		if pod.Node == n.Name {
			on = append(on, pod)
		}
	}
	return on
}

// Note puts the state of a node into the timeline, as it is when Note is called: change the node first.
func (c *Controller) Note(by store.By, n *Node, reason, message string) {
	c.kernel.Record(timeline.Entry{
		Kind: timeline.KindNode, Actor: by.Actor, Node: n.Name, Why: by.Why, Reason: reason, Message: message,
		NodeState: &timeline.Node{
			Zone: n.Zone, Up: !n.Down, Ready: !n.NotReady, Cordoned: n.Cordoned,
			OutOfService: n.OutOfService, Unreachable: n.Unreachable, Deleted: n.Gone,
		},
	})
}

// State is the state of a node at one moment, as its object shows it.
type State struct {
	Spec
	// Down is true if its kubelet is silent.
	Down bool
	// NotReady, Cordoned, OutOfService and Unreachable are what its object says: the condition Ready, spec.unschedulable,
	// and the taints out-of-service and unreachable, or not-ready. Tainted is when one of the last two was added.
	NotReady, Cordoned, OutOfService, Unreachable bool
	Tainted                                       model.Time
}

// Put sets the state of a node of a start state. Call GoOn when all nodes and pods exist.
func (c *Controller) Put(by store.By, state State) {
	n := c.Node(state.Name)
	n.Down, n.NotReady = state.Down, state.NotReady
	n.Cordoned, n.OutOfService, n.Unreachable = state.Cordoned, state.OutOfService, state.Unreachable
	n.tainted = state.Tainted
	c.Note(by, n, "", "")
}

// GoOn continues what the controllers had started, after Put.
func (c *Controller) GoOn() {
	c.Balance()
	c.wantSweep()
}

// States returns the existing nodes as their objects show them, in order. A node that has just gone down appears to
// be up.
func (c *Controller) States() []State {
	var states []State
	for _, n := range c.nodes {
		if !n.Gone {
			states = append(states, State{
				Spec: n.Spec, Down: n.Down && n.NotReady, NotReady: n.NotReady, Cordoned: n.Cordoned,
				OutOfService: n.OutOfService, Unreachable: n.Unreachable, Tainted: n.tainted,
			})
		}
	}
	return states
}

// SeePod drops the eviction of a pod that is deleted, or has ended, and sets the eviction of a pod of a start
// state.
func (c *Controller) SeePod(change *store.Change) {
	if change.OldPod == nil {
		c.meet(change.Pod)
		return
	}
	if len(c.evictions) == 0 {
		return
	}
	pod := change.Pod
	if pod != nil && pod.Terminating() == change.OldPod.Terminating() && pod.Finished() == change.OldPod.Finished() {
		return
	}
	c.dropEviction(change.OldPod.UID)
}

// meet sets the eviction of a pod of a start state; the toleration has counted since the taint came.
func (c *Controller) meet(pod *model.Pod) {
	if n := c.Node(pod.Node); n != nil && n.Unreachable && !pod.Terminating() {
		c.evictLater(pod)
		keyed.Put(&c.evictions, pod.UID, c.kernel.Hasten(c.evictions[pod.UID], c.kernel.Now().Sub(n.tainted)))
	}
}

// dropEviction cancels the eviction of a pod, if it has one.
func (c *Controller) dropEviction(pod model.UID) {
	c.kernel.Cancel(c.evictions[pod])
	delete(c.evictions, pod)
}
