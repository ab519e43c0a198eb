package sim

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// State is a cluster at an instant, as its objects show it: what a world can begin with. What happened before the
// instant has a time below 0.
type State struct {
	// From says where it comes from, for the timeline.
	From      string
	Sets      []*model.StatefulSet
	Pods      []PodState
	Claims    []*model.Claim
	Revisions []*model.Revision
	Budgets   []*model.Budget
	Services  []*model.Service
	Nodes     []NodeState
}

// PodState is a pod at an instant. Its template may be shared by many.
type PodState struct {
	*model.Pod
	// Bound is when it was bound to its node, Started when it began to run; where it is not, they mean nothing.
	Bound, Started model.Time
	// Hung says that its kubelet does not come to an end with it, though the node answers.
	Hung bool
	// Silenced says that only the silence of its node has made it unready.
	Silenced bool
}

// NodeState is a node at an instant.
type NodeState struct {
	Node
	// Down says that its kubelet is not heard of.
	Down bool
	// NotReady, Cordoned, OutOfService and Unreachable are what its object says: the condition Ready, spec.unschedulable,
	// and the taints out-of-service and unreachable. Tainted is when the last of these came.
	NotReady, Cordoned, OutOfService, Unreachable bool
	Tainted                                       model.Time
}

// NewFrom returns a world that begins with a state instead of empty. The state's nodes are its nodes, whatever the
// configuration says. The run reports the state as events of the instant 0 by the actor dump. Then a controller begins,
// as after a restart: it lists everything and syncs every set. The queues and back-offs of the one before are no part
// of the state, nor is what a kubelet remembers beside what it reports.
func NewFrom(config Config, state *State) *World {
	config.Start = state
	return New(config)
}

// nodesFrom are the nodes of a world that begins with the state.
func (s *State) nodesFrom() []Node {
	var nodes []Node
	for i := range s.Nodes {
		nodes = append(nodes, s.Nodes[i].Node)
	}
	return nodes
}

// beginWith fills an empty world.
func (w *World) beginWith(state *State) {
	objects := store.Objects{Sets: state.Sets, Claims: state.Claims, Revisions: state.Revisions}
	for i := range state.Pods {
		objects.Pods = append(objects.Pods, state.Pods[i].Pod)
	}
	w.store.Restore(objects)
	w.actor = timeline.Dump
	w.beginNodes(state.Nodes)
	w.beginSets(state.From)
	for i := range state.Pods {
		w.beginPod(&state.Pods[i])
	}
	for _, claim := range w.store.Claims() {
		w.beginClaim(claim)
	}
	user := &User{w}
	for _, service := range state.Services {
		user.CreateService(service)
	}
	for _, spec := range state.Budgets {
		user.PutBudget(spec)
	}
	w.beginDeletions()
	w.startController()
}

// beginSets tells of the sets, their histories and their statuses.
func (w *World) beginSets(from string) {
	sets := w.store.Sets()
	w.record(timeline.Event{Kind: timeline.KindStep, Actor: timeline.Dump, Step: &timeline.Step{
		Verb: "start", Does: "begin with " + from, Trigger: At.String(), Effect: timeline.Created, Sets: sets,
	}})
	for _, revision := range w.store.Revisions() {
		w.observeRevision(store.Change{Kind: model.KindRevision, Type: model.Added, Revision: revision})
	}
	for _, set := range sets {
		w.replicas += int(set.Spec.Replicas)
		status := set.Status
		w.record(timeline.Event{
			Kind: timeline.KindStatus, Actor: timeline.Dump, Set: set.Key(), Reason: "Dump", Status: &status,
		})
	}
}

// beginNodes puts the nodes into their states.
func (w *World) beginNodes(states []NodeState) {
	for i := range states {
		s, n := &states[i], w.cluster.nodes[i]
		n.down, n.notReady = s.Down, s.NotReady
		n.cordoned, n.outOfService, n.unreachable = s.Cordoned, s.OutOfService, s.Unreachable
		w.noteNode(n, "", "")
	}
}

// beginPod begins a pod's life in the middle of it.
func (w *World) beginPod(state *PodState) {
	pod := w.store.Pod(state.Key())
	w.pods.nth[pod.Key()]++
	l := &life{key: pod.Key(), uid: pod.UID, nth: 1, bound: state.Bound, started: state.Started, hung: state.Hung}
	l.set, l.bare = standsWith(pod)
	if set := w.store.Set(l.set); set != nil && (pod.Controller() == nil || pod.Controller().UID != set.UID) {
		l.bare = true
	}
	l.silenced = state.Silenced
	w.pods.byUID[pod.UID] = l
	if l.node = w.cluster.node(pod.Node); l.node != nil {
		l.node.pods++
	}
	l.times = w.timesOf(pod, l)
	w.tellBegun(l, pod)
	if !slices.ContainsFunc(pod.Owners, func(o model.Owner) bool { return o.Kind == model.KindNone }) {
		w.dangle(object{model.KindPod, pod.Key(), pod.UID}, pod.Owners)
	}
	w.takeUp(l, pod)
}

// tellBegun tells what a pod is in, and of one that is terminating what it was in before.
func (w *World) tellBegun(l *life, pod *model.Pod) {
	alive := *pod
	alive.Deletion = nil
	w.recordPod(l, pod, stateOf(&alive))
	if pod.Terminating() {
		w.recordPod(l, pod, timeline.Terminating)
	}
}

// takeUp sets the timers of a pod as they are in the middle of its life.
func (w *World) takeUp(l *life, pod *model.Pod) {
	now := w.Now()
	switch {
	case pod.Terminating():
		if pod.Node != "" && !pod.Finished() {
			w.stop(l, pod)
			w.hasten(l, &l.timers[gone], now.Sub(pod.Deletion.At))
		}
	case pod.Finished():
	case pod.Node == "":
		w.after(l, bind, l.times.Schedule)
		w.hasten(l, &l.timers[bind], now.Sub(pod.Created))
	case pod.Phase == model.Pending:
		w.takeUpPending(l, pod)
	default:
		w.takeUpRunning(l, pod)
	}
	if l.node != nil && l.node.unreachable && !pod.Terminating() {
		w.evictLater(l)
		w.hasten(l, &l.eviction, now.Sub(w.config.Start.node(l.node.name).Tainted))
	}
}

// takeUpPending goes on with what a kubelet does for a pod before it runs.
func (w *World) takeUpPending(l *life, pod *model.Pod) {
	w.bound(l, pod)
	for slot := range l.slots() {
		w.hasten(l, slot, w.Now().Sub(l.bound))
	}
}

// takeUpRunning goes on with a pod that runs.
func (w *World) takeUpRunning(l *life, pod *model.Pod) {
	w.watchOthers(l)
	if w.config.Kubelet.Probes != nil {
		w.unpack(l, pod)
		w.runBoxes(l, pod)
		return
	}
	if pod.Ready {
		if l.gate != nil {
			l.gate.warm, l.gate.holds, l.gate.open = true, true, true
		}
		w.ripenLater(l, pod)
	} else if !l.silenced {
		w.started(l, pod)
		w.hasten(l, &l.timers[ready], w.Now().Sub(l.started))
	}
	if pod.Containers != nil {
		c := l.app(pod)
		c.started, c.ended = pod.Containers.Restarts, pod.Containers.Restarts
	}
	w.after(l, fail, l.times.Fail)
	w.hasten(l, &l.timers[fail], w.Now().Sub(l.started))
}

// runBoxes takes the containers of a pod for running and, where the pod is Ready, for ready. Of one that is not Ready
// the probes begin anew.
func (w *World) runBoxes(l *life, pod *model.Pod) {
	b := l.boxes
	for _, c := range b.init {
		c.state, c.probed.up = isDone, true
		if c.probed.spec.Sidecar {
			c.state, c.probed.ready = isRunning, true
		}
	}
	b.turn = len(b.init)
	for _, c := range b.main {
		if pod.Ready {
			c.state = isRunning
			c.probed.up, c.probed.ready, c.probed.wasReady = true, true, true
			continue
		}
		w.run(l, c)
	}
	w.ripenLater(l, pod)
}

// hasten lets a timer ring as much earlier as has passed already, but not before now.
func (w *World) hasten(l *life, slot **queue.Entry[event], by time.Duration) {
	for i := range l.held {
		if h := &l.held[i]; h.slot == slot {
			h.left = max(0, h.left-model.Time(by))
		}
	}
	if timer := *slot; timer.Pending() && by > 0 {
		w.queue.Cancel(timer)
		*slot = w.queue.Schedule(max(w.Now(), timer.At.Add(-by)), timer.Actor, timer.Background, timer.Payload)
	}
}

// beginClaim begins a claim's life in the middle of it.
func (w *World) beginClaim(claim *model.Claim) {
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

// beginDeletions goes on with the deletions of sets, and with what the node lifecycle controller has in hand.
func (w *World) beginDeletions() {
	for _, set := range w.store.Sets() {
		switch {
		case !set.Terminating():
		case store.InForeground(&set.Meta):
			w.deleteForeground(set)
		case slices.Contains(set.Finalizers, store.FinalizerOrphan):
			o := object{model.KindStatefulSet, set.Key(), set.UID}
			w.later(byCollector, 0, func() { w.orphan(o) })
		}
	}
	w.balance()
	w.wantSweep()
}

// node returns the state of a node, which there must be.
func (s *State) node(name string) *NodeState {
	at := slices.IndexFunc(s.Nodes, func(n NodeState) bool { return n.Name == name })
	return &s.Nodes[at]
}

// State returns what the objects of the world show now.
func (w *World) State() *State {
	state := &State{From: "the state at " + w.Now().Clock(), Sets: w.store.Sets(), Claims: w.store.Claims(),
		Revisions: w.store.Revisions()}
	for _, pod := range w.store.Pods() {
		l := w.pods.byUID[pod.UID]
		state.Pods = append(state.Pods, PodState{
			Pod: pod, Bound: l.bound, Started: l.started, Hung: l.hung, Silenced: l.silenced,
		})
	}
	for _, b := range w.budgets {
		state.Budgets = append(state.Budgets, b.spec)
	}
	for _, s := range w.names.services {
		state.Services = append(state.Services, s.Service)
	}
	for _, n := range w.cluster.nodes {
		if !n.gone {
			state.Nodes = append(state.Nodes, NodeState{
				Node: Node{Name: n.name, Zone: n.zone}, Down: n.down && n.notReady, NotReady: n.notReady, Cordoned: n.cordoned,
				OutOfService: n.outOfService, Unreachable: n.unreachable,
			})
		}
	}
	return state
}
