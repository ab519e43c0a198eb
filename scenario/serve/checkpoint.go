package serve

import (
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
)

// checkpoint is a session at an instant: all of it that changes. It does not change itself, so that a session may go
// back to it many times. TestCheckpoint holds it to be all.
type checkpoint struct {
	world       *sim.State
	objects     objects.Store
	steps, uids int
	cluster     cluster
	did         []did
}

// checkpoint returns the session as it is now.
func (s *Server) checkpoint() *checkpoint {
	return &checkpoint{s.world.Hold(), s.objects.Copy(), s.steps, s.uids, s.cluster.copy(), s.did}
}

// copy returns a copy that goes on by itself.
func (c *cluster) copy() cluster {
	next := *c
	next.nodes, next.answers = maps.Clone(c.nodes), deep(c.answers)
	next.voices, next.events, next.bound = slices.Clip(c.voices), slices.Clone(c.events), slices.Clip(c.bound)
	next.stirred, next.waiting, next.gone = slices.Clip(c.stirred), slices.Clip(c.waiting), slices.Clip(c.gone)
	next.files = c.files.Copy()
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

// restore lets the session go on from a checkpoint. What clients have read since is no more: their watches end with 410
// Expired, and versions go on behind those that they have seen, so that nobody takes the new course for the old one.
func (s *Server) restore(name string) error {
	c := s.checkpoints[name]
	if c == nil {
		return apierrors.NewBadRequest(fmt.Sprintf("there is no checkpoint %q: sim checkpoint makes one", name))
	}
	s.halfway = true
	last := s.user.Version()
	s.world.Release()
	world := s.config.World
	world.Start = c.world
	s.did = slices.Clip(c.did) // Another checkpoint may have gone on from here.
	s.steps, s.uids, s.cluster = c.steps, c.uids, c.cluster.copy()
	s.inhabit(world)
	s.world.Begin()
	for s.user.Version() <= last {
		s.user.DrawVersion()
	}
	s.objects.Restore(c.objects, s.user.Version())
	s.waiting = slices.Clip(c.cluster.waiting) // At its first fixed point the world has met the objects of before.
	for _, watch := range s.watches {
		watch.initial, watch.marks, watch.next = nil, false, -1
	}
	s.rebase()
	s.changed.Broadcast()
	if s.config.Restored != nil {
		s.config.Restored(name, s.world.Events()[:s.seen])
	}
	return nil
}
