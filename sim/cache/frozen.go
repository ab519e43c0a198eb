package cache

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Frozen is the view of a sync that may be suspended: the group as it was when the sync began. Claims, the set if it
// is asked for again, and the versions that the stale-cache guard compares with are read live.
//
// Most syncs end before anything that they see changes. So a view looks at the group itself at first, and gets its
// own copy only at the first change.
type Frozen struct {
	// group is the group of the cache (live) as long as the view looks at it, or own. own is the copy, if any.
	*group
	own  group
	live *group
	// set and written are the values at the start. They are kept separately because a new status does not cause a
	// copy.
	set     *model.StatefulSet
	written [model.KindRevision + 1]uint64
}

// Set returns the set as the cache holds it at this moment or, if it is gone, as the view last had it. A sync asks
// again after a conflict.
func (f *Frozen) Set() *model.StatefulSet {
	if f.live.set != nil {
		return f.live.set
	}
	return f.own.set
}

// Stale reports whether the cache has not caught up yet with what the controller had written when the sync started.
func (f *Frozen) Stale() bool { return f.live.cache.lags(&f.written) }

// Freeze returns a view as View does, which stays as it is while deliveries go on; nil if the cache has no such set. It
// costs O(1), and a copy of each piece of 16 pods at that piece's first change. The caller gives it back with Thaw.
func (c *Cache) Freeze(key model.Key, now model.Time) *Frozen {
	g := c.byKey.Get(key)
	if g == nil {
		return nil
	}
	g.ripen(now)
	f := c.idle
	if f == nil {
		f = &Frozen{}
	}
	c.idle = nil
	f.group, f.live, f.set, f.written = g, g, g.set, g.written
	g.lookers = append(g.lookers, f)
	return f
}

// part gives the view a copy of the group, because the group is about to change.
func (f *Frozen) part() {
	g := f.live
	g.pieces.frozen++
	g.copyTo(&f.own)
	f.own.set, f.own.written = f.set, f.written
	f.group = &f.own
}

// looks reports whether the view still looks at the group of the cache, and has no copy.
func (f *Frozen) looks() bool { return f.group == f.live }

// alter is called before the group changes anything that a view shows: each view that looks at it gets a copy first.
// Every method that changes a group calls it, except for a new status.
func (g *group) alter() {
	if len(g.lookers) == 0 {
		return
	}
	for _, f := range g.lookers {
		f.part()
	}
	g.lookers = g.lookers[:0]
}

// Thaw takes back a view from Freeze. Neither the view nor anything that With made from it may be used any more.
// Its memory is reused, and so are the pieces that the cache has replaced meanwhile. It does nothing for a view of
// another cache, or a view from Restore. A caller that does not call it pays with copies.
func (c *Cache) Thaw(f *Frozen) {
	if f.live.cache != c {
		return
	}
	switch {
	case f.looks():
		f.live.forgets(f)
	case f.replicas.hand.pieces != f.live.pieces:
		return
	default:
		f.live.pieces.thaw()
	}
	c.idle = f
}

// forgets reports that a view does not look at the group any more.
func (g *group) forgets(f *Frozen) {
	if len(g.lookers) == 1 && g.lookers[0] == f {
		g.lookers = g.lookers[:0]
		return
	}
	at := slices.Index(g.lookers, f)
	g.lookers = slices.Delete(g.lookers, at, at+1)
}

// With returns a view that adds these pods to the set; O(n).
func (f *Frozen) With(adopted []*model.Pod) model.View {
	if f.looks() {
		f.live.alter()
	}
	with := &Frozen{live: f.live, set: f.set, written: f.written}
	f.copyTo(&with.own)
	with.group = &with.own
	for _, pod := range adopted {
		with.addPod(pod, f.now)
	}
	return with
}

// EachSet calls yield for the key of every set that the cache has, in their order.
func (c *Cache) EachSet(yield func(model.Key)) {
	for _, key := range c.keys() {
		yield(key)
	}
}

// Reached notes that the cache has the writes of a kind up to a version, from a list or from a delivery. A list
// delivers in the order of keys, so versions may come in any order.
func (c *Cache) Reached(kind model.Kind, version uint64) {
	c.delivered[kind] = max(c.delivered[kind], version)
}

// Unseen returns the resource version of the last write of the controller for a set that the cache has not seen yet,
// of one kind; 0 if there is none.
func (c *Cache) Unseen(set model.Key, kind model.Kind) uint64 {
	if g := c.byKey.Get(set); g != nil && g.written[kind] > c.delivered[kind] {
		return g.written[kind]
	}
	return 0
}
