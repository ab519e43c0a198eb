package cache

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Set returns the set.
func (g *group) Set() *model.StatefulSet { return g.set }

// Now returns the instant of the sync.
func (g *group) Now() model.Time { return g.now }

// Len returns the number of positions; O(1).
func (g *group) Len(group model.Group) int { return g.column(group).len() }

// Pod returns the pod at a position; O(1), and O(n/1024) among condemned pods if some are gone.
func (g *group) Pod(group model.Group, i int) *model.Pod {
	if group == model.Replicas {
		return g.replicas.at(i).pod
	}
	return g.condemned.at(g.condemned.slot(i)).pod
}

// Traits returns the traits at a position; as Pod.
func (g *group) Traits(group model.Group, i int) model.Traits {
	if group == model.Replicas {
		return g.replicas.traits(i)
	}
	return g.condemned.traits(g.condemned.slot(i))
}

// First, FirstNot, Last, LastNot, Count and Tally look at each class of pods that are alike, and not at the pods.

// First returns the lowest position >= from that is as wanted.
func (g *group) First(group model.Group, from int, w model.Want) int {
	return g.column(group).first(from, g.compile(w), true)
}

// FirstNot returns the lowest position >= from that is not as wanted.
func (g *group) FirstNot(group model.Group, from int, w model.Want) int {
	return g.column(group).first(from, g.compile(w), false)
}

// Last returns the highest position < below that is as wanted.
func (g *group) Last(group model.Group, below int, w model.Want) int {
	return g.column(group).last(below, g.compile(w), true)
}

// LastNot returns the highest position < below that is not as wanted.
func (g *group) LastNot(group model.Group, below int, w model.Want) int {
	return g.column(group).last(below, g.compile(w), false)
}

// Count returns the number of positions that are as wanted.
func (g *group) Count(group model.Group, w model.Want) int {
	return g.column(group).count(g.compile(w))
}

// Tally counts the pods for a status.
func (g *group) Tally(current, update string, unnamed bool) model.Tally {
	var t model.Tally
	currentID := g.labels.known(current)
	updateID := currentID
	if update != current {
		updateID = g.labels.known(update)
	}
	g.replicas.tally(&t, currentID, updateID)
	if g.condemned.size > 0 {
		g.condemned.tally(&t, currentID, updateID)
	}
	if unnamed {
		for _, pod := range g.unplaced {
			t.Add(1, model.TraitsOf(g.set, pod, g.now), pod.Revision() == current, pod.Revision() == update)
		}
	}
	return t
}

// NextAvailable returns how long the next pod takes to become available; O(1).
func (g *group) NextAvailable() (time.Duration, bool) {
	var next time.Duration
	at := g.nextRipe()
	found := at > 0
	if found {
		next = at.Sub(g.now)
	}
	for _, pod := range g.unplaced {
		left := model.AvailableAt(pod, g.set.Spec.MinReadySeconds).Sub(g.now)
		if pod.Ready && left > 0 && (!found || left < next) {
			next, found = left, true
		}
	}
	return next, found
}

// RevisionUsed says whether a pod carries the revision's name; O(1).
func (g *group) RevisionUsed(name string) bool { return g.labels.known(name) != noRevision }

// Claim returns a claim of the set's namespace.
func (g *group) Claim(name string) *model.Claim {
	return g.cache.claims[model.Key{Namespace: g.set.Namespace, Name: name}]
}

// Stale says whether the cache lags behind the controller's own writes.
func (g *group) Stale() bool { return g.cache.lags(&g.written) }

// lags says whether the cache has not seen yet what was written; see Wrote for the kinds that are noted.
func (c *Cache) lags(written *[model.KindRevision + 1]uint64) bool {
	return written[model.KindPod] > c.delivered[model.KindPod] ||
		written[model.KindStatefulSet] > c.delivered[model.KindStatefulSet] ||
		written[model.KindClaim] > c.delivered[model.KindClaim]
}
