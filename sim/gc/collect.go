package gc

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
)

// object identifies an object among all others. Whether it still exists is asked with meta.
type object struct {
	kind model.Kind
	key  model.Key
	uid  model.UID
}

// meta returns an object's metadata, or nil if the object no longer exists; another object with the same name but
// another uid does not count. An object of a kind that the simulator does not know is never found.
func (c *Collector) meta(o object) *model.Meta {
	var meta *model.Meta
	switch o.kind {
	case model.KindStatefulSet:
		if set := c.store.Set(o.key); set != nil {
			meta = &set.Meta
		}
	case model.KindPod:
		if pod := c.store.Pod(o.key); pod != nil {
			meta = &pod.Meta
		}
	case model.KindClaim:
		if claim := c.store.Claim(o.key); claim != nil {
			meta = &claim.Meta
		}
	case model.KindRevision:
		if revision := c.store.Revision(o.key); revision != nil {
			meta = &revision.Meta
		}
	}
	if meta == nil || meta.UID != o.uid {
		return nil
	}
	return meta
}

// dependents lists the dependents of a set in the order in which the collector takes them if the chooser does not
// choose: the revisions, the pods by their ordinals, the claims. The slice is new.
func (c *Collector) dependents(uid model.UID) []object {
	if !c.ofOwners.Kept() {
		for _, revision := range c.store.Revisions() {
			c.owns(model.KindRevision, &revision.Meta)
		}
		for _, pod := range c.store.Pods() {
			c.owns(model.KindPod, &pod.Meta)
		}
	}
	var list []object
	for _, key := range c.ofOwners.Keys(ofOwner{model.KindRevision, uid}) {
		list = append(list, object{model.KindRevision, key, c.store.Revision(key).UID})
	}
	first := len(list)
	for _, key := range c.ofOwners.Keys(ofOwner{model.KindPod, uid}) {
		list = append(list, object{model.KindPod, key, c.store.Pod(key).UID})
	}
	slices.SortStableFunc(list[first:], func(a, b object) int {
		_, i := model.SplitPodName(a.key.Name)
		_, j := model.SplitPodName(b.key.Name)
		return cmp.Compare(i, j)
	})
	return append(list, c.ownedClaims(uid)...)
}

// ownedClaims lists the claims that have an owner with that uid, in the order in which they got that owner.
func (c *Collector) ownedClaims(uid model.UID) []object {
	var list []object
	for _, key := range c.owned[uid] {
		list = append(list, object{model.KindClaim, key, c.store.Claim(key).UID})
	}
	return list
}

// shuffle puts objects into the order in which the collector takes them, in place. In a real collector the order
// depends on its workers, so it is a choice; without a choice the list stays as it is.
func (c *Collector) shuffle(list []object) []object {
	for i := range list[:max(0, len(list)-1)] {
		at := i + c.kernel.Choose(choose.Branch, len(list)-i)
		taken := list[at]
		copy(list[i+1:at+1], list[i:at])
		list[i] = taken
	}
	return list
}

// collectAll schedules a check of each of the objects, whose owner is gone or is being deleted. The check decides
// whether an object is really deleted (collect).
func (c *Collector) collectAll(list []object) {
	for _, o := range c.shuffle(list) {
		c.collectLater(o)
	}
}

// collectLater schedules a check of an object after the collector's delay, which is drawn for it; Never means that the
// object is never collected.
func (c *Collector) collectLater(o object) {
	if wait, never := c.kernel.Draw(c.config.Delay); !never {
		c.later(wait, collect, o)
	}
}

// collectClaims is collectAll for the claims of a deleted pod. The checks come after the syncs that follow the end
// of the pod, as in a real cluster (kernel.NextLate). So if the replica is wanted again, the controller still sees
// the old claim and does not create a pod.
func (c *Collector) collectClaims(list []object) {
	for _, o := range c.shuffle(list) {
		if wait, never := c.kernel.Draw(c.config.Delay); !never {
			c.kernel.At(c.kernel.Now()+wait, kernel.AfterSyncs, event(collect, o))
		}
	}
}

// collect deletes an object if none of its owners stays. If one stays, the references to the others are removed, so
// that they need not wait for the object. An object without owners stays. A pod whose owner is deleted in the
// foreground, and that has claims which block it, is deleted in the foreground itself: it stays until these claims
// are gone.
func (c *Collector) collect(o object) {
	meta := c.meta(o)
	if meta == nil || meta.Terminating() || len(meta.Owners) == 0 {
		return
	}
	goes := func(owner model.Owner) bool { return !c.stays(meta.Namespace, owner) }
	stay := slices.DeleteFunc(slices.Clone(meta.Owners), goes)
	switch {
	case len(stay) == len(meta.Owners):
	case len(stay) > 0:
		c.setOwners(o, stay)
	case o.kind == model.KindPod && c.awaited(meta) && c.holdsClaims(o.uid):
		c.write().HoldPod(o.key)
		c.deleteObject(o)
		c.collectAll(c.ownedClaims(o.uid))
	default:
		c.deleteObject(o)
	}
}

// awaited reports whether an owner of an object is being deleted in the foreground, so that the owner waits for the
// object.
func (c *Collector) awaited(meta *model.Meta) bool {
	return slices.ContainsFunc(meta.Owners, func(owner model.Owner) bool {
		return c.meta(ownerObject(meta.Namespace, owner)) != nil && !c.stays(meta.Namespace, owner)
	})
}

// holdsClaims reports whether a pod that is deleted in the foreground waits for claims: the claims that a
// scale-down with whenScaled: Delete has made it the controller of. Up to 1.30 these references do not make it the
// controller and block nothing.
func (c *Collector) holdsClaims(pod model.UID) bool {
	return slices.ContainsFunc(c.ownedClaims(pod), func(claim object) bool { return blocks(pod, c.meta(claim)) })
}

// letGoLater schedules, in this instant, a check whether a pod that waits for its claims may be removed.
func (c *Collector) letGoLater(o object) {
	if o.kind == model.KindPod && c.isHeld(o) {
		c.later(0, letGo, o)
	}
}

// letGo removes a pod that is deleted in the foreground if it no longer waits for claims.
func (c *Collector) letGo(o object) {
	if c.isHeld(o) && !c.holdsClaims(o.uid) {
		c.write().LetPodGo(o.key)
	}
}

// isHeld reports whether an object exists and its deletion waits for its dependents.
func (c *Collector) isHeld(o object) bool {
	meta := c.meta(o)
	return meta != nil && store.InForeground(meta)
}

// ownerObject is the object that an owner reference means. Owners are in the namespace of their dependents.
func ownerObject(namespace string, owner model.Owner) object {
	return object{owner.Kind, model.Key{Namespace: namespace, Name: owner.Name}, owner.UID}
}

// stays reports whether an owner exists and does not wait for its dependents to be deleted.
func (c *Collector) stays(namespace string, owner model.Owner) bool {
	if owner.Kind == model.KindNone && c.config.Foreign != nil {
		return c.config.Foreign(owner.UID)
	}
	meta := c.meta(ownerObject(namespace, owner))
	return meta != nil && !(meta.Terminating() && store.InForeground(meta))
}

// deleteObject deletes an object, with the uid as a precondition where the API has one. Pods get their grace period.
func (c *Collector) deleteObject(o object) {
	switch o.kind {
	case model.KindPod:
		c.write().DeletePod(o.key, o.uid, false)
	case model.KindClaim:
		c.write().DeleteClaim(o.key, o.uid)
	case model.KindRevision:
		c.write().DeleteRevision(o.key)
	}
}

// setOwners replaces the owners of an object that exists.
func (c *Collector) setOwners(o object, owners []model.Owner) {
	switch o.kind {
	case model.KindPod:
		pod := *c.store.Pod(o.key)
		pod.Owners = owners
		c.write().UpdatePod(&pod)
	case model.KindClaim:
		claim := *c.store.Claim(o.key)
		claim.Owners = owners
		c.write().UpdateClaim(&claim)
	case model.KindRevision:
		revision := *c.store.Revision(o.key)
		revision.Owners = owners
		c.write().UpdateRevision(&revision)
	}
}

// dangle schedules a check of an object that has new owners, if one of these does not exist: such an object was
// created or adopted too late for the check at its owner's end. An owner that waits for its dependents makes no
// difference here: it is checked whenever a dependent is deleted.
func (c *Collector) dangle(o object, owners []model.Owner) {
	for _, owner := range owners {
		if c.meta(ownerObject(o.key.Namespace, owner)) == nil {
			c.collectLater(o)
			return
		}
	}
}

// lost handles the end of an object, which is no longer in the store: its dependents may be deleted, and an owner
// that waits for it may be removed.
func (c *Collector) lost(kind model.Kind, meta *model.Meta) {
	switch kind {
	case model.KindStatefulSet:
		c.collectAll(c.dependents(meta.UID))
	case model.KindPod:
		c.collectClaims(c.ownedClaims(meta.UID))
	}
	for _, owner := range meta.Owners {
		c.ownerLater(ownerObject(meta.Namespace, owner))
	}
}

// ownerLater schedules, in this instant, a check of a set that is being deleted in the foreground. However many
// dependents end at that instant, there is one check.
func (c *Collector) ownerLater(o object) {
	set := c.store.Set(o.key)
	waits := o.kind == model.KindStatefulSet && set != nil && set.UID == o.uid && store.InForeground(&set.Meta)
	if !waits || c.looks[o.uid] {
		return
	}
	keyed.Put(&c.looks, o.uid, true)
	c.later(0, look, o)
}

// collectOwner removes a set that is being deleted in the foreground when no dependent blocks it any more.
// Dependents that were created after its deletion began, for example a recreated revision, are deleted first.
func (c *Collector) collectOwner(o object) {
	if c.meta(o) == nil {
		return
	}
	blocked := false
	for _, dependent := range c.dependents(o.uid) {
		meta := c.meta(dependent)
		if !blocks(o.uid, meta) {
			continue
		}
		blocked = true
		if !meta.Terminating() {
			c.collectLater(dependent)
		}
	}
	if !blocked {
		c.write().RemoveSet(o.key)
	}
}

// blocks reports whether a dependent blocks the deletion of its owner (blockOwnerDeletion). Only references that
// make the owner the controller do so, because that is how the StatefulSet controller writes them.
func blocks(uid model.UID, meta *model.Meta) bool {
	return slices.ContainsFunc(meta.Owners, func(o model.Owner) bool { return o.UID == uid && o.Controller })
}

// deleteForeground starts to delete the dependents of a set that waits for them. A set without any is removed after
// the collector's delay.
func (c *Collector) deleteForeground(set *model.StatefulSet) {
	dependents := c.dependents(set.UID)
	c.collectAll(dependents)
	if slices.ContainsFunc(dependents, func(d object) bool { return blocks(set.UID, c.meta(d)) }) {
		return
	}
	if wait, never := c.kernel.Draw(c.config.Delay); !never {
		c.later(wait, finish, object{model.KindStatefulSet, set.Key(), set.UID})
	}
}

// orphan removes the owner from everything that a set owns, and then removes the set. It does nothing if the set is
// gone or no longer has the finalizer.
func (c *Collector) orphan(o object) {
	meta := c.meta(o)
	if meta == nil || !slices.Contains(meta.Finalizers, store.FinalizerOrphan) {
		return
	}
	c.orphanAll(o)
	c.write().RemoveSet(o.key)
}

// orphanAll removes a set from the owners of its dependents. Other owners stay.
func (c *Collector) orphanAll(o object) {
	for _, dependent := range c.shuffle(c.dependents(o.uid)) {
		rest := func(owner model.Owner) bool { return owner.UID == o.uid }
		c.setOwners(dependent, slices.DeleteFunc(slices.Clone(c.meta(dependent).Owners), rest))
	}
}
