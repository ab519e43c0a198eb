// Package gc is the garbage collector. It looks at owner references and uids only: an object is deleted when none of
// its owners stays, and a foreground deletion waits for the dependents that block their owner.
//
// Ownership follows from the store; it is kept for claims (owned), and from the first deletion of a set for pods
// and revisions (ofOwners). A check that was scheduled never trusts its reason: it looks at the object and its
// owners as they are then. So a check too many does no harm, and an object that is adopted in time stays.
//
// Invariants: it writes only from its own events, never while a watch notifies it; owned matches the claims of the
// store. Package sim calls Delete for users and Stuck at the end of a run; it calls only the store.
package gc

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Config sets how long the garbage collector takes to act. With the zero value it acts in the same instant.
type Config struct {
	// Delay is the time from the moment when an object's owners are gone, or are being deleted in the foreground,
	// until its deletion; it is drawn for each object. For a set that is deleted with cascade: orphan, it is the
	// time until its dependents have no owner.
	Delay behaviour.Delay
	// Foreign, if set, reports whether an owner of a kind that the simulator does not know exists; otherwise such
	// an owner does not exist.
	Foreign func(model.UID) bool
}

// Collector is the garbage collector. Its See methods must watch the store, for all four kinds; they schedule checks
// and never write.
type Collector struct {
	kernel *kernel.Kernel `print:"-"`
	store  *store.Store   `print:"-"`
	config Config         `print:"-"`
	// looks are the sets that it will check in this instant because one of their dependents is gone: each has one event
	// look in the queue. At a fixed point there are none, unless the collector's process is away (kernel.Away).
	looks map[model.UID]bool
	// owned are the claims with owner references, by the uid of the owner, in the order in which the references were
	// added. It follows from the store and only SeeClaim updates it; the owner itself need not exist. No list is empty.
	owned map[model.UID][]model.Key
	// ofOwners are the pods and the revisions with owner references, once they have been asked for; see dependents.
	ofOwners keyed.Groups[ofOwner] `print:"-"`
}

// ofOwner are the objects of a kind that have an owner with that uid.
type ofOwner struct {
	kind  model.Kind
	owner model.UID
}

// The kinds of events. collect: an object whose owners are gone or are being deleted is checked. letGo: a pod that
// waits for its claims is checked. look: a set that waits for its dependents is checked because one of them is gone.
// finish: it is checked because it has none. orphan: a set leaves its dependents behind.
const (
	collect uint8 = iota
	letGo
	look
	finish
	orphan
)

var eventNames = []string{"collect", "let go", "look", "finish", "orphan"}

// New returns the garbage collector of an empty cluster, and takes over the events of the room.
func New(k *kernel.Kernel, s *store.Store, config Config) *Collector {
	c := &Collector{kernel: k, store: s, config: config}
	k.Handle(kernel.Collector, eventNames, c)
	return c
}

// write returns the store for writes of the collector.
func (c *Collector) write() store.Writer { return c.store.As(store.By{Actor: timeline.APIServer}) }

// Happen carries out an event of the room. Only the kernel calls it.
func (c *Collector) Happen(e kernel.Event) {
	o := object{e.Of, e.Key, e.UID}
	switch e.Kind {
	case collect:
		c.collect(o)
	case letGo:
		c.letGo(o)
	case look:
		delete(c.looks, o.uid)
		c.collectOwner(o)
	case finish:
		c.collectOwner(o)
	case orphan:
		c.orphan(o)
	}
}

// Keep does nothing, since the collector cancels no event.
func (*Collector) Keep(kernel.Event, *kernel.Timer) {}

// later schedules a check of an object.
func (c *Collector) later(wait model.Time, kind uint8, o object) {
	c.kernel.At(c.kernel.Now()+wait, kernel.ByCollector, event(kind, o))
}

// event returns an event about an object: it names the object, and the check looks whether that still exists.
func event(kind uint8, o object) kernel.Event {
	return kernel.Event{Room: kernel.Collector, Kind: kind, Of: o.kind, UID: o.uid, Key: o.key}
}

// SeePod reacts to a pod that has new owners, and to one that is gone. A pod of a dump with an owner of a kind that
// the simulator does not know stays, since it is unknown whether that owner exists.
func (c *Collector) SeePod(change *store.Change) {
	if change.Type != model.Modified || !model.SameOwners(change.OldPod.Owners, change.Pod.Owners) {
		c.follow(change)
	}
	switch pod := change.Pod; {
	case change.Type == model.Deleted:
		c.lost(model.KindPod, &change.OldPod.Meta)
	case change.By.Actor == timeline.Dump && slices.ContainsFunc(pod.Owners, ofNoKind):
		// Whether an owner of another kind exists is not known.
	case change.OldPod == nil || !model.SameOwners(change.OldPod.Owners, pod.Owners):
		c.dangle(object{model.KindPod, pod.Key(), pod.UID}, pod.Owners)
	}
}

// follow keeps ofOwners up to date when the owners of an object have changed.
func (c *Collector) follow(change *store.Change) {
	if !c.ofOwners.Kept() {
		return
	}
	if pod := change.OldPod; pod != nil {
		c.disowned(model.KindPod, &pod.Meta)
	}
	if revision := change.OldRevision; revision != nil {
		c.disowned(model.KindRevision, &revision.Meta)
	}
	if pod := change.Pod; pod != nil {
		c.owns(model.KindPod, &pod.Meta)
	}
	if revision := change.Revision; revision != nil {
		c.owns(model.KindRevision, &revision.Meta)
	}
}

// owns adds an object to the dependents of its owners, and disowned removes it.
func (c *Collector) owns(kind model.Kind, meta *model.Meta) {
	for _, owner := range meta.Owners {
		c.ofOwners.Add(ofOwner{kind, owner.UID}, meta.Key())
	}
}

func (c *Collector) disowned(kind model.Kind, meta *model.Meta) {
	for _, owner := range meta.Owners {
		c.ofOwners.Remove(ofOwner{kind, owner.UID}, meta.Key())
	}
}

// ofNoKind reports whether an owner is of a kind that the simulator does not know.
func ofNoKind(o model.Owner) bool { return o.Kind == model.KindNone }

// SeeRevision reacts to a revision that has new owners, and to one that is deleted.
func (c *Collector) SeeRevision(change *store.Change) {
	c.follow(change)
	switch revision := change.Revision; {
	case change.Type == model.Deleted:
		c.lost(model.KindRevision, &change.OldRevision.Meta)
	case change.OldRevision == nil || !slices.Equal(change.OldRevision.Owners, revision.Owners):
		c.dangle(object{model.KindRevision, revision.Key(), revision.UID}, revision.Owners)
	}
}

// SeeSet reacts to a set that is deleted, and to one whose foreground deletion has started.
func (c *Collector) SeeSet(change *store.Change) {
	switch change.Type {
	case model.Deleted:
		c.lost(model.KindStatefulSet, &change.OldSet.Meta)
	case model.Added:
		c.goOn(change.Set)
	case model.Modified:
		if store.InForeground(&change.Set.Meta) && !store.InForeground(&change.OldSet.Meta) {
			c.deleteForeground(change.Set)
		}
	}
}

// goOn continues the deletion of a set in a start state. Its delay starts again.
func (c *Collector) goOn(set *model.StatefulSet) {
	switch {
	case store.InForeground(&set.Meta):
		c.deleteForeground(set)
	case slices.Contains(set.Finalizers, store.FinalizerOrphan):
		c.later(0, orphan, object{model.KindStatefulSet, set.Key(), set.UID})
	}
}

// SeeClaim keeps owned up to date, and reacts to a claim that has new owners or is deleted.
func (c *Collector) SeeClaim(change *store.Change) {
	if change.Type == model.Deleted {
		c.disown(change.OldClaim)
		c.lost(model.KindClaim, &change.OldClaim.Meta)
		return
	}
	c.own(change.Claim, change.OldClaim)
}

// own updates the owners of a claim, and checks the claim if they have changed.
func (c *Collector) own(claim, old *model.Claim) {
	if old != nil {
		if slices.Equal(old.Owners, claim.Owners) {
			return
		}
		c.disown(old)
	}
	for _, owner := range claim.Owners {
		keyed.Put(&c.owned, owner.UID, append(c.owned[owner.UID], claim.Key()))
	}
	c.dangle(object{model.KindClaim, claim.Key(), claim.UID}, claim.Owners)
}

// disown takes a claim out of owned. A pod that waits for its claims may then be released.
func (c *Collector) disown(claim *model.Claim) {
	for _, owner := range claim.Owners {
		c.letGoLater(ownerObject(claim.Namespace, owner))
		rest := slices.DeleteFunc(c.owned[owner.UID], func(key model.Key) bool { return key == claim.Key() })
		if len(rest) == 0 {
			delete(c.owned, owner.UID)
			continue
		}
		c.owned[owner.UID] = rest
	}
}

// DeletionPolicy decides what happens to a set's dependents when the set is deleted (propagationPolicy; kubectl:
// --cascade).
type DeletionPolicy uint8

// The policies.
const (
	// Background removes the set at once; its dependents are deleted afterwards.
	Background DeletionPolicy = iota
	// Foreground deletes the dependents first; the set is removed with the last of them.
	Foreground
	// Orphan removes the set and leaves its pods, its revisions and its claims without an owner.
	Orphan
)

// Delete deletes a set on behalf of by. The collector handles its dependents; the StatefulSet controller does
// nothing for the pods of a set that is being deleted. With Background the set is gone when Delete returns. A
// missing set gives the API server's NotFound. It is for users; the collector's own deletions do not use it.
func (c *Collector) Delete(by store.By, key model.Key, policy DeletionPolicy) *model.APIError {
	set := c.store.Set(key)
	switch {
	case set == nil || policy == Background:
		return c.store.As(by).RemoveSet(key)
	case policy == Foreground:
		c.store.As(by).MarkSetDeleted(key, store.FinalizerForeground)
	default:
		return c.leave(by, object{model.KindStatefulSet, key, set.UID})
	}
	return nil
}

// leave removes a set without its dependents. If that takes no time, the finalizer is never visible.
func (c *Collector) leave(by store.By, o object) *model.APIError {
	wait, never := c.kernel.Draw(c.config.Delay)
	if wait == 0 && !never && !c.kernel.IsAway(kernel.Collector) {
		c.orphanAll(o)
		return c.store.As(by).RemoveSet(o.key)
	}
	c.store.As(by).MarkSetDeleted(o.key, store.FinalizerOrphan)
	if !never {
		c.later(wait, orphan, o)
	}
	return nil
}

// Stuck lists the pods that stay forever and that the foreground deletion of their set waits for. It must be called
// only at the end of a run: before that a terminating pod may still be removed. The waiting party is not the
// controller, which does nothing for a set that is being deleted, but the user who deletes it.
func (c *Collector) Stuck(key model.Key) []timeline.Stuck {
	set := c.store.Set(key)
	if set == nil || !set.Terminating() || !store.InForeground(&set.Meta) {
		return nil
	}
	var list []timeline.Stuck
	for _, o := range c.dependents(set.UID) {
		if meta := c.meta(o); o.kind == model.KindPod && meta.Terminating() && blocks(set.UID, meta) {
			why := model.Why{Code: model.WaitingForTermination, Object: o.key.Name, Rule: model.RuleForegroundDeletion}
			if store.InForeground(meta) && meta.Deletion.Grace == 0 {
				why.Rule = model.RuleClaimOfPod
			}
			list = append(list, timeline.Stuck{Set: key, Why: why, Since: meta.Deletion.At})
		}
	}
	return list
}
