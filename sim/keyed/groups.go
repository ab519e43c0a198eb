package keyed

import "github.com/statefulsim/statefulsim/model"

// Groups are keys by what they have in common, such as the node or the owner of pods. A room keeps them from the moment
// when it first asks, because most rooms of most worlds never do: the zero value is not kept.
type Groups[G comparable] struct{ members map[G]map[model.Key]bool }

// Kept says whether something has been added.
func (g *Groups[G]) Kept() bool { return g.members != nil }

// Add puts a key into a group; O(1).
func (g *Groups[G]) Add(group G, key model.Key) {
	members := g.members[group]
	Put(&members, key, true)
	Put(&g.members, group, members)
}

// Remove takes a key out of a group, if it is there; O(1).
func (g *Groups[G]) Remove(group G, key model.Key) {
	members := g.members[group]
	if delete(members, key); len(members) == 0 {
		delete(g.members, group)
	}
}

// Keys returns the keys of a group in their order, as a new slice; O(k log k) for a group of k.
func (g *Groups[G]) Keys(group G) []model.Key { return Sorted(g.members[group]) }
