// Package cache holds what a controller knows of the API server: the objects as its watches have delivered them,
// indexed by the set that owns them. Every delivery updates the part of its set in place, so a sync gets it as a
// model.View without building anything.
package cache

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
)

// Cache is the controller's cache of sets, pods, claims and revisions. It implements model.Sets. It contains exactly
// the objects that Apply has delivered: at a fixed point without changes on their way it equals the store. Only the
// manager writes to it.
type Cache struct {
	// byKey has a group for each set in the cache; byUID also has those of owners that are not, or no longer, in it. The
	// group of a set is the same in both.
	byKey  keyed.Map[*group]
	byUID  keyed.UIDs[*group]
	claims map[model.Key]*model.Claim
	// ownedClaims counts the claims of each namespace that have an owner.
	ownedClaims map[string]int
	// orphans are the pods without a controller, in each namespace.
	orphans map[string]*orphans
	// latest finds a pod as a lister would at this moment.
	latest func(model.Key) *model.Pod
	// delivered is the resource version of the last delivery of each kind, which the stale-cache guard compares with
	// what the controller wrote.
	delivered [model.KindRevision + 1]uint64
	// idle is a view to be used again.
	idle *Frozen
}

// New returns an empty cache. While a sync runs, its view is frozen and does not follow the cache; latest returns the
// current state of a pod, as far as the watches have delivered it.
func New(latest func(model.Key) *model.Pod) *Cache {
	return &Cache{
		claims:      map[model.Key]*model.Claim{},
		ownedClaims: map[string]int{},
		orphans:     map[string]*orphans{},
		latest:      latest,
	}
}

// Apply takes in one delivery of a watch at the instant now. Deliveries of one kind come in the order of the writes; a
// relist may leave out intermediate states, but Old must then be the object that the cache has. It invalidates all
// views that are not frozen.
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

// changePod takes in a change of a pod that leaves it with its owner, as most do.
func (c *Cache) changePod(old, pod *model.Pod, now model.Time) bool {
	before, owner := old.Controller(), pod.Controller()
	if before == nil || owner == nil || before.UID != owner.UID || !c.owned(owner.UID).changePod(old, pod, now) {
		return false
	}
	c.Reached(model.KindPod, pod.ResourceVersion)
	return true
}

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
		c.ownedClaims[claim.Namespace]++
	}
	c.Reached(model.KindClaim, claim.ResourceVersion)
	c.claims[claim.Key()] = claim
}

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

// owned returns the group of what an owner owns, which may be there before the owner itself.
func (c *Cache) owned(uid model.UID) *group {
	g := c.byUID.Get(uid)
	if g == nil {
		g = newGroup(c)
		c.byUID.Put(uid, g)
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

// Selecting calls yield for the sets of the namespace that select the labels, in the order of names.
func (c *Cache) Selecting(namespace string, labels map[string]string, yield func(*model.StatefulSet)) {
	for _, key := range c.keys() {
		set := c.byKey.Get(key).set
		if key.Namespace == namespace && set.Spec.Selector.Matches(labels) {
			yield(set)
		}
	}
}

func (c *Cache) keys() []model.Key { return c.byKey.Keys() }

// View returns what a sync of the set sees at the instant now, or nil if the cache has no such set. It is valid until
// the next Apply. now must not be before the instant of an earlier call.
func (c *Cache) View(key model.Key, now model.Time) model.View {
	g := c.byKey.Get(key)
	if g == nil {
		return nil
	}
	g.ripen(now)
	return g
}

// Wrote notes that the controller has written an object of the kind for the set, for the stale-cache guard. It watches
// its pods, its claims and its sets' status, but neither deletions nor revisions (KEP-5647).
func (c *Cache) Wrote(key model.Key, kind model.Kind, version uint64) {
	if g := c.byKey.Get(key); g != nil && kind != model.KindRevision {
		g.written[kind] = version
	}
}
