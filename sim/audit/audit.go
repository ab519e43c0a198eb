// Package audit records every write to the API server in the timeline: who made it, why, and its effect. It numbers
// the pods and claims of each name, and knows which set they belong to. It changes nothing.
//
// Its See methods must be the first that watch each kind: other rooms ask for the life of the object of a write while
// they are told of that write, and the event about the write comes before the events that follow from it.
package audit

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Life is one life of a pod or a claim, from its creation until it is gone. Only the log changes it; other rooms may
// keep the pointer as long as the object exists.
type Life struct {
	Key model.Key
	UID model.UID
	// Set is the set that it belongs to. For a pod that is its owner or, if it has none, the set that it is named after;
	// for a claim the set that it was created for. An adoption changes it. The set need not exist; the name is "" if
	// there is none.
	Set model.Key
	// Bare is true for a pod that is not owned by that set: it only has its name. Such a pod does not count for the set.
	Bare bool
	// Nth counts the lives of the name from 1, across sets.
	Nth int `print:"nth"`
	// like has what the last event of the life shares with the next one. same is true if everything that an event
	// says about the pod is the same as in that event; labelled is true if revision is the name of the pod's
	// revision. They only save work: a wrong false costs a comparison.
	like     timeline.Like `print:"-"`
	same     bool          `print:"-"`
	labelled bool          `print:"-"`
	revision string        `print:"-"`
	// seen is the count of writes of revisions at the last event of the life.
	seen int `print:"-"`
}

// Log records the writes to the API server in the timeline, each at its instant, and in the order of the writes.
type Log struct {
	kernel *kernel.Kernel
	store  *store.Store
	// pods and claims are the last life of each name, also after its end: the next life needs its number.
	pods, claims keyed.Map[*Life]
	// of are the pods in the store by their sets, once the pods of a set have been asked for (PodsOf).
	of    keyed.Groups[model.Key]
	fresh keyed.Slab[Life]
	// origin is memory for the origin of the pod that an event is about: the record keeps an equal one of its own.
	origin    timeline.Origin
	addresses *Addresses
	// revisions counts the writes of revisions: while it stays the same, so does the number of each.
	revisions int
	// entered is the index, counted from 1, of the event about the state that a pod has entered with the last write of a
	// pod; 0 if there is none.
	entered int
}

// New returns a log, which notes the address of each pod that runs. It takes no events of its own.
func New(k *kernel.Kernel, s *store.Store, a *Addresses) *Log {
	return &Log{kernel: k, store: s, addresses: a}
}

// Address returns the address of a pod, "" for one that has none.
func (l *Log) Address(pod *model.Pod) string { return l.addresses.Known(pod) }

// Pod returns the life of a pod that exists or has just been removed, nil if there was never one of that name; O(1).
// After the removal it is the last life of the name.
func (l *Log) Pod(key model.Key) *Life { return l.pods.Get(key) }

// Claim returns the life of a claim that exists or has just been removed, as Pod does; O(1).
func (l *Log) Claim(key model.Key) *Life { return l.claims.Get(key) }

// SeePod records a write of a pod: a changed owner, and the state that the pod has entered or, if it has not
// entered one, what happened to its containers. A write that changes neither, such as a write of labels, is not
// recorded. One write gives at most one event about a state.
func (l *Log) SeePod(change *store.Change) {
	by := change.By
	l.entered = 0
	switch change.Type {
	case model.Added:
		l.meet(by, change.Pod)
	case model.Modified:
		life := l.pods.Get(change.Pod.Key())
		life.follow(change.OldPod, change.Pod)
		l.recordOwner(by, life, change.OldPod, change.Pod)
		if state := entered(change.OldPod, change.Pod); state != timeline.NoState {
			l.recordPod(by, life, change.Pod, state, blamed(by, change))
		} else if change.Pod.Containers != change.OldPod.Containers {
			l.Containers(by, change.Pod, change.Pod.Containers)
		} else if by.Why.Code == model.CodeRepairIdentity {
			l.recordRepair(by, life, change.Pod)
		}
	case model.Deleted:
		life := l.pods.Get(change.OldPod.Key())
		l.of.Remove(life.Set, life.Key)
		l.recordPod(by, life, change.OldPod, timeline.Gone, nil)
	}
}

// follow notes what of a pod has changed that its events say, before the event is recorded.
func (life *Life) follow(old, pod *model.Pod) {
	life.labelled = life.labelled && old.SharesIdentity(pod)
	life.same = life.same && life.labelled && old.Template == pod.Template && old.Node == pod.Node
}

// meet starts the life of a pod. A pod of a start state may be in any state; one that is terminating is recorded in
// the state that it was in, and then as terminating, so that a reader of the timeline sees both.
func (l *Log) meet(by *store.By, pod *model.Pod) {
	life := l.begin(&l.pods, pod.Key(), pod.UID)
	life.Set, life.Bare = standsWith(pod)
	if by.Actor == timeline.Dump {
		set, owner := l.store.Set(life.Set), pod.Controller()
		life.Bare = life.Bare || set != nil && (owner == nil || owner.UID != set.UID)
	}
	l.join(life)
	if pod.Terminating() {
		alive := *pod
		alive.Deletion = nil
		l.recordPod(by, life, &alive, StateOf(&alive), nil)
	}
	l.recordPod(by, life, pod, StateOf(pod), nil)
}

// begin starts the next life of a name, in place of the last one.
func (l *Log) begin(lives *keyed.Map[*Life], key model.Key, uid model.UID) *Life {
	life := l.fresh.Next()
	*life = Life{Key: key, UID: uid, Nth: 1}
	if last := lives.Get(key); last != nil {
		life.Nth = last.Nth + 1
	}
	lives.Put(key, life)
	return life
}

// entered returns the state that a pod has entered with a change, or NoState. A terminating pod enters no other state
// until it is gone: its readiness is not reported. A pod that fails is also no longer Ready, which is not reported
// separately.
func entered(old, pod *model.Pod) timeline.State {
	switch {
	case pod.Terminating() != old.Terminating():
		return timeline.Terminating
	case pod.Terminating():
		return timeline.NoState
	case pod.Phase != old.Phase:
		return phaseStates[pod.Phase]
	case pod.Ready && !old.Ready:
		return timeline.Ready
	case old.Ready && !pod.Ready:
		return timeline.Unready
	}
	return timeline.NoState
}

var phaseStates = [...]timeline.State{
	model.NoPhase: timeline.NoState, model.Pending: timeline.Pending, model.Running: timeline.Running,
	model.Succeeded: timeline.Succeeded, model.Failed: timeline.Failed,
}

// StateOf returns the state that a pod is in, as the timeline names it. Terminating hides Ready, and Ready hides the
// phase. It is never Unready or Gone, which are changes.
func StateOf(pod *model.Pod) timeline.State {
	switch {
	case pod.Terminating():
		return timeline.Terminating
	case pod.Ready:
		return timeline.Ready
	}
	return phaseStates[pod.Phase]
}

// recordPod records that a pod enters a state. blamed are the containers that caused it, nil if none did; their
// message takes precedence over any other reason. The reason of the controller's call takes precedence over the
// pod's.
func (l *Log) recordPod(by *store.By, life *Life, pod *model.Pod, state timeline.State, blamed *model.Containers) {
	cause := l.kernel.Cause()
	cause.Why, cause.Containers = by.Why, pod.Containers
	if by.Why.Code == "" {
		cause.Reason = cmp.Or(by.Reason, pod.Reason)
	}
	if blamed != nil {
		cause.Reason, cause.Message = blamed.Shown, blamed.Message
	}
	ip := ""
	if state == timeline.Running {
		ip = l.addresses.Of(pod)
	}
	subject := life.like.Subject
	if !l.stays(life, pod, ip) {
		another := l.subjectOf(life, pod)
		another.IP = ip
		subject = &another
	}
	event := l.kernel.RecordParts(timeline.KindPod, by.Actor, subject, cause, life.like)
	event.State, event.Bare = state, life.Bare
	life.like, life.same = event.Like(), true
	life.seen, l.entered = l.revisions, len(l.kernel.Events())
}

// stays reports whether an event would say the same about a pod as the last event of its life, so that it may share
// that event's subject. The number of a revision is looked up after any write of a revision, because a rollback
// changes it without a write of the pod.
func (l *Log) stays(life *Life, pod *model.Pod, ip string) bool {
	last := life.like.Subject
	return life.same && last.IP == ip && (last.Set.Shares(life.Set) || last.Set == life.Set) &&
		(life.seen == l.revisions || last.Revision == l.number(pod.Namespace, life.revision))
}

// number returns the number of a revision, 0 if there is none of the name.
func (l *Log) number(namespace, revision string) int64 {
	if r := l.store.Revision(model.Key{Namespace: namespace, Name: revision}); r != nil {
		return r.Number
	}
	return 0
}

// Entered returns the event for the state that a pod has entered with the last write of a pod, nil if there is
// none. It is valid until the next event; faults use it to tie themselves to their trigger.
func (l *Log) Entered() *timeline.Event {
	if l.entered == 0 {
		return nil
	}
	return &l.kernel.Events()[l.entered-1]
}

// subjectOf returns the part that every event about a pod has. Its Origin is the log's own memory, so the result is
// valid until the next call.
func (l *Log) subjectOf(life *Life, pod *model.Pod) timeline.Subject {
	l.origin = timeline.Origin{Set: life.Set, Image: pod.Template.Image()}
	if pod.Template != nil {
		l.origin.Template = pod.Template.ID
	}
	if !life.labelled {
		life.revision, life.labelled = pod.Revision(), true
	}
	l.origin.Revision = l.number(pod.Namespace, life.revision)
	return timeline.Subject{Origin: &l.origin, Pod: pod.Name, UID: pod.UID, Nth: life.Nth, Node: pod.Node}
}

// blamed returns the pod's containers if they have changed together with its state, and so are the cause of it.
func blamed(by *store.By, change *store.Change) *model.Containers {
	if c := change.Pod.Containers; c != change.OldPod.Containers && by.Why.Code == "" {
		return c
	}
	return nil
}

// Containers records the state of the containers of a pod, if the pod itself has entered no other state. The kubelet
// calls it as well, for containers that end with the pod. c must not be changed afterwards.
func (l *Log) Containers(by *store.By, pod *model.Pod, c *model.Containers) {
	life := l.pods.Get(pod.Key())
	l.kernel.Record(timeline.Entry{
		Kind: timeline.KindContainer, Actor: by.Actor, Set: life.Set, Pod: pod.Name, UID: pod.UID, Nth: life.Nth,
		Node: pod.Node, Reason: c.Shown, Message: c.Message, Containers: c,
	})
}

// SeeSet records a write of a set by anyone but a user, since user writes are in the events of their steps: the
// status writes of the controller, and removals by the garbage collector.
func (l *Log) SeeSet(change *store.Change) {
	by := change.By
	switch change.Type {
	case model.Added:
		l.bareOf(change.Set)
	case model.Deleted:
		if by.Actor != timeline.User {
			l.kernel.Record(timeline.Entry{
				Kind: timeline.KindStatus, Actor: timeline.APIServer, Set: change.OldSet.Key(), Reason: timeline.ReasonDeleted,
				Message: whyGone(change.OldSet),
			})
		}
	case model.Modified:
		if change.Set.Generation == change.OldSet.Generation && by.Actor == timeline.Controller {
			// A copy, so that the timeline does not keep every version of the set alive.
			cause := l.kernel.Cause()
			cause.Why = by.Why
			event := l.kernel.RecordOf(timeline.KindStatus, by.Actor, change.Set.Key(), cause)
			l.kernel.KeepStatus(event, &change.Set.Status)
		}
	}
}

// whyGone says why a set is gone although no step has removed it.
func whyGone(set *model.StatefulSet) string {
	if slices.Contains(set.Finalizers, store.FinalizerOrphan) {
		return "what it owned belongs to nobody"
	}
	return "the last of its pods is gone"
}

// SeeRevision records a write of a revision: its creation, its new number, its deletion, or its new owner.
func (l *Log) SeeRevision(change *store.Change) {
	by := change.By
	l.revisions++
	if change.Type == model.Modified && l.recordRevisionOwner(by, change.OldRevision, change.Revision) {
		return
	}
	revision := cmp.Or(change.Revision, change.OldRevision)
	l.kernel.Record(timeline.Entry{
		Kind: timeline.KindRevision, Actor: by.Actor, Set: ownerOf(&revision.Meta), Why: by.Why,
		Rev: &timeline.Rev{
			Type: change.Type, Name: revision.Name, Number: revision.Number, Template: revision.Template.ID,
			Cause: revision.Annotations[model.AnnotationChangeCause],
		},
	})
}

// SeeClaim records a write of a claim, and starts its life if it is new.
func (l *Log) SeeClaim(change *store.Change) {
	claim := cmp.Or(change.Claim, change.OldClaim)
	if change.Type == model.Added {
		life := l.begin(&l.claims, claim.Key(), claim.UID)
		life.Set = l.store.ClaimSet(claim.Key())
	}
	phase := claim.Phase.String()
	if claim.Terminating() {
		phase = timeline.PhaseTerminating
	}
	var owners []string
	for _, owner := range claim.Owners {
		owners = append(owners, owner.Kind.String()+"/"+owner.Name)
	}
	l.kernel.Record(timeline.Entry{
		Kind: timeline.KindClaim, Actor: change.By.Actor, Why: change.By.Why, Set: l.claims.Get(claim.Key()).Set,
		Claim: &timeline.Claim{Type: change.Type, Name: claim.Name, Phase: phase, Owners: owners},
	})
}
