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

// Pod returns the pod at a position; O(1), and O(n/1024) among condemned pods if some are deleted.
func (g *group) Pod(group model.Group, i int) *model.Pod {
	return g.column(group).at(g.slot(group, i)).pod
}

// Traits returns the traits at a position; as Pod.
func (g *group) Traits(group model.Group, i int) model.Traits {
	return g.column(group).traits(g.slot(group, i))
}

// slot returns the slot of a position. A column of condemned pods is in the order of their ordinals, and a sync counts
// them from the highest down; so do lowest and highest.
func (g *group) slot(group model.Group, i int) int {
	if group == model.Replicas {
		return i
	}
	return g.condemned.slot(g.condemned.len() - 1 - i)
}

// First, FirstNot, Last, LastNot, Count and Tally look at each class of pods that are alike, and not at the pods.

// First returns the lowest position >= from that is as wanted.
func (g *group) First(group model.Group, from int, w model.Want) int {
	return g.lowest(group, from, w, true)
}

// FirstNot returns the lowest position >= from that is not as wanted.
func (g *group) FirstNot(group model.Group, from int, w model.Want) int {
	return g.lowest(group, from, w, false)
}

// Last returns the highest position < below that is as wanted.
func (g *group) Last(group model.Group, below int, w model.Want) int {
	return g.highest(group, below, w, true)
}

// LastNot returns the highest position < below that is not as wanted.
func (g *group) LastNot(group model.Group, below int, w model.Want) int {
	return g.highest(group, below, w, false)
}

// lowest returns the lowest position >= from that is, or is not, as wanted; Len if there is none.
func (g *group) lowest(group model.Group, from int, w model.Want, is bool) int {
	if group == model.Replicas {
		return g.replicas.first(from, g.compile(w), is)
	}
	n := g.condemned.len()
	return n - 1 - g.condemned.last(max(0, n-from), g.compile(w), is)
}

// highest returns the highest position < below that is, or is not, as wanted; -1 if there is none.
func (g *group) highest(group model.Group, below int, w model.Want, is bool) int {
	if group == model.Replicas {
		return g.replicas.last(below, g.compile(w), is)
	}
	n := g.condemned.len()
	return n - 1 - g.condemned.first(max(0, n-below), g.compile(w), is)
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

// RevisionUsed reports whether a pod carries the revision's name; O(1).
func (g *group) RevisionUsed(name string) bool { return g.labels.known(name) != noRevision }

// Claim returns a claim of the set's namespace.
func (g *group) Claim(name string) *model.Claim {
	return g.cache.claims[model.Key{Namespace: g.set.Namespace, Name: name}]
}

// Stale reports whether the cache lags behind the controller's own writes.
func (g *group) Stale() bool { return g.cache.lags(&g.written) }

// lags reports whether the cache has not seen yet what was written; Wrote says which kinds are noted.
func (c *Cache) lags(written *[model.KindRevision + 1]uint64) bool {
	return written[model.KindPod] > c.delivered[model.KindPod] ||
		written[model.KindStatefulSet] > c.delivered[model.KindStatefulSet] ||
		written[model.KindClaim] > c.delivered[model.KindClaim]
}
