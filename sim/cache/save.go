package cache

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved holds the contents of a cache: objects and versions, no indexes. It does not change while the cache
// continues, and many caches may be loaded from it. groups also has the groups of owners that are not sets in the
// cache.
type Saved struct {
	groups    []SavedView
	claims    map[model.Key]*model.Claim
	orphans   map[string]orphans
	delivered [model.KindRevision + 1]uint64
}

// SavedView holds the objects that one set owns, as a cache or a view has them. If set is nil, the set is not in
// the cache. uid is the owner's.
type SavedView struct {
	uid       model.UID
	set       *model.StatefulSet
	pods      []*model.Pod
	revisions []*model.Revision
	// written has, for each kind, the version of the last write of the controller for the set.
	written [model.KindRevision + 1]uint64
}

// Save returns what the cache holds; O(objects).
func (c *Cache) Save() Saved {
	s := Saved{claims: keyed.Copy(c.claims), delivered: c.delivered}
	for _, uid := range slices.Sorted(maps.Keys(c.byUID)) {
		s.groups = append(s.groups, c.byUID[uid].save(uid))
	}
	if len(c.orphans) > 0 {
		s.orphans = make(map[string]orphans, len(c.orphans))
	}
	for namespace, o := range maps.All(c.orphans) {
		s.orphans[namespace] = *o
	}
	return s
}

// Load fills an empty cache at an instant: pods that are available by then count as available. It builds all
// indexes.
func (c *Cache) Load(s Saved, now model.Time) {
	for i := range s.groups {
		group := &s.groups[i]
		g := c.owned(group.uid)
		if g.load(group, now); g.set != nil {
			c.byKey.Put(g.set.Key(), g)
		}
	}
	for namespace, o := range maps.All(s.orphans) {
		keyed.Put(&c.orphans, namespace, &o)
	}
	c.delivered = s.delivered
	for key, claim := range maps.All(s.claims) {
		keyed.Put(&c.claims, key, claim)
		if len(claim.Owners) > 0 {
			keyed.Put(&c.ownedClaims, key.Namespace, c.ownedClaims[key.Namespace]+1)
		}
	}
}

// Save returns what the view holds, except what is read live; O(pods). The view stays usable.
func (f *Frozen) Save() SavedView {
	if f.looks() {
		f.live.alter()
	}
	return f.group.save(f.set.UID)
}

// Restore returns a saved view, which a sync has had since an instant. What is read live is read from this cache.
// Thaw does not reuse it.
func (c *Cache) Restore(s SavedView, since model.Time) *Frozen {
	g := newGroup(c)
	g.load(&s, since)
	g.now = since
	f := &Frozen{own: *g, live: c.owned(s.uid), set: s.set, written: s.written}
	f.group = &f.own
	return f
}

// save returns the objects of the group, in slices of its own. The places of pods follow from their names when it
// is loaded.
func (g *group) save(uid model.UID) SavedView {
	return SavedView{
		uid: uid, set: g.set, pods: slices.Concat(g.replicas.pods(), g.condemned.pods(), g.unplaced, g.strays),
		revisions: slices.Clip(g.revisions), written: g.written,
	}
}

// load fills an empty group.
func (g *group) load(s *SavedView, now model.Time) {
	g.set, g.revisions, g.written = s.set, s.revisions, s.written
	if s.set != nil {
		g.replicas = g.replicas.emptied(int(s.set.Spec.Replicas))
	}
	for _, pod := range s.pods {
		g.addPod(pod, now)
	}
	g.lost = countLost(g.set, g.revisions)
}

// Printer is the writer that a view prints itself to.
type Printer interface {
	Int(int)
	Time(model.Time)
	Set(*model.StatefulSet)
	Pod(*model.Pod)
	Revision(*model.Revision)
}

// Print prints what the view holds, by position; what is read live is in the store. It costs O(pods).
func (f *Frozen) Print(p Printer) {
	g := f.group
	p.Set(f.set)
	for _, column := range [...]*column{&g.replicas, &g.condemned} {
		p.Int(column.len())
		for i := range column.len() {
			slot := column.slot(i)
			p.Pod(column.at(slot).pod)
			p.Int(int(column.traits(slot)))
		}
	}
	for _, pods := range [...][]*model.Pod{g.unplaced, g.strays} {
		p.Int(len(pods))
		for _, pod := range pods {
			p.Pod(pod)
		}
	}
	p.Int(len(g.revisions))
	for _, revision := range g.revisions {
		p.Revision(revision)
	}
	p.Time(g.nextRipe())
}
