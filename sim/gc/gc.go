// Package gc is the garbage collector. It goes by owner references and uids alone: an object goes when none of its
// owners is there to stay, and a foreground deletion waits for the dependents that block their owner.
package gc

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Config says how long the garbage collector takes to act on what it sees. The zero value acts in the same instant.
type Config struct {
	// Delay is the time from the moment when an object's owners are gone, or are being deleted in the foreground, until
	// its deletion; it is drawn for each object. For a set that is deleted with cascade: orphan it is the time until its
	// dependents have no owner.
	Delay behaviour.Delay
}

// Collector is the garbage collector.
type Collector struct {
	kernel *kernel.Kernel `print:"-"`
	store  *store.Store   `print:"-"`
	config Config         `print:"-"`
	// looks are the sets that it will look at in this instant, since one of their dependents is gone: each has one event
	// look in the queue. At a fixed point there is none, unless the collector's process is away.
	looks map[model.UID]bool
	// owned are the claims that an owner reference points from, by the uid of the owner, in the order in which they came.
	// It follows from the store and is kept by SeeClaim alone: an owner need not be there.
	owned map[model.UID][]model.Key
}

// The events: an object whose owners are gone or going is looked at; so is a pod that waits for its claims, a set that
// waits for its dependents, because one of them is gone or for the first time; a set leaves its dependents behind.
const (
	collect uint8 = iota
	letGo
	look
	finish
	orphan
)

var eventNames = []string{"collect", "let go", "look", "finish", "orphan"}

// New returns the garbage collector of an empty cluster.
func New(k *kernel.Kernel, s *store.Store, config Config) *Collector {
	c := &Collector{kernel: k, store: s, config: config, looks: map[model.UID]bool{}, owned: map[model.UID][]model.Key{}}
	k.Handle(kernel.Collector, eventNames, c.happen)
	return c
}

// write returns the store in the collector's hands.
func (c *Collector) write() store.Writer { return c.store.As(store.By{Actor: timeline.APIServer}) }

func (c *Collector) happen(e kernel.Event) {
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

func (c *Collector) later(wait model.Time, kind uint8, o object) {
	c.kernel.At(c.kernel.Now()+wait, kernel.ByCollector, event(kind, o))
}

func event(kind uint8, o object) kernel.Event {
	return kernel.Event{Room: kernel.Collector, Kind: kind, Of: o.kind, UID: o.uid, Key: o.key}
}

// SeePod looks at a pod that has got owners, and at what one owned that is gone.
func (c *Collector) SeePod(change *store.Change) {
	switch pod := change.Pod; {
	case change.Type == model.Deleted:
		c.lost(model.KindPod, &change.OldPod.Meta)
	case change.By.Actor == timeline.Dump && slices.ContainsFunc(pod.Owners, ofNoKind):
		// Nobody knows whether an owner of another kind is there.
	case change.OldPod == nil || !model.SameOwners(change.OldPod.Owners, pod.Owners):
		c.dangle(object{model.KindPod, pod.Key(), pod.UID}, pod.Owners)
	}
}

func ofNoKind(o model.Owner) bool { return o.Kind == model.KindNone }

// SeeRevision looks at a revision that has got owners.
func (c *Collector) SeeRevision(change *store.Change) {
	switch revision := change.Revision; {
	case change.Type == model.Deleted:
		c.lost(model.KindRevision, &change.OldRevision.Meta)
	case change.Type == model.Modified && !sameController(&change.OldRevision.Meta, &revision.Meta):
		// Whoever adopts a revision is there, and one that belongs to nobody stays.
	case change.OldRevision == nil || !slices.Equal(change.OldRevision.Owners, revision.Owners):
		c.dangle(object{model.KindRevision, revision.Key(), revision.UID}, revision.Owners)
	}
}

func sameController(a, b *model.Meta) bool {
	before, after := a.Controller(), b.Controller()
	if before == nil || after == nil {
		return before == after
	}
	return before.UID == after.UID
}

// SeeSet looks at what a set owned that is gone, or owns that waits for its dependents to go.
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

// goOn goes on with the deletion of a set that comes with a state.
func (c *Collector) goOn(set *model.StatefulSet) {
	switch {
	case store.InForeground(&set.Meta):
		c.deleteForeground(set)
	case slices.Contains(set.Finalizers, store.FinalizerOrphan):
		c.later(0, orphan, object{model.KindStatefulSet, set.Key(), set.UID})
	}
}

// SeeClaim follows the owners of a claim.
func (c *Collector) SeeClaim(change *store.Change) {
	if change.Type == model.Deleted {
		c.disown(change.OldClaim)
		c.lost(model.KindClaim, &change.OldClaim.Meta)
		return
	}
	c.own(change.Claim, change.OldClaim)
}

// own notes the owners of a claim, and looks at it where they have changed.
func (c *Collector) own(claim, old *model.Claim) {
	if old != nil && slices.Equal(old.Owners, claim.Owners) || old == nil && len(claim.Owners) == 0 {
		return
	}
	if old != nil {
		c.disown(old)
	}
	for _, owner := range claim.Owners {
		c.owned[owner.UID] = append(c.owned[owner.UID], claim.Key())
	}
	c.dangle(object{model.KindClaim, claim.Key(), claim.UID}, claim.Owners)
}

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

// DeletionPolicy says what happens to a set's pods when the set is deleted.
type DeletionPolicy uint8

// The policies.
const (
	// Background removes the set at once; what it owns is deleted after it.
	Background DeletionPolicy = iota
	// Foreground deletes what it owns first; the set goes with the last of that.
	Foreground
	// Orphan removes the set and leaves its pods, its revisions and its claims without an owner.
	Orphan
)

// Delete deletes a set. The collector deals with its dependents; a set that is being deleted does nothing for its pods
// itself.
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

// leave lets a set go without what it owns. Where the collector takes no time the set is gone before anybody could
// have seen its finalizer.
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

// Stuck lists the pods that stay for ever and for which the foreground deletion of their set waits. The controller
// does not wait, because it does nothing for a set that is being deleted, but the user who deletes it does.
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
