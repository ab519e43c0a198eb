// Package keyed finds things by namespace and name. Most questions in a row are about one object, because whatever
// happens to an object is heard of by one room after the other: the last answer is kept, and a hash is only made where
// another object is asked for.
package keyed

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Map holds values by their keys. The zero value is empty and ready to use.
type Map[T any] struct {
	values map[model.Key]T
	// last is the value of the key that was asked for last, where there is one.
	key   model.Key
	last  T
	known bool
}

// Get returns the value of a key, or the zero value.
func (m *Map[T]) Get(key model.Key) T {
	if m.known && m.key == key {
		return m.last
	}
	value, known := m.values[key]
	if known {
		m.key, m.last, m.known = key, value, true
	}
	return value
}

// Put gives a key its value.
func (m *Map[T]) Put(key model.Key, value T) {
	if m.values == nil {
		m.values = map[model.Key]T{}
	}
	m.values[key] = value
	m.key, m.last, m.known = key, value, true
}

// Delete takes a key away.
func (m *Map[T]) Delete(key model.Key) {
	delete(m.values, key)
	if m.known && m.key == key {
		*m = Map[T]{values: m.values}
	}
}

// Len returns the number of keys.
func (m *Map[T]) Len() int { return len(m.values) }

// Keys returns the keys in their order; O(n log n).
func (m *Map[T]) Keys() []model.Key {
	keys := slices.AppendSeq(make([]model.Key, 0, len(m.values)), maps.Keys(m.values))
	slices.SortFunc(keys, model.Key.Compare)
	return keys
}

// Values returns the values in the order of their keys; O(n log n).
func (m *Map[T]) Values() []T {
	keys := m.Keys()
	list := make([]T, len(keys))
	for i, key := range keys {
		list[i] = m.values[key]
	}
	return list
}

// Clone returns a map of the same values.
func (m *Map[T]) Clone() Map[T] { return Map[T]{values: maps.Clone(m.values)} }
