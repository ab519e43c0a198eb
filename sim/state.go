package sim

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// State is a cluster at one moment, from which a world can be begun: see NewFrom. Its times are relative to that
// moment, which is 0s of the new world: what has happened before has a negative time.
type State struct {
	// Objects are the sets with their status, the revisions, the pods and the claims. Owner references must name uids of
	// objects that are among them, or nobody's. An object whose uid is 0 gets one.
	store.Objects
	// Nodes are the nodes with what their objects say; none is those of the configuration. A node that a pod is bound to
	// and that is not among them is there, too, and ready.
	Nodes    []NodeState
	Budgets  []*model.Budget
	Services []*model.Service
}

// NodeState is a node at one moment, as its object says.
type NodeState struct {
	Node
	// NotReady is true where the node's Ready condition is not true: then its kubelet is down.
	NotReady bool
	// Cordoned is spec.unschedulable; OutOfService and Unreachable are the NoExecute taints of these names.
	Cordoned, OutOfService, Unreachable bool
}

// NewFrom returns a world that begins with a state, which is taken as it is: nothing is defaulted or validated. What is
// under way begins with new times: a pod that is Pending on a node starts, one that is Running and not Ready becomes
// Ready, one that terminates stops, a Pending claim gets its volume. The caches are in step, and every set is in the
// work queue once.
//
// The timeline of such a world begins with the state, as events of the actor timeline.Dump at 0s: a step that makes the
// sets known, then for each set its status, its revisions, the claims and the pods.
func NewFrom(config Config, state *State) *World {
	config.Cluster.Nodes = state.nodes(config.Cluster)
	w := New(config)
	w.store.Load(state.Objects)
	w.from = state
	return w
}

// nodes returns the nodes of a state, and those that its pods name beside them.
func (s *State) nodes(cluster Cluster) []Node {
	var nodes []Node
	known := map[string]bool{"": true}
	for _, n := range s.Nodes {
		nodes = append(nodes, n.Node)
		known[n.Name] = true
	}
	if len(nodes) == 0 {
		nodes = append(nodes, cluster.nodes()...)
		for _, n := range nodes {
			known[n.Name] = true
		}
	}
	for _, pod := range s.Pods {
		if !known[pod.Node] {
			known[pod.Node] = true
			nodes = append(nodes, Node{Name: pod.Node})
		}
	}
	return nodes
}

// takeUp lets the world begin with its state: it goes into the timeline, and all that is under way goes on.
func (w *World) takeUp() {
	state := w.from
	if state == nil {
		return
	}
	w.from = nil
	w.tellSets()
	for _, n := range state.Nodes {
		w.takeUpNode(n)
	}
	w.actor = timeline.Dump
	for _, revision := range w.store.Revisions() {
		w.observeRevision(store.Change{Kind: model.KindRevision, Type: model.Added, Revision: revision})
	}
	for _, claim := range w.store.Claims() {
		w.takeUpClaim(claim)
	}
	for _, service := range state.Services {
		w.putService(service, model.Added)
	}
	for _, pod := range w.store.Pods() {
		w.takeUpPod(pod)
	}
	for _, budget := range state.Budgets {
		(&User{w}).PutBudget(budget)
	}
	for _, set := range w.store.Sets() {
		w.replicas += int(set.Spec.Replicas)
		if store.InForeground(&set.Meta) {
			w.deleteForeground(set)
		}
	}
	w.startController()
}

// tellSets makes the sets known to the timeline, with their status.
func (w *World) tellSets() {
	sets := w.store.Sets()
	w.record(timeline.Event{
		Kind: timeline.KindStep, Actor: timeline.Dump, Step: &timeline.Step{
			Verb: "dump", Does: fmt.Sprintf("begin with %d StatefulSets and %d pods", len(sets), len(w.store.Pods())),
			Effect: timeline.Created, Sets: sets, Trigger: At.String(),
		},
	})
	for _, set := range sets {
		status := set.Status
		w.record(timeline.Event{Kind: timeline.KindStatus, Actor: timeline.Dump, Set: set.Key(), Status: &status})
	}
}

func (w *World) takeUpNode(state NodeState) {
	n := w.cluster.node(state.Name)
	n.down, n.notReady = state.NotReady, state.NotReady
	n.cordoned, n.outOfService, n.unreachable = state.Cordoned, state.OutOfService, state.Unreachable
	if n.notReady || n.cordoned || n.outOfService || n.unreachable {
		w.noteNodeAs(timeline.Dump, n, "", n.name+" is as the state has it")
	}
	if n.notReady && !n.unreachable {
		w.cluster.zones[n.zone].queue = append(w.cluster.zones[n.zone].queue, n)
		w.balance()
	}
}

func (w *World) takeUpClaim(claim *model.Claim) {
	l := w.bornClaim(claim)
	w.recordClaim(l, model.Added, claim)
	w.own(claim, nil)
	switch {
	case claim.Terminating():
		w.claims.terminating++
		w.releaseClaim(claim)
	case claim.Phase == model.ClaimPending && l.times.Mode != WaitForFirstConsumer:
		w.provide(l)
	}
}

// takeUpPod begins the life of a pod in the middle.
func (w *World) takeUpPod(pod *model.Pod) {
	key := pod.Key()
	w.pods.nth[key]++
	l := &life{key: key, uid: pod.UID, nth: w.pods.nth[key], node: w.cluster.node(pod.Node)}
	l.set, l.bare = standsWith(pod)
	w.pods.byUID[pod.UID] = l
	l.times = w.timesOf(pod, l)
	if l.node != nil {
		l.node.pods++
	}
	alive := *pod
	alive.Deletion = nil
	w.recordPod(l, &alive, stateOf(&alive))
	if pod.Terminating() {
		w.recordPod(l, pod, timeline.Terminating)
	}
	w.dangle(object{model.KindPod, key, pod.UID}, pod.Owners)
	switch {
	case pod.Finished():
	case pod.Node == "":
		if !pod.Terminating() {
			w.after(l, bind, l.times.Schedule)
		}
	default:
		w.takeUpContainers(l, pod)
	}
}

// takeUpContainers lets the kubelet of a pod go on with it.
func (w *World) takeUpContainers(l *life, pod *model.Pod) {
	if l.node.unreachable {
		w.evictLater(l)
	}
	w.watchOthers(l)
	switch {
	case pod.Phase == model.Pending && !pod.Terminating():
		w.bound(l, pod)
		return
	case w.config.Kubelet.Probes != nil:
		w.unpack(l, pod)
		w.takeUpBoxes(l, pod)
	}
	if l.gate != nil && pod.Ready {
		*l.gate = gate{warm: true, holds: true, open: true}
	}
	if pod.Terminating() {
		w.stop(l, pod)
		return
	}
	w.after(l, fail, l.times.Fail)
	w.ripenLater(l, pod)
	switch {
	case l.boxes != nil:
	case !pod.Ready:
		w.started(l, pod)
	case l.times.Crash != nil:
		w.mayEnd(l, l.app(pod))
	}
}

// takeUpBoxes lets the containers of a pod that runs run: those of a Ready pod are ready, the others begin anew.
func (w *World) takeUpBoxes(l *life, pod *model.Pod) {
	b := l.boxes
	b.turn = len(b.init)
	for _, c := range b.init {
		c.state = isDone
		if c.probed.spec.Sidecar {
			c.state, c.probed.up, c.probed.ready = isRunning, true, true
		}
	}
	for _, c := range b.main {
		if !pod.Ready {
			w.run(l, c)
			continue
		}
		now := w.Now()
		c.state = isRunning
		c.probed.up, c.probed.ready, c.probed.wasReady = true, true, true
		c.probed.run = behaviour.Run{Started: now, From: now, Healthy: now}
		w.mayEnd(l, c)
	}
}

// Rebase returns the state with all times counted from an instant, which is 0s of it then.
func (s State) Rebase(now model.Time) *State {
	s.Sets = copies(s.Sets, func(set *model.StatefulSet) {
		rebaseMeta(&set.Meta, now)
		set.Status.Conditions = slices.Clone(set.Status.Conditions)
		for i := range set.Status.Conditions {
			set.Status.Conditions[i].Since -= now
		}
	})
	s.Revisions = copies(s.Revisions, func(revision *model.Revision) { rebaseMeta(&revision.Meta, now) })
	s.Claims = copies(s.Claims, func(claim *model.Claim) { rebaseMeta(&claim.Meta, now) })
	s.Pods = copies(s.Pods, func(pod *model.Pod) {
		rebaseMeta(&pod.Meta, now)
		pod.ReadySince -= now
	})
	return &s
}

func rebaseMeta(meta *model.Meta, now model.Time) {
	meta.Created -= now
	if meta.Deletion != nil {
		meta.Deletion = &model.Deletion{At: meta.Deletion.At - now, Grace: meta.Deletion.Grace}
	}
}

// copies returns changed copies of objects.
func copies[T any](objects []*T, change func(*T)) []*T {
	list := make([]*T, len(objects))
	for i, object := range objects {
		next := *object
		change(&next)
		list[i] = &next
	}
	return list
}
