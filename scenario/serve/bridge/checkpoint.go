package bridge

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Checkpoint is a cluster at an instant: all of it that changes. It does not change itself, so that a cluster may go
// back to it many times. TestCheckpoint holds it to be all.
type Checkpoint struct {
	world       *sim.State
	objects     objects.Store
	steps, uids int
	notes       notes
	did         []Did
}

// Checkpoint returns the cluster as it is now.
func (c *Cluster) Checkpoint() *Checkpoint {
	return &Checkpoint{c.World.Hold(), c.Objects.Copy(), c.steps, c.uids, c.notes.copy(), c.Did}
}

// Restore resets the cluster to a checkpoint. Versions continue after the ones that clients have seen, so that no
// client takes the new course for the old one. It returns the events that had been reported when the checkpoint was
// made.
func (c *Cluster) Restore(from *Checkpoint) []timeline.Event {
	c.Halfway = true
	last := c.User.Version()
	c.World.Release()
	world := c.config.World
	world.Start = from.world
	c.Did = slices.Clip(from.did) // Another checkpoint may have continued from here.
	c.steps, c.uids, c.notes = from.steps, from.uids, from.notes.copy()
	inhabit(c, world)
	c.World.Begin()
	for c.User.Version() <= last {
		c.User.DrawVersion()
	}
	c.Objects.Restore(from.objects, c.User.Version())
	// At its first fixed point the world has met the objects of before.
	c.garbage.waiting = slices.Clip(from.notes.garbage.waiting)
	return c.World.Events()[:c.seen]
}

// copy returns an independent copy.
func (n *notes) copy() notes {
	next := *n
	next.silent = maps.Clone(n.silent)
	next.nodes, next.bound, next.Files = maps.Clone(n.nodes), slices.Clip(n.bound), n.Files.Copy()
	next.voices.pending, next.voices.shown = slices.Clip(n.voices.pending), slices.Clone(n.voices.shown)
	next.answers.published, next.answers.stirred = deep(n.answers.published), slices.Clip(n.answers.stirred)
	next.answers.unready = maps.Clone(n.answers.unready)
	next.garbage.waiting, next.garbage.gone = slices.Clip(n.garbage.waiting), slices.Clip(n.garbage.gone)
	return next
}

// deep copies maps in a map.
func deep[A, K comparable, V any, M ~map[K]V](of map[A]M) map[A]M {
	next := map[A]M{}
	for key, m := range maps.All(of) { // In any order.
		next[key] = maps.Clone(m)
	}
	return next
}
