package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Cluster is what the world has beside the API server and the StatefulSet controller: its nodes, and the times of those
// who watch over them. The zero value is three nodes with the times of the newest Kubernetes.
type Cluster struct {
	// Nodes are the nodes in their order; none is node-1, node-2 and node-3.
	Nodes []Node
	// MonitorGrace is how long a node may be silent before it counts as not ready (--node-monitor-grace-period); 0 is the
	// version's default.
	MonitorGrace time.Duration
	// Toleration is how long a pod stays on a node that does not answer before it is deleted, where the pod says nothing;
	// 0 is DefaultToleration.
	Toleration time.Duration
	// Rules are what the version of the control plane decides.
	Rules NodeRules
}

// NodeRules is how a version of the control plane watches over nodes. The zero value is the newest.
type NodeRules struct {
	// MonitorGrace is the default of Cluster.MonitorGrace; 0 is DefaultMonitorGrace.
	MonitorGrace time.Duration
	// IgnoresOutOfService is true where the taint out-of-service has no effect on pods and volumes that are deleted
	// already (before 1.26, KEP-2268).
	IgnoresOutOfService bool
	// IgnoresUnhealthyPolicy is true where unhealthyPodEvictionPolicy of a budget is not obeyed (before 1.27, KEP-3017).
	IgnoresUnhealthyPolicy bool
	// IgnoresSidecars is true where the API server drops the restartPolicy of init containers, so that the others wait for
	// what never ends (before 1.29, KEP-753).
	IgnoresSidecars bool
}

// Node is a node of the cluster.
type Node struct{ Name, Zone string }

// The times of those who watch over nodes.
const (
	// DefaultMonitorGrace is the default of --node-monitor-grace-period from 1.32 (PR 126287); before it was 40s.
	DefaultMonitorGrace = 50 * time.Second
	// DefaultToleration is what the admission plugin DefaultTolerationSeconds gives every pod for the taints not-ready and
	// unreachable.
	DefaultToleration = 300 * time.Second
)

func (c Cluster) nodes() []Node {
	if len(c.Nodes) > 0 {
		return c.Nodes
	}
	return []Node{{Name: "node-1"}, {Name: "node-2"}, {Name: "node-3"}}
}

// node is a node and what is known of it. What its kubelet does and what the API server says of it are two things.
type node struct {
	name, zone string
	// pods counts the pods that are bound to it.
	pods int

	// down is true while its kubelet does nothing, and off where its processes are dead too.
	down, off bool
	// gone is true when its object has been deleted.
	gone bool
	// notReady is true while its object says that it is not ready. The scheduler avoids it then.
	notReady bool
	// cordoned is spec.unschedulable, outOfService the taint of that name, unreachable the taint that evicts its pods.
	cordoned, outOfService, unreachable bool

	// monitor rings when the node has been silent for too long.
	monitor *queue.Entry[event]
}

// takes says whether the scheduler may bind a pod to the node. It knows no more of it than the API server does.
func (n *node) takes() bool {
	return !n.gone && !n.notReady && !n.cordoned && !n.outOfService
}

// cluster is the nodes and what they carry beside pods.
type cluster struct {
	nodes []*node
	// waiting are the pods that no node takes, in the order in which they came.
	waiting []*life
	zones   map[string]*zone
	// dark is true while no node at all is ready.
	dark bool
	// sweep is the next round of the pod garbage collector, where it has something to do.
	sweep  *queue.Entry[event]
	strays []*stray
	twins  map[model.Key]model.Time
	held   map[model.Key]*attachment
}

func newCluster(config Cluster) cluster {
	c := cluster{zones: map[string]*zone{}, twins: map[model.Key]model.Time{}, held: map[model.Key]*attachment{}}
	for _, n := range config.nodes() {
		c.nodes = append(c.nodes, &node{name: n.Name, zone: n.Zone})
		if c.zones[n.Zone] == nil {
			c.zones[n.Zone] = &zone{name: n.Zone}
		}
	}
	return c
}

func (c *cluster) node(name string) *node {
	for _, n := range c.nodes {
		if n.name == name {
			return n
		}
	}
	return nil
}

// bindPod puts a pod on the node that has the fewest, of those that take pods. Where none does the pod waits.
func (w *World) bindPod(l *life) {
	var least *node
	for _, n := range w.cluster.nodes {
		if n.takes() && (least == nil || n.pods < least.pods) {
			least = n
		}
	}
	if least == nil {
		w.unschedulable(l)
		return
	}
	least.pods++
	l.node = least
	w.store.ChangePod(l.key, func(p *model.Pod) { p.Node = least.name })
}

// unschedulable lets a pod wait for a node.
func (w *World) unschedulable(l *life) {
	w.cluster.waiting = append(w.cluster.waiting, l)
	w.failedScheduling(l, w.cluster.refusals())
}

// failedScheduling tells why a pod is bound to no node, in the scheduler's words.
func (w *World) failedScheduling(l *life, why string) {
	nodes := 0
	for _, n := range w.cluster.nodes {
		if !n.gone {
			nodes++
		}
	}
	message := "no nodes available to schedule pods"
	if nodes > 0 {
		message = fmt.Sprintf("0/%d nodes are available: %s.", nodes, why)
	}
	w.record(timeline.Event{
		Kind: timeline.KindK8sEvent, Actor: timeline.Scheduler, Set: l.set, Pod: l.key.Name, UID: l.uid, Warning: true,
		Reason: timeline.ReasonFailedScheduling, Message: message,
	})
}

// refusals says why no node takes a pod.
func (c *cluster) refusals() string {
	counts := map[string]int{}
	for _, n := range c.nodes {
		switch {
		case n.gone:
		case n.cordoned:
			counts["were unschedulable"]++
		case n.notReady || n.outOfService:
			counts["had untolerated taint(s)"]++
		}
	}
	var list []string
	for _, why := range []string{"had untolerated taint(s)", "were unschedulable"} {
		if n := counts[why]; n > 0 {
			list = append(list, fmt.Sprintf("%d node(s) %s", n, why))
		}
	}
	return strings.Join(list, ", ")
}

// reschedule tries the pods that wait for a node again, as the scheduler does when a node changes. Its back-off is not
// modelled: it is over long before.
func (w *World) reschedule() {
	if !slices.ContainsFunc(w.cluster.nodes, (*node).takes) {
		return
	}
	waiting := w.cluster.waiting
	w.cluster.waiting = nil
	for _, l := range waiting {
		if w.pods.byUID[l.uid] == l {
			w.after(l, bind, l.times.Schedule)
		}
	}
}

// noteNode puts a change of a node into the timeline.
func (w *World) noteNode(n *node, reason, message string) { w.noteNodeAs(w.actor, n, reason, message) }

func (w *World) noteNodeAs(actor timeline.Actor, n *node, reason, message string) {
	w.record(timeline.Event{
		Kind: timeline.KindNode, Actor: actor, Node: n.name, Why: w.why, Reason: reason, Message: message,
		NodeState: &timeline.Node{
			Zone: n.zone, Up: !n.down, Ready: !n.notReady, Cordoned: n.cordoned,
			OutOfService: n.outOfService, Unreachable: n.unreachable, Deleted: n.gone,
		},
	})
}

// at lets something happen at an instant that is nobody's timer: a round of a controller, a node's silence.
func (w *World) at(t model.Time, background bool, do func()) *queue.Entry[event] {
	return w.queue.Schedule(t, byCluster, background, event{do: do})
}

// livesOn returns the lives of the pods that are bound to a node, in the order of the pods' keys.
func (w *World) livesOn(n *node) []*life {
	var lives []*life
	for _, pod := range w.store.Pods() {
		if l := w.pods.byUID[pod.UID]; l.node == n {
			lives = append(lives, l)
		}
	}
	return lives
}
