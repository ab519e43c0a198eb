package cache

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// column holds the pods of one group by position, their facts beside them, so that a question walks over a few bytes a
// pod. A position with no pod has no traits.
type column struct {
	pods      []*model.Pod
	traits    []model.Traits
	revisions []revisionID
}

// revisionID stands for the value of a revision label.
type revisionID uint32

func (c *column) put(i int, pod *model.Pod, traits model.Traits, revision revisionID) {
	c.pods[i], c.traits[i], c.revisions[i] = pod, traits, revision
}

func (c *column) copy() column {
	return column{slices.Clone(c.pods), slices.Clone(c.traits), slices.Clone(c.revisions)}
}

func (c *column) clear(i int) { c.put(i, nil, 0, 0) }

func (c *column) insert(i int, pod *model.Pod, traits model.Traits, revision revisionID) {
	c.pods = append(c.pods, nil)
	c.traits = append(c.traits, 0)
	c.revisions = append(c.revisions, 0)
	copy(c.pods[i+1:], c.pods[i:])
	copy(c.traits[i+1:], c.traits[i:])
	copy(c.revisions[i+1:], c.revisions[i:])
	c.put(i, pod, traits, revision)
}

func (c *column) remove(i int) {
	last := len(c.pods) - 1
	copy(c.pods[i:], c.pods[i+1:])
	copy(c.traits[i:], c.traits[i+1:])
	copy(c.revisions[i:], c.revisions[i+1:])
	c.clear(last)
	c.resize(last)
}

// resize sets the number of positions; new ones are empty, and those cut off must have been.
func (c *column) resize(n int) {
	c.pods, c.traits, c.revisions = resized(c.pods, n), resized(c.traits, n), resized(c.revisions, n)
}

func resized[T any](list []T, n int) []T {
	if n <= len(list) {
		return list[:n]
	}
	return append(list, make([]T, n-len(list))...)
}

// wanted is a model.Want whose revision has been looked up.
type wanted struct {
	mask, has model.Traits
	revision  revisionID
	byLabel   byLabel
}

type byLabel uint8

const (
	anyRevision byLabel = iota
	thisRevision
	otherRevision
)

func (w *wanted) match(traits model.Traits, revision revisionID) bool {
	if traits&w.mask != w.has {
		return false
	}
	return w.byLabel == anyRevision || (revision == w.revision) == (w.byLabel == thisRevision)
}

func (c *column) first(from int, w wanted, is bool) int {
	for i := from; i < len(c.traits); i++ {
		if w.match(c.traits[i], c.revisions[i]) == is {
			return i
		}
	}
	return len(c.traits)
}

func (c *column) last(below int, w wanted, is bool) int {
	for i := min(below, len(c.traits)) - 1; i >= 0; i-- {
		if w.match(c.traits[i], c.revisions[i]) == is {
			return i
		}
	}
	return -1
}

func (c *column) count(w wanted) int {
	n := 0
	for i, traits := range c.traits {
		if w.match(traits, c.revisions[i]) {
			n++
		}
	}
	return n
}

// tally counts neighbours that are alike together, as most of a set's pods are.
func (c *column) tally(t *model.Tally, current, update revisionID) {
	for from, to := 0, 0; from < len(c.traits); from = to {
		traits, revision := c.traits[from], c.revisions[from]
		for to = from + 1; to < len(c.traits) && c.traits[to] == traits && c.revisions[to] == revision; {
			to++
		}
		t.Add(int32(to-from), traits, revision == current, revision == update)
	}
}
