package cache

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Frozen is the view of a sync that may be suspended: the group as it was when the sync began. Claims, and what the
// stale-cache guard asks for, are read live.
//
// Most syncs have ended before anything changes that they see. So a view looks at the group itself at first, and has
// a copy of its own only from the first change on.
type Frozen struct {
	// group is that of the cache, which is live too, or own.
	*group
	own  group
	live *group
	// set and written are those of the beginning: a new status is no change that makes a copy.
	set     *model.StatefulSet
	written [model.KindRevision + 1]uint64
}

// Set returns the set as the cache holds it now, or as it was while there was one.
func (f *Frozen) Set() *model.StatefulSet {
	if f.live.set != nil {
		return f.live.set
	}
	return f.own.set
}

// Stale says whether the cache lags behind the writes that the controller had made when the sync began.
func (f *Frozen) Stale() bool { return f.live.cache.lags(&f.written) }

// Freeze returns a view as View does, which stays as it is while deliveries go on. It costs O(1), and the first change
// of each piece of 16 pods afterwards a copy of that piece.
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

// part gives the view a copy of the group, because that one is about to change.
func (f *Frozen) part() {
	g := f.live
	g.pieces.frozen++
	g.copyTo(&f.own)
	f.own.set, f.own.written = f.set, f.written
	f.group = &f.own
}

// looks says whether the view still looks at the group of the cache.
func (f *Frozen) looks() bool { return f.group == f.live }

// alter is called before the group changes: who looks at it has a copy from now on.
func (g *group) alter() {
	if len(g.lookers) == 0 {
		return
	}
	for _, f := range g.lookers {
		f.part()
	}
	clear(g.lookers)
	g.lookers = g.lookers[:0]
}

// Thaw lets go of a view that Freeze has returned, and nobody looks at any more, nor at what With has made of it. It is
// used again, and so is what the cache has replaced meanwhile. Who does not call it pays with copies.
func (c *Cache) Thaw(f *Frozen) {
	if f.live.cache != c {
		return
	}
	if f.looks() {
		g := f.live
		at := slices.Index(g.lookers, f)
		g.lookers = slices.Delete(g.lookers, at, at+1)
		f.group, f.live, f.set = nil, nil, nil
		c.idle = f
		return
	}
	if f.replicas.hand.pieces != f.live.pieces {
		return
	}
	f.live.pieces.thaw()
	*f = Frozen{}
	c.idle = f
}

// With returns a view in which the set has these pods too; O(n).
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

// Reached notes that the cache has what was written of a kind up to a version, be it by a list or by a delivery. A list
// delivers in the order of keys, so that versions may come in any.
func (c *Cache) Reached(kind model.Kind, version uint64) {
	c.delivered[kind] = max(c.delivered[kind], version)
}

// Unseen returns the resource version of the last write of the controller for a set that the cache has not seen yet, of
// one kind, 0 if there is none.
func (c *Cache) Unseen(set model.Key, kind model.Kind) uint64 {
	if g := c.byKey.Get(set); g != nil && g.written[kind] > c.delivered[kind] {
		return g.written[kind]
	}
	return 0
}
