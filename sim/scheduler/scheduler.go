// Package scheduler binds pods to nodes: each pod some time after its creation, to the node with the fewest pods of
// those that take any, once all its claims have their volumes. A pod that cannot be bound waits until a node or a claim
// changes.
package scheduler

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Scheduler is the scheduler.
type Scheduler struct {
	kernel    *kernel.Kernel       `print:"-"`
	store     *store.Store         `print:"-"`
	log       *audit.Log           `print:"-"`
	nodes     *nodes.Controller    `print:"-"`
	claims    Claims               `print:"-"`
	behaviour *behaviour.Behaviour `print:"-"`

	// queue are the pods that are bound to no node.
	queue map[model.UID]unbound
	// forClaim are those of them that wait for a claim, by the claim; forNode those that no node takes, in the order in
	// which they came.
	forClaim map[model.Key][]model.UID
	forNode  []model.UID
	// bound counts the pods that are bound to each node.
	bound map[string]int `print:"-"`
}

// unbound is a pod that is bound to no node.
type unbound struct {
	*audit.Life
	// delay is how long it takes to bind it.
	delay behaviour.Delay
	timer *kernel.Timer
}

// Claims is what the scheduler asks of the storage.
type Claims interface {
	// Ready says whether a claim lets its pod be bound, and if not what the scheduler has to say of it, "" for nothing.
	Ready(claim model.Key) (ready bool, complaint string)
}

// bind is the only event: a pod is to be bound.
const bind uint8 = 0

var eventNames = []string{"bind"}

// byScheduler is who acts here.
var byScheduler = store.By{Actor: timeline.Scheduler}

// New returns a scheduler without a pod.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, n *nodes.Controller, c Claims) *Scheduler {
	sched := &Scheduler{
		kernel: k, store: s, log: log, nodes: n, claims: c, behaviour: &behaviour.Behaviour{},
		queue: map[model.UID]unbound{}, forClaim: map[model.Key][]model.UID{}, bound: map[string]int{},
	}
	k.Handle(kernel.Scheduler, eventNames, func(e kernel.Event) {
		if u := sched.queue[e.UID]; sched.schedulable(&u) {
			sched.bind(&u)
		}
	})
	k.Keep(kernel.Scheduler, sched.keep)
	return sched
}

// Takes says how long it takes to bind a pod.
func (s *Scheduler) Takes(b *behaviour.Behaviour) { s.behaviour = b }

// SeePod takes up a new pod, and drops one that is bound, has ended or is deleted.
func (s *Scheduler) SeePod(change store.Change) {
	switch pod, old := change.Pod, change.OldPod; {
	case old == nil && pod.Node != "":
		s.bound[pod.Node]++
	case old == nil:
		s.meet(pod)
	case pod == nil:
		if old.Node != "" {
			s.bound[old.Node]--
		}
		s.drop(old.UID)
	case pod.Node != old.Node:
		s.bound[pod.Node]++
		s.drop(pod.UID)
	case pod.Node == "" && (pod.Terminating() != old.Terminating() || pod.Finished() != old.Finished()):
		s.kernel.Cancel(s.queue[pod.UID].timer)
	}
}

func (s *Scheduler) meet(pod *model.Pod) {
	life := s.log.Pod(pod.Key())
	subject := behaviour.Subject{Pod: pod, StatefulSet: life.Set.Name, Nth: life.Nth}
	u := unbound{Life: life, delay: s.behaviour.For(subject).Schedule}
	if !pod.Terminating() && !pod.Finished() {
		s.bindLater(&u)
		u.timer = s.kernel.Hasten(u.timer, s.kernel.Now().Sub(pod.Created))
	}
	s.queue[pod.UID] = u
}

func (s *Scheduler) drop(pod model.UID) {
	if u, known := s.queue[pod]; known {
		s.kernel.Cancel(u.timer)
		delete(s.queue, pod)
	}
}

// bindLater draws how long it takes to bind a pod. One without a delay is never bound.
func (s *Scheduler) bindLater(u *unbound) {
	if u.delay == nil {
		return
	}
	if wait, never := s.kernel.Draw(u.delay); !never {
		s.bindIn(u, wait)
	}
}

func (s *Scheduler) bindIn(u *unbound, wait model.Time) {
	e := kernel.Event{Room: kernel.Scheduler, Kind: bind, UID: u.UID, Key: u.Key}
	u.timer = s.kernel.At(s.kernel.Now()+wait, kernel.ByScheduler, e)
}

// schedulable says whether a pod may be bound to a node: each of its claims is there, is not being deleted and has its
// volume. Otherwise the pod waits for the first of its claims that is in the way. Pods that have ended the scheduler
// does not even see: its informer leaves them out.
func (s *Scheduler) schedulable(u *unbound) bool {
	pod := s.store.Pod(u.Key)
	if pod.Finished() {
		return false
	}
	var inTheWay model.Key
	complaint := ""
	for i := len(pod.Volumes) - 1; i >= 0; i-- {
		key := model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim}
		if key.Name == "" {
			continue
		}
		if ready, why := s.claims.Ready(key); !ready {
			inTheWay, complaint = key, why
		}
	}
	if inTheWay.Name == "" {
		return true
	}
	s.forClaim[inTheWay] = append(s.forClaim[inTheWay], u.UID)
	if complaint != "" {
		s.complain(u, complaint)
	}
	return false
}

// bind puts a pod on the node that has the fewest, of those that take pods. Where none does the pod waits.
func (s *Scheduler) bind(u *unbound) {
	var least *nodes.Node
	for _, n := range s.nodes.All() {
		if n.Schedulable() && (least == nil || s.bound[n.Name] < s.bound[least.Name]) {
			least = n
		}
	}
	if least == nil {
		s.forNode = append(s.forNode, u.UID)
		s.complain(u, s.refusals())
		return
	}
	s.store.As(byScheduler).ChangePod(u.Key, func(p *model.Pod) { p.Node = least.Name })
}

// complain tells why a pod is bound to no node, in the scheduler's words.
func (s *Scheduler) complain(u *unbound, why string) {
	known := 0
	for _, n := range s.nodes.All() {
		if !n.Gone {
			known++
		}
	}
	message := "no nodes available to schedule pods"
	if known > 0 {
		message = fmt.Sprintf("0/%d nodes are available: %s.", known, why)
	}
	s.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.Scheduler, Set: u.Set, Pod: u.Key.Name, UID: u.UID, Warning: true,
		Reason: timeline.ReasonFailedScheduling, Message: message,
	})
}

// refusals says why no node takes a pod.
func (s *Scheduler) refusals() string {
	counts := map[string]int{}
	for _, n := range s.nodes.All() {
		switch {
		case n.Gone:
		case n.Cordoned:
			counts["were unschedulable"]++
		case n.NotReady || n.OutOfService:
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

// Retry tries the pods that wait for a node again, as the scheduler does when a node changes. Its back-off is not
// modelled: it is over long before.
func (s *Scheduler) Retry() {
	any := false
	for _, n := range s.nodes.All() {
		any = any || n.Schedulable()
	}
	if !any {
		return
	}
	waiting := s.forNode
	s.forNode = nil
	for _, pod := range waiting {
		if u, known := s.queue[pod]; known {
			s.bindLater(&u)
			s.queue[pod] = u
		}
	}
}

// SeeClaim tries the pods again that have waited for a claim which is Bound. The real scheduler backs off between two
// tries of a pod, by a second and more; here it tries as soon as the claim allows it.
func (s *Scheduler) SeeClaim(change store.Change) {
	claim := change.Claim
	if claim == nil || claim.Phase != model.ClaimBound || claim.Terminating() {
		return
	}
	waiting := s.forClaim[claim.Key()]
	if len(waiting) == 0 {
		return
	}
	delete(s.forClaim, claim.Key())
	for _, pod := range waiting {
		if u, known := s.queue[pod]; known {
			s.bindIn(&u, 0)
			s.queue[pod] = u
		}
	}
}
