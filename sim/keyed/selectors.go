package keyed

import (
	"cmp"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Selectors finds the values whose selector matches an object's labels, without a look at all of them: each is filed
// under one label that it asks for. The zero value is empty and ready to use.
type Selectors[T comparable] struct {
	// all has every value once, in the order of their numbers, and drawers the same values by where they are filed.
	all     []selected[T]
	drawers map[drawer][]selected[T]
	last    int
}

// selected is a value with its selector. Numbers grow with each value that is added.
type selected[T comparable] struct {
	namespace string
	selector  *model.Selector
	value     T
	number    int
}

// drawer is a label with the value that a selector asks for, in a namespace. Selectors that ask for no certain value
// are in the drawer of their namespace that has no label.
type drawer struct{ namespace, label, value string }

// few is the number of values up to which a look at all of them is the fastest.
const few = 8

// Add adds a value, which must not be in it. The selector must not change.
func (s *Selectors[T]) Add(namespace string, selector *model.Selector, value T) {
	s.last++
	one := selected[T]{namespace, selector, value, s.last}
	s.all = append(s.all, one)
	into := s.fewestIn(namespace, selector)
	Put(&s.drawers, into, append(s.drawers[into], one))
}

// fewestIn returns the drawer with the fewest selectors into which a selector may go: sets of a release share labels.
func (s *Selectors[T]) fewestIn(namespace string, selector *model.Selector) drawer {
	best := drawer{namespace: namespace}
	for _, at := range drawersOf(namespace, selector) {
		if best.label == "" || len(s.drawers[at]) < len(s.drawers[best]) {
			best = at
		}
	}
	return best
}

// drawersOf returns the drawers in which a selector may be.
func drawersOf(namespace string, selector *model.Selector) (list []drawer) {
	for i := range selector.Needs {
		need := &selector.Needs[i]
		if (need.Op == model.OpEquals || need.Op == model.OpIn) && len(need.Values) == 1 && need.Label != "" {
			list = append(list, drawer{namespace, need.Label, need.Values[0]})
		}
	}
	return list
}

// Remove removes a value, which must have been added with that selector.
func (s *Selectors[T]) Remove(namespace string, selector *model.Selector, value T) {
	is := func(one selected[T]) bool { return one.value == value }
	s.all = slices.DeleteFunc(s.all, is)
	for _, at := range append(drawersOf(namespace, selector), drawer{namespace: namespace}) {
		if slices.ContainsFunc(s.drawers[at], is) {
			s.drawers[at] = slices.DeleteFunc(s.drawers[at], is)
			return
		}
	}
}

// Len returns the number of values.
func (s *Selectors[T]) Len() int { return len(s.all) }

// Matching appends to a list the values whose selectors match labels in a namespace, in the order of their additions.
func (s *Selectors[T]) Matching(list []T, namespace string, labels map[string]string) []T {
	if len(s.all) <= few {
		for i := range s.all {
			list = s.all[i].matching(list, namespace, labels)
		}
		return list
	}
	var found []selected[T]
	add := func(in []selected[T]) {
		for i := range in {
			if in[i].selector.Matches(labels) {
				found = append(found, in[i])
			}
		}
	}
	add(s.drawers[drawer{namespace: namespace}])
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		add(s.drawers[drawer{namespace, label, labels[label]}])
	}
	slices.SortFunc(found, func(a, b selected[T]) int { return cmp.Compare(a.number, b.number) })
	for i := range found {
		list = append(list, found[i].value)
	}
	return list
}

// matching appends the value to a list if its selector matches.
func (one *selected[T]) matching(list []T, namespace string, labels map[string]string) []T {
	if one.namespace != namespace || !one.selector.Matches(labels) {
		return list
	}
	return append(list, one.value)
}
