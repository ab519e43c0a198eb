// Package scheduler binds pods to nodes: each pod some time after its creation, to the node with the fewest pods of
// those that take any, once all its claims have their volumes. A pod that cannot be bound waits until a node or a
// claim changes.
//
// Invariants: every pod that is not bound is in the queue, and every other one is not; a pod in the queue that is
// neither terminating nor ended has a pending timer, or waits in forClaim or forNode, or has a delay that never ends.
// Waiting pods are named by uid there, and one that has left the queue meanwhile is skipped.
//
// It asks package nodes which nodes there are, the storage (Claims) about claims, and a Filter about templates; none of
// them calls it. Package sim calls Retry when a node has changed.
package scheduler

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Scheduler binds pods. It only writes from its own events, never while a watch notifies it. SeePod and SeeClaim must
// watch the store, and the record must have seen each pod before.
type Scheduler struct {
	kernel    *kernel.Kernel       `print:"-"`
	store     *store.Store         `print:"-"`
	log       *audit.Log           `print:"-"`
	nodes     *nodes.Controller    `print:"-"`
	claims    Claims               `print:"-"`
	behaviour *behaviour.Behaviour `print:"-"`

	// queue has every pod in the store that is not bound to a node, even if it has ended or is terminating; only a
	// pending timer makes the scheduler try a pod.
	queue map[model.UID]*unbound
	// idle is the last entry that has left the queue, whose memory the next one uses; nil if there is none.
	idle *unbound `print:"-"`
	// forClaim are the pods that wait for a claim, by the first claim in their way; no list is empty. forNode are those
	// that no node takes. Both are in the order of arrival.
	forClaim map[model.Key][]model.UID
	forNode  []model.UID
	// bound counts the pods in the store that are bound to each node, whatever their phase. The key is the name,
	// since a pod may be bound to an unknown node.
	bound map[string]*int `print:"-"`
	// places are a short cut to bound for each node, in the order of the nodes, as far as they have been asked for.
	places []place `print:"-"`
	// on are the pods that take room on each node, once a filter has been asked; see ask.
	on map[string]*Crowd `print:"-"`
	// filter is nil if the state of the nodes alone decides. repelling counts the pods that keep others off their nodes.
	// open are the things that the filter does not decide, and asked the templates and sets that were looked at for them.
	filter    Filter         `print:"-"`
	repelling int            `print:"-"`
	open      []undecided    `print:"-"`
	asked     map[asked]bool `print:"-"`
}

// asked is a template, and the set or the pod that it belongs to.
type asked struct {
	template *model.Template
	of       model.Key
}

// unbound is a pod that is bound to no node: an entry of the queue.
type unbound struct {
	*audit.Life
	// delay is the time until it is bound, drawn for each attempt that waits only for time; nil is never.
	delay behaviour.Delay
	// timer is the next attempt; nil or expired if the pod waits for something else.
	timer *kernel.Timer
	// binding is true while it only waits for its volumes: a node has been chosen for it.
	binding bool
	// pinned is the node that was chosen for it from outside, "" for none.
	pinned string
}

// Claims answers the scheduler's questions about claims. The storage implements it.
type Claims interface {
	// Ready reports whether a claim lets its pod be bound, and the scheduler's complaint, "" for none. If it is
	// ready, a complaint is about the moment before. Asking makes a claim with WaitForFirstConsumer look for its
	// volume.
	Ready(claim model.Key) (ready bool, complaint string)
	// Reach is the NodeSelector of the nodes that can use a claim's volume, as JSON; "" is any node.
	Reach(claim model.Key) string
}

// bind is the only event: binding a pod.
const bind uint8 = 0

var eventNames = []string{"bind"}

// byScheduler is the actor of these writes.
var byScheduler = store.By{Actor: timeline.Scheduler}

// New returns a scheduler without pods, and takes over the events of the room. Takes must be called before the
// first pod needs binding.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, n *nodes.Controller, c Claims) *Scheduler {
	sched := &Scheduler{
		kernel: k, store: s, log: log, nodes: n, claims: c, bound: map[string]*int{},
	}
	k.Handle(kernel.Scheduler, eventNames, sched)
	return sched
}

// Happen tries to bind a pod. Only the kernel calls it.
func (s *Scheduler) Happen(e kernel.Event) { s.try(s.queue[e.UID]) }

// Takes sets the behaviour that decides how long it takes to bind a pod. It applies to pods that are created
// afterwards; a pod keeps the delay of its creation.
func (s *Scheduler) Takes(b *behaviour.Behaviour) { s.behaviour = b }

// SeePod is the watch of pods. It queues a new pod, forgets one that is bound or gone, and stops trying one that
// has ended or is terminating. A pod that leaves a node, is bound to one or ends there may make room for others.
func (s *Scheduler) SeePod(change *store.Change) {
	s.follow(change.OldPod, change.Pod)
	switch pod, old := change.Pod, change.OldPod; {
	case old == nil && pod.Node != "":
		*s.boundTo(pod.Node)++
	case old == nil:
		s.meet(pod)
	case pod == nil:
		if old.Node != "" {
			*s.boundTo(old.Node)--
			s.makeRoom()
		}
		s.drop(old.UID)
	case pod.Node != old.Node:
		*s.boundTo(pod.Node)++
		s.drop(pod.UID)
		s.makeRoom()
	case pod.Node != "" && pod.Finished() && !old.Finished():
		s.makeRoom()
	case pod.Node == "" && (pod.Terminating() != old.Terminating() || pod.Finished() != old.Finished()):
		if u := s.queue[pod.UID]; u != nil {
			s.kernel.Cancel(u.timer)
		}
	}
	// A pod that leaves counts until those have been tried again that it has kept off its node.
	s.tally(change)
}

// place is a node with the number of pods that are bound to it.
type place struct {
	node *nodes.Node
	pods *int
}

// boundTo returns a pointer to the number of pods that are bound to a node, which the caller may change.
func (s *Scheduler) boundTo(node string) *int {
	pods := s.bound[node]
	if pods == nil {
		pods = new(int)
		s.bound[node] = pods
	}
	return pods
}

// podsOn returns the number of pods that are bound to the i-th node, without a look into the map once it is known.
func (s *Scheduler) podsOn(i int, n *nodes.Node) int {
	if i >= len(s.places) {
		s.places = append(s.places, make([]place, len(s.nodes.All())-len(s.places))...)
	}
	at := &s.places[i]
	if at.node != n {
		*at = place{n, s.boundTo(n.Name)}
	}
	return *at.pods
}

// tally counts the pods that keep others off their nodes, from their creation until they are gone.
func (s *Scheduler) tally(change *store.Change) {
	repels := func(pod *model.Pod) bool {
		return pod.Template != nil && pod.Template.Constraints != nil && pod.Template.Constraints.Repels()
	}
	switch {
	case change.OldPod == nil && repels(change.Pod):
		s.repelling++
	case change.Pod == nil && repels(change.OldPod):
		s.repelling--
	}
}

// makeRoom retries the pods that no node has taken and that the filter decides about, because another pod has left
// or joined a node: this may leave room, or satisfy an affinity. Without a filter the number of pods never keeps a
// pod off a node.
func (s *Scheduler) makeRoom() {
	if s.filter != nil && len(s.forNode) > 0 {
		s.retryWaiting(s.decided)
	}
}

// meet puts a new pod into the queue. The delay of a pod of a start state has run since its creation.
func (s *Scheduler) meet(pod *model.Pod) {
	life := s.log.Pod(pod.Key())
	subject := behaviour.Subject{Pod: pod, StatefulSet: life.Set.Name, Nth: life.Nth}
	u := s.idle
	if s.idle = nil; u == nil {
		u = &unbound{}
	}
	*u = unbound{Life: life, delay: s.behaviour.Schedule(subject)}
	if !pod.Terminating() && !pod.Finished() {
		s.bindLater(u)
		u.timer = s.kernel.Hasten(u.timer, s.kernel.Now().Sub(pod.Created))
	}
	keyed.Put(&s.queue, pod.UID, u)
	s.noteUndecided(u, pod)
}

// drop takes a pod out of the queue, if it is in it. forClaim and forNode may still name it.
func (s *Scheduler) drop(pod model.UID) {
	if u := s.queue[pod]; u != nil {
		s.kernel.Cancel(u.timer)
		delete(s.queue, pod)
		s.idle = u
	}
}

// Pin binds a waiting pod to a node at this instant, whatever keeps the pod off it, as the nodeName of its spec or
// a Binding does. It may be called within the write that creates the pod.
func (s *Scheduler) Pin(pod model.UID, node string) {
	if u := s.queue[pod]; u != nil {
		s.kernel.Cancel(u.timer)
		u.pinned = node
		s.bindIn(u, 0)
	}
}

// Leave leaves a pod that waits to another scheduler: nothing but Pin binds it. It may be called within the write that
// creates the pod.
func (s *Scheduler) Leave(pod model.UID) {
	if u := s.queue[pod]; u != nil {
		s.kernel.Cancel(u.timer)
		u.delay = nil
	}
}

// bindLater draws how long it takes to bind a pod, and sets its timer. A pod without a delay is never bound.
func (s *Scheduler) bindLater(u *unbound) {
	if u.delay == nil {
		return
	}
	if wait, never := s.kernel.Draw(u.delay); !never {
		s.bindIn(u, wait)
	}
}

// bindIn sets the timer for trying a pod.
func (s *Scheduler) bindIn(u *unbound, wait model.Time) {
	e := kernel.Event{Room: kernel.Scheduler, Kind: bind, UID: u.UID, Key: u.Key}
	u.timer = s.kernel.At(s.kernel.Now()+wait, kernel.ByScheduler, e)
}

// try binds a pod if that is possible; otherwise it queues the pod for the claim or the node that it needs, and
// records why. It ignores a pod that has ended, as the informer of the real scheduler does. A pod that has been
// waiting for its volumes (PreBind) notices that its claim is gone, which gives another message.
func (s *Scheduler) try(u *unbound) {
	pod := s.store.Pod(u.Key)
	if pod.Finished() {
		return
	}
	if u.pinned != "" {
		s.store.In(&byScheduler).ChangePod(u.Key, func(p *model.Pod) { p.Node, p.Unscheduled = u.pinned, "" })
		return
	}
	inTheWay, complaint := s.claimInTheWay(pod)
	if inTheWay.Name == "" {
		if complaint != "" && pod.Created == s.kernel.Now() {
			s.warn(u, s.sentence(complaint, prefilter, "")).Passing = true
		}
		s.bind(u)
		return
	}
	keyed.Put(&s.forClaim, inTheWay, append(s.forClaim[inTheWay], u.UID))
	switch claim := s.store.Claim(inTheWay); {
	case complaint == "":
		u.binding = true
	case u.binding && claim == nil:
		u.binding = false
		s.complain(u, fmt.Sprintf(`running PreBind plugin "VolumeBinding": binding volumes: `+
			"failed to check provisioning pvc: persistentvolumeclaims %q not found", inTheWay))
	default:
		u.binding = false
		s.complain(u, s.sentence(complaint, prefilter, ""))
	}
}

// claimInTheWay returns the first claim of a pod that keeps it from being bound, and the complaint about it; without
// one, the key is empty and the complaint is one about the moment before. A claim must exist, have its volume, and
// not be under deletion. All claims are asked, so that all of them look for their volumes.
func (s *Scheduler) claimInTheWay(pod *model.Pod) (inTheWay model.Key, complaint string) {
	passing := ""
	for i := len(pod.Volumes) - 1; i >= 0; i-- {
		key := model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim}
		if key.Name == "" {
			continue
		}
		switch ready, why := s.claims.Ready(key); {
		case !ready:
			inTheWay, complaint = key, why
		case why != "":
			passing = why
		}
	}
	if inTheWay.Name == "" {
		return inTheWay, passing
	}
	return inTheWay, complaint
}

// bind puts a pod on the node with the fewest pods of those that take it. If none takes it, the pod waits in forNode.
func (s *Scheduler) bind(u *unbound) {
	pod := s.store.Pod(u.Key)
	least, why := s.choose(pod)
	if least == nil {
		s.forNode = append(s.forNode, u.UID)
		s.complain(u, s.sentence(summary(why), filter, preemption(why)))
		return
	}
	s.store.In(&byScheduler).ChangePod(u.Key, func(p *model.Pod) { p.Node, p.Unscheduled = least.Name, "" })
}

// Retry tries the pods that wait for a node again, as the scheduler does when a node changes; the caller says when.
// If no node takes any pod, only those about which the filter decides are tried, whose message may be another one.
// The scheduler's back-off of 1 to 10 s is not modelled.
func (s *Scheduler) Retry() {
	which := s.decided
	for _, n := range s.nodes.All() {
		if n.Schedulable() {
			which = func(*model.Pod) bool { return true }
		}
	}
	s.retryWaiting(which)
}

// decided reports whether more than the state of the nodes decides which nodes take a pod. It is false for nil.
func (s *Scheduler) decided(pod *model.Pod) bool {
	return s.filter != nil && pod != nil && s.filter.Decides(pod, s.repelling > 0 || len(s.reach(pod)) > 0)
}

// retryWaiting gives the waiting pods that which selects a new attempt after their delay; others keep theirs.
func (s *Scheduler) retryWaiting(which func(*model.Pod) bool) {
	waiting := s.forNode
	s.forNode = nil
	for _, pod := range waiting {
		u := s.queue[pod]
		switch {
		case u == nil:
		case which(s.store.Pod(u.Key)):
			s.bindLater(u)
		default:
			s.forNode = append(s.forNode, pod)
		}
	}
}

// preBindPoll is how often the scheduler checks whether the volumes of a pod are bound, once it has chosen a node
// for the pod (the plugin VolumeBinding).
const preBindPoll = time.Second

// SeeClaim is the watch of claims. It tries the pods again that wait for the claim if it is new, is Bound, or gets
// deleted. The real scheduler waits a second or more between two attempts for a pod; here it tries as soon as the
// claim allows it. It is not notified when a claim is deleted, but an attempt that already waits for the volume
// (PreBind) polls and notices it.
func (s *Scheduler) SeeClaim(change *store.Change) {
	claim, old := change.Claim, change.OldClaim
	switch {
	case claim == nil:
		s.retry(old.Key(), preBindPoll, func(u *unbound) bool { return u.binding })
	case claim.Terminating() && old != nil && !old.Terminating():
		s.retry(claim.Key(), 0, func(u *unbound) bool { return !u.binding })
	case claim.Phase == model.ClaimBound && !claim.Terminating() || old == nil:
		s.retry(claim.Key(), 0, func(*unbound) bool { return true })
	}
}

// retry tries those pods again that wait for a claim and that which selects, after a time. They leave the list; an
// attempt that fails puts them back.
func (s *Scheduler) retry(claim model.Key, after time.Duration, which func(*unbound) bool) {
	waiting := s.forClaim[claim]
	if len(waiting) == 0 {
		return
	}
	var rest []model.UID
	for _, pod := range waiting {
		u := s.queue[pod]
		switch {
		case u == nil:
		case !which(u):
			rest = append(rest, pod)
		default:
			s.kernel.Cancel(u.timer)
			s.bindIn(u, model.Time(after))
		}
	}
	if s.forClaim[claim] = rest; rest == nil {
		delete(s.forClaim, claim)
	}
}
