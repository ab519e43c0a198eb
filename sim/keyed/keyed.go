// Package keyed finds things by namespace and name, and goes over them in the order of their keys. Most questions in a
// row are about one object, because one room after the other hears of what happens to it: the last answer is kept.
//
// Lists of keys and values are kept until they are wrong. A list that was handed out is never changed, so a caller may
// write to the map while it goes over the list. Reading a Map keeps what it finds, so even readers must not share one
// between goroutines; only Clone may run in several at a time.
package keyed

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Map holds values by their keys. The zero value is empty and ready to use. It must not be copied but by Clone.
type Map[T any] struct {
	entries map[model.Key]*T
	// last is the value of key, the key that was asked for last; nil if nothing was asked for since the last Delete.
	key  model.Key
	last *T
	// keys and values are those of the entries in the order of the keys; each is nil if it has not been asked for since it
	// became wrong. Neither is changed afterwards, because a caller or a clone may have it too.
	keys   []model.Key
	values []T
}

// Get returns the value of a key, or the zero value; O(1).
func (m *Map[T]) Get(key model.Key) (value T) {
	if found := m.find(key); found != nil {
		return *found
	}
	return value
}

// find returns the place of a key's value, nil if it has none.
func (m *Map[T]) find(key model.Key) *T {
	if m.last != nil && (m.key.Shares(key) || m.key == key) {
		return m.last
	}
	found := m.entries[key]
	if found != nil {
		m.key, m.last = key, found
	}
	return found
}

// Put gives a key its value, a new one or another one; O(1) on average. Lists that were handed out keep the old one.
func (m *Map[T]) Put(key model.Key, value T) {
	m.values = nil
	if found := m.find(key); found != nil {
		*found = value
		return
	}
	place := new(T)
	*place = value
	m.key, m.last, m.keys = key, place, nil
	Put(&m.entries, key, m.last)
}

// Delete removes a key, if it is there; O(1).
func (m *Map[T]) Delete(key model.Key) {
	delete(m.entries, key)
	m.last, m.keys, m.values = nil, nil, nil
}

// Len returns the number of keys.
func (m *Map[T]) Len() int { return len(m.entries) }

// Keys returns the keys in their order, which the caller must not change; O(n log n) if a key has come or gone since
// it was called last, else O(1).
func (m *Map[T]) Keys() []model.Key {
	if m.keys == nil {
		m.keys = Sorted(m.entries)
	}
	return m.keys
}

// Values returns the values in the order of their keys, which the caller must not change; O(n) if a value has changed
// since it was called last, and what Keys costs if a key has come or gone; else O(1).
func (m *Map[T]) Values() []T {
	if m.values == nil && len(m.entries) > 0 {
		m.values = make([]T, len(m.entries))
		for i, key := range m.Keys() {
			m.values[i] = *m.entries[key]
		}
	}
	return m.values
}

// Clone returns a map of the same values; O(n). It only reads the map, so several goroutines may clone one at a time.
func (m *Map[T]) Clone() Map[T] {
	clone := m.CloneWith(func(value T) T { return value })
	clone.values = m.values
	return clone
}

// CloneWith returns a map with a copy of each value. The places of its values are allocated together.
func (m *Map[T]) CloneWith(copied func(T) T) Map[T] {
	clone := Map[T]{keys: m.keys}
	if len(m.entries) == 0 {
		return clone
	}
	places := make([]T, 0, len(m.entries))
	clone.entries = make(map[model.Key]*T, len(m.entries))
	for key, value := range maps.All(m.entries) {
		places = append(places, copied(*value))
		clone.entries[key] = &places[len(places)-1]
	}
	return clone
}

// Put gives a key of a Go map its value, and makes the map if there is none: most never need theirs.
func Put[K comparable, T any](m *map[K]T, key K, value T) {
	if *m == nil {
		*m = map[K]T{}
	}
	(*m)[key] = value
}

// Copy returns a copy of a Go map, nil for an empty one. The values are shared.
func Copy[K comparable, T any](m map[K]T) map[K]T {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}

// Sorted returns the keys of a Go map in their order; nil for an empty one. It is how a room goes over a map without
// depending on the map's order.
func Sorted[T any](m map[model.Key]T) []model.Key {
	if len(m) == 0 {
		return nil
	}
	keys := slices.AppendSeq(make([]model.Key, 0, len(m)), maps.Keys(m))
	slices.SortFunc(keys, model.Key.Compare)
	return keys
}

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
