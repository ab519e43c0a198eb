package cache

import "github.com/statefulsim/statefulsim/model"

// Frozen is the view of a sync that may be suspended: the group as it was when the sync began. Claims, and what the
// stale-cache guard asks for, are read live.
type Frozen struct {
	group
	live *group
}

// Set returns the set as the cache holds it now, or as it was while there was one.
func (f *Frozen) Set() *model.StatefulSet {
	if f.live.set != nil {
		return f.live.set
	}
	return f.group.set
}

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
	f.live = g
	g.pieces.frozen++
	g.copyTo(&f.group)
	return f
}

// Thaw lets go of a view that Freeze has returned, and nobody looks at any more, nor at what With has made of it. It is
// used again, and so is what the cache has replaced meanwhile. Who does not call it pays with copies.
func (c *Cache) Thaw(f *Frozen) {
	if f.group.cache != c || f.replicas.hand.pieces != f.live.pieces {
		return
	}
	f.live.pieces.thaw()
	*f = Frozen{}
	c.idle = f
}

// With returns a view in which the set has these pods too; O(n).
func (f *Frozen) With(adopted []*model.Pod) model.View {
	with := &Frozen{live: f.live}
	f.copyTo(&with.group)
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
