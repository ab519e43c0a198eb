package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The node lifecycle controller. It is told of time, not of the truth: a node that is silent is not ready, whatever its
// processes do. Simplified: the node's last sign of life was at the instant at which it went down (really up to 10s
// before), and the controller looks all the time (really every 5s).

const (
	// taintInterval is the time from one node that is tainted to the next of a zone that is mostly healthy
	// (--node-eviction-rate 0.1), slowTaintInterval of a large zone that is not (--secondary-node-eviction-rate 0.01).
	taintInterval     = 10 * time.Second
	slowTaintInterval = 100 * time.Second
	// largeZone is the number of nodes up to which no node of an unhealthy zone is tainted
	// (--large-cluster-size-threshold).
	largeZone = 50
	// unhealthyNodes and unhealthyPercent say from when on a zone is unhealthy: more than that many nodes are not ready,
	// and at least that share of them (--unhealthy-zone-threshold 0.55).
	unhealthyNodes   = 2
	unhealthyPercent = 55
)

// zone is what the node lifecycle controller remembers of one zone: the nodes that are to be tainted, and when it may
// taint the next one.
type zone struct {
	name  string
	queue []*node
	next  model.Time
	// pass is the next look at the queue.
	pass *queue.Entry[event]
}

// interval returns the time between two nodes of a zone that are tainted, 0 where none is.
func (c *cluster) interval(z *zone) time.Duration {
	ready, notReady := 0, 0
	for _, n := range c.nodes {
		switch {
		case n.zone != z.name || n.gone:
		case n.notReady:
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

// silent marks a node that has been silent for too long as not ready, and its pods with it.
func (w *World) silent(n *node) {
	w.actor = timeline.APIServer
	n.notReady = true
	w.noteNode(n, timeline.ReasonNodeNotReady,
		fmt.Sprintf("%s is NotReady: it has been silent for %s", n.name, w.monitorGrace()))
	for _, l := range w.livesOn(n) {
		w.markUnready(l, timeline.ReasonNodeNotReady)
	}
	if z := w.cluster.zones[n.zone]; !slices.Contains(z.queue, n) {
		z.queue = append(z.queue, n)
	}
	w.balance()
	w.wantSweep()
	w.settleVolumes()
}

// markUnready takes the Ready condition of a pod away; it remembers that its process may well be ready. A pod that is
// terminating keeps its condition, for it serves nobody anyway.
func (w *World) markUnready(l *life, reason string) {
	pod := w.store.Pod(l.key)
	if !pod.Ready || pod.Terminating() {
		return
	}
	l.silenced = true
	w.reason = reason
	w.store.ChangePod(l.key, func(p *model.Pod) { p.Ready, p.ReadySince = false, w.Now() })
	w.reason = ""
}

// balance looks again at which nodes may be tainted, after a node has changed.
func (w *World) balance() {
	dark := true
	for _, n := range w.cluster.nodes {
		dark = dark && (n.gone || n.notReady)
	}
	switch {
	case dark && !w.cluster.dark:
		w.goDark()
	case !dark && w.cluster.dark:
		w.cluster.dark = false
	}
	if dark {
		return
	}
	for _, n := range w.cluster.nodes {
		z := w.cluster.zones[n.zone]
		if n.notReady && !n.gone && !n.unreachable && !slices.Contains(z.queue, n) {
			z.queue = append(z.queue, n)
		}
	}
	for _, n := range w.cluster.nodes {
		if z := w.cluster.zones[n.zone]; len(z.queue) > 0 {
			w.passLater(z)
		}
	}
}

// goDark stops all evictions: where no node is ready at all it is most likely the controller that is cut off.
func (w *World) goDark() {
	w.cluster.dark = true
	for _, n := range w.cluster.nodes {
		z := w.cluster.zones[n.zone]
		z.queue = nil
		w.queue.Cancel(z.pass)
		w.untaint(n)
	}
	w.record(timeline.Event{
		Kind: timeline.KindNode, Actor: timeline.APIServer, Reason: timeline.ReasonAllNodesDown,
		Message: "no node is ready: the node controller evicts nothing until one is",
	})
}

// passLater arranges for the next look at a zone's queue. It comes after all that happens at the instant, so that nodes
// which fall silent together are seen together.
func (w *World) passLater(z *zone) {
	w.queue.Cancel(z.pass)
	z.pass = w.at(max(w.Now(), z.next), false, func() { w.pass(z) })
}

// pass taints the next node of a zone.
func (w *World) pass(z *zone) {
	interval := w.cluster.interval(z)
	z.queue = slices.DeleteFunc(z.queue, func(n *node) bool { return n.gone || !n.notReady || n.unreachable })
	if len(z.queue) == 0 || interval == 0 {
		return
	}
	w.taint(z.queue[0])
	z.queue = z.queue[1:]
	z.next = w.Now().Add(interval)
	if len(z.queue) > 0 {
		w.passLater(z)
	}
}

// taint puts the taint node.kubernetes.io/unreachable on a node: its pods are deleted when they do not tolerate it any
// longer.
func (w *World) taint(n *node) {
	w.actor = timeline.APIServer
	n.unreachable = true
	w.noteNode(n, timeline.ReasonUnreachable, n.name+" gets the taint node.kubernetes.io/unreachable:NoExecute")
	for _, l := range w.livesOn(n) {
		w.evictLater(l)
	}
}

// evictLater sets the timer at which a pod is deleted because of its node's taint.
func (w *World) evictLater(l *life) {
	pod := w.store.Pod(l.key)
	tolerated := w.toleration(pod)
	if pod.Terminating() || tolerated == model.Forever {
		return
	}
	l.eviction = w.at(w.Now().Add(tolerated), false, func() {
		w.actor = timeline.APIServer
		w.reason = timeline.ReasonTaintEviction
		w.store.DeletePod(l.key, l.uid, false)
		w.reason = ""
		w.wantSweep()
	})
}

// toleration returns how long a pod stays on a node that is unreachable.
func (w *World) toleration(pod *model.Pod) time.Duration {
	switch {
	case pod.Template != nil && pod.Template.Unreachable != nil:
		return *pod.Template.Unreachable
	case w.config.Cluster.Toleration > 0:
		return w.config.Cluster.Toleration
	}
	return DefaultToleration
}

func (w *World) monitorGrace() time.Duration {
	return cmp.Or(w.config.Cluster.MonitorGrace, w.config.Cluster.Rules.MonitorGrace, DefaultMonitorGrace)
}

// untaint takes the taint unreachable off a node, and with it the evictions that it has brought.
func (w *World) untaint(n *node) {
	if !n.unreachable {
		return
	}
	n.unreachable = false
	for _, l := range w.livesOn(n) {
		w.queue.Cancel(l.eviction)
	}
}

// sweepInterval is how often the pod garbage collector looks (gcCheckPeriod), and quarantine how long it waits for a
// node that is missing to show up.
const (
	sweepInterval = 20 * time.Second
	quarantine    = 40 * time.Second
)

// doomed says whether the pod garbage collector deletes a pod by force: it is terminating on a node that is not ready
// and out of service.
func (w *World) doomed(l *life) bool {
	n := l.node
	return n != nil && !n.gone && n.notReady && n.outOfService && !w.config.Cluster.Rules.IgnoresOutOfService &&
		w.store.Pod(l.key).Terminating()
}

// wantSweep arranges for the next round of the pod garbage collector, if it has something to do.
func (w *World) wantSweep() {
	if w.cluster.sweep.Pending() {
		return
	}
	for _, n := range w.cluster.nodes {
		if n.outOfService && slices.ContainsFunc(w.livesOn(n), w.doomed) {
			w.cluster.sweep = w.at(w.nextSweep(), false, w.sweepPods)
			return
		}
	}
}

func (w *World) nextSweep() model.Time {
	return w.Now() - w.Now()%model.Time(sweepInterval) + model.Time(sweepInterval)
}

func (w *World) sweepPods() {
	for _, n := range w.cluster.nodes {
		if n.outOfService {
			w.sweepNode(n, w.doomed)
		}
	}
}

// sweepNode deletes the pods of a node by force, as the pod garbage collector does.
func (w *World) sweepNode(n *node, which func(*life) bool) {
	w.actor, w.reason = timeline.APIServer, timeline.ReasonPodGC
	for _, l := range w.livesOn(n) {
		if which(l) {
			w.store.DeletePod(l.key, l.uid, true)
		}
	}
	w.reason = ""
}
