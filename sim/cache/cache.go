// Package cache holds what a controller knows about the API server: the objects as its watches have delivered them,
// indexed by the set that owns them. Every delivery updates the part of its set in place, so a sync gets it as a
// model.View without building anything.
//
// The parts:
//
//	cache.go    which set a delivery belongs to
//	group.go    the objects of one set, in the order in which a sync asks for them: its view
//	view.go     the answers of the view
//	column.go   pods by position, and the classes of pods that are alike
//	bitset.go   the members of a class
//	frozen.go   the view of a sync that may be suspended
//	pieces.go   sharing between a view that is frozen and the group that goes on
//
// Invariants: a pod of the cache is in exactly one place, with its owner or among the orphans; in a group it is in
// one of replicas, condemned, unplaced and strays. A view answers the same as a search through all pods; a test
// compares the two.
//
// Package manager calls it: Apply for each delivery of a watch, View or Freeze when a sync begins. The controller only
// sees it as model.View and model.Sets.
package cache

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
)

// Cache is the controller's cache of sets, pods, claims and revisions. It implements model.Sets. It contains exactly
// the objects that Apply has delivered: at a fixed point without changes on their way it equals the store. Only the
// manager writes to it, and it never writes to an object.
type Cache struct {
	// ExactNames is true if web-01 is not a pod of the set web (ClaimsExactly). It is set before the first
	// delivery.
	ExactNames bool

	// byKey has a group for each set in the cache; byUID also has the groups of owners that are not, or no longer,
	// in it, because pods may be delivered before their set and outlive it. A set has the same group in both. A
	// group is never removed from byUID.
	byKey keyed.Map[*group]
	byUID map[model.UID]*group
	// claims are the claims of all sets, by key: a sync reads them live, so no group has them.
	claims map[model.Key]*model.Claim
	// ownedClaims counts the claims of each namespace that have an owner; see model.View.OwnedClaims.
	ownedClaims map[string]int
	// orphans are the pods without a controller, in each namespace.
	orphans map[string]*orphans
	// latest finds a pod as a lister would at this moment, whatever the views show.
	latest func(model.Key) *model.Pod
	// delivered is the highest resource version of each kind that the cache has, which the stale-cache guard compares
	// with the versions of the controller's own writes.
	delivered [model.KindRevision + 1]uint64
	// idle is a view that Thaw has given back; nil if there is none.
	idle *Frozen
}

// New returns an empty cache. While a sync runs, its view is frozen and does not follow the cache; latest returns the
// current state of a pod, as far as the watches have delivered it.
func New(latest func(model.Key) *model.Pod) *Cache {
	return &Cache{latest: latest}
}

// Apply takes in one delivery of a watch at the instant now. Deliveries of one kind come in the order of the writes;
// a relist may leave out intermediate states, but Old must then be the object that the cache has. It invalidates all
// views that are not frozen. It costs O(1) for most changes of a pod, and O(pods of the set) for a change of a set's
// spec.
func (c *Cache) Apply(change *store.Change, now model.Time) {
	switch change.Kind {
	case model.KindStatefulSet:
		c.applySet(change, now)
	case model.KindPod:
		c.applyPod(change, now)
	case model.KindClaim:
		c.applyClaim(change)
	case model.KindRevision:
		c.applyRevision(change)
	}
}

// applySet takes in a change of a set. The pods of a set that was replaced by a namesake stay in the old group.
func (c *Cache) applySet(change *store.Change, now model.Time) {
	if change.Type == model.Deleted {
		c.byKey.Delete(change.OldSet.Key())
		c.owned(change.OldSet.UID).forget()
		return
	}
	c.Reached(model.KindStatefulSet, change.Set.ResourceVersion)
	if change.OldSet != nil && change.OldSet.UID != change.Set.UID {
		c.owned(change.OldSet.UID).forget()
	}
	g := c.owned(change.Set.UID)
	if g.set == nil || change.OldSet == nil {
		c.byKey.Put(change.Set.Key(), g)
	}
	g.setSet(change.Set, now)
}

// applyPod takes in a change of a pod, which may move it to another owner.
func (c *Cache) applyPod(change *store.Change, now model.Time) {
	if change.OldPod != nil && change.Pod != nil && c.changePod(change.OldPod, change.Pod, now) {
		return
	}
	if old := change.OldPod; old != nil {
		if owner := old.Controller(); owner != nil {
			c.owned(owner.UID).removePod(old)
		} else {
			c.orphansOf(old.Namespace).removePod(old)
		}
	}
	if pod := change.Pod; pod != nil {
		c.Reached(model.KindPod, pod.ResourceVersion)
		if owner := pod.Controller(); owner != nil {
			c.owned(owner.UID).addPod(pod, now)
		} else {
			c.orphansOf(pod.Namespace).addPod(pod)
		}
	}
}

// changePod takes in a change of a pod that leaves it with its owner, as most do. It returns false, and has changed
// nothing, if applyPod must do it as a removal and an addition.
func (c *Cache) changePod(old, pod *model.Pod, now model.Time) bool {
	before, owner := old.Controller(), pod.Controller()
	if before == nil || owner == nil || before.UID != owner.UID || !c.owned(owner.UID).changePod(old, pod, now) {
		return false
	}
	c.Reached(model.KindPod, pod.ResourceVersion)
	return true
}

// applyClaim takes in a change of a claim, and keeps the number of claims with an owner. No view needs a copy of
// the group for it: claims are read live.
func (c *Cache) applyClaim(change *store.Change) {
	if old := change.OldClaim; old != nil && len(old.Owners) > 0 {
		c.ownedClaims[old.Namespace]--
	}
	if change.Type == model.Deleted {
		delete(c.claims, change.OldClaim.Key())
		return
	}
	claim := change.Claim
	if len(claim.Owners) > 0 {
		keyed.Put(&c.ownedClaims, claim.Namespace, c.ownedClaims[claim.Namespace]+1)
	}
	c.Reached(model.KindClaim, claim.ResourceVersion)
	keyed.Put(&c.claims, claim.Key(), claim)
}

// applyRevision takes in a change of a revision: the old version is removed from the group of its controller, and
// the new one is added to the group of its own controller, which may differ after an adoption. Its version is not
// noted: the stale-cache guard ignores revisions.
func (c *Cache) applyRevision(change *store.Change) {
	if old := change.OldRevision; old != nil {
		if owner := old.Controller(); owner != nil {
			c.owned(owner.UID).removeRevision(old)
		} else {
			c.orphansOf(old.Namespace).removeRevision(old)
		}
	}
	if revision := change.Revision; revision != nil {
		if owner := revision.Controller(); owner != nil {
			c.owned(owner.UID).addRevision(revision)
		} else {
			c.orphansOf(revision.Namespace).addRevision(revision)
		}
	}
}

// owned returns the group of an owner, and creates it if there is none: objects may be delivered before their owner.
func (c *Cache) owned(uid model.UID) *group {
	g := c.byUID[uid]
	if g == nil {
		g = newGroup(c)
		keyed.Put(&c.byUID, uid, g)
	}
	return g
}

// Set returns the set as the cache has it, or nil.
func (c *Cache) Set(key model.Key) *model.StatefulSet {
	if g := c.byKey.Get(key); g != nil {
		return g.set
	}
	return nil
}

// Selecting calls yield for the sets of the namespace that select the labels, by name. It looks at all sets.
func (c *Cache) Selecting(namespace string, labels map[string]string, yield func(*model.StatefulSet)) {
	for _, key := range c.keys() {
		set := c.byKey.Get(key).set
		if key.Namespace == namespace && set.Spec.Selector.Matches(labels) {
			yield(set)
		}
	}
}

// keys returns the keys of the sets in the cache, in their order; the caller must not change the slice.
func (c *Cache) keys() []model.Key { return c.byKey.Keys() }

// View returns what a sync of the set sees at the instant now, or nil if the cache has no such set. It costs nothing
// but the pods that have become available since the last call. It is valid until the next Apply. now must not be
// before the instant of an earlier call.
func (c *Cache) View(key model.Key, now model.Time) model.View {
	g := c.byKey.Get(key)
	if g == nil {
		return nil
	}
	g.ripen(now)
	return g
}

// Wrote notes that the controller has written an object of the kind for the set, for the stale-cache guard. The guard
// looks at pods, claims and the status of sets, but neither at deletions nor at revisions (KEP-5647). A set that the
// cache does not have is not noted.
func (c *Cache) Wrote(key model.Key, kind model.Kind, version uint64) {
	if g := c.byKey.Get(key); g != nil && kind != model.KindRevision {
		g.written[kind] = version
	}
}
