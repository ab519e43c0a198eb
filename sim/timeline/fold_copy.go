package timeline

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Copy returns a fold of the same events, which goes on by itself. It only reads the fold, so several may copy it at
// the same time; O(objects). Events and specs are shared.
func (f *Fold) Copy() Fold {
	c := *f
	c.byKey, c.sets, c.live = keyed.Map[*Set]{}, make([]*Set, len(f.sets)), make([]*Set, 0, len(f.live))
	for i, set := range f.sets {
		c.sets[i] = set.copy()
		c.byKey.Put(set.Key, c.sets[i])
		if set.Spec != nil {
			c.live = append(c.live, c.sets[i])
		}
	}
	c.budgets, c.nodes = copies(f.budgets, (*Budget).copy), copies(f.nodes, (*Node).copy)
	c.services = copies(f.services, (*Service).copy)
	c.claims = slices.Clone(f.claims)
	for i, claim := range f.claims {
		next := *claim
		c.claims[i] = &next
	}
	return c
}

// copy returns a set with lists and pods of its own. Templates, specs, and the maps of SpecMap and StatusMap are never
// changed, and are shared.
func (s *Set) copy() *Set {
	c := *s
	c.Pods, c.Bare = s.Pods.copy(), s.Bare.copy()
	c.templates, c.revisions, c.past = maps.Clone(s.templates), slices.Clone(s.revisions), slices.Clone(s.past)
	return &c
}

// copies returns a map with a copy of each value, nil for an empty one.
func copies[K comparable, T any](values map[K]*T, copied func(*T) *T) map[K]*T {
	all := keyed.Copy(values)
	for key, value := range maps.All(values) {
		all[key] = copied(value)
	}
	return all
}

// copy returns a copy, so that the two folds have nothing in common that may change.
func (b *Budget) copy() *Budget {
	c := *b
	return &c
}

// copy returns a copy, for the same reason.
func (n *Node) copy() *Node {
	c := *n
	return &c
}

// copy returns a Service with a list of its own: a fold changes it in place.
func (s *Service) copy() *Service {
	c := *s
	c.Endpoints = slices.Clone(s.Endpoints)
	return &c
}
