// Package keyed finds things by namespace and name. Most questions in a row are about one object, because whatever
// happens to an object is heard of by one room after the other: the last answer is kept, and a hash is only made where
// another object is asked for.
package keyed

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/slab"
)

// Map holds values by their keys. The zero value is empty and ready to use.
type Map[T any] struct {
	slots map[model.Key]*slot[T]
	// last is the slot of the key that was asked for last, or nil.
	key  model.Key
	last *slot[T]
	// order are the keys in their order, nil where they have not been asked for since a key came or went. It may be that
	// of a clone, too, and does not change.
	order []model.Key
	// free are slots that no key has any more, fresh those that none has had yet.
	free  []*slot[T]
	fresh slab.Slab[slot[T]]
}

// slot is the place of a value, so that a key gets another one without a hash.
type slot[T any] struct{ value T }

// Get returns the value of a key, or the zero value.
func (m *Map[T]) Get(key model.Key) (value T) {
	if s := m.find(key); s != nil {
		return s.value
	}
	return value
}

func (m *Map[T]) find(key model.Key) *slot[T] {
	if m.last != nil && m.key.Name == key.Name && m.key.Namespace == key.Namespace {
		return m.last
	}
	s := m.slots[key]
	if s != nil {
		m.key, m.last = key, s
	}
	return s
}

// Put gives a key its value.
func (m *Map[T]) Put(key model.Key, value T) {
	if s := m.find(key); s != nil {
		s.value = value
		return
	}
	if m.slots == nil {
		m.slots = map[model.Key]*slot[T]{}
	}
	s := m.slot()
	s.value = value
	m.slots[key], m.key, m.last, m.order = s, key, s, nil
}

// slot returns a slot that no key has.
func (m *Map[T]) slot() *slot[T] {
	if last := len(m.free) - 1; last >= 0 {
		s := m.free[last]
		m.free = m.free[:last]
		return s
	}
	return m.fresh.Next()
}

// Delete takes a key away.
func (m *Map[T]) Delete(key model.Key) {
	s := m.find(key)
	if s == nil {
		return
	}
	delete(m.slots, key)
	*s = slot[T]{}
	m.free, m.key, m.last, m.order = append(m.free, s), model.Key{}, nil, nil
}

// Len returns the number of keys.
func (m *Map[T]) Len() int { return len(m.slots) }

// Keys returns the keys in their order, which the caller must not change; O(n log n) where a key has come or gone since
// it was called last.
func (m *Map[T]) Keys() []model.Key {
	if m.order == nil && len(m.slots) > 0 {
		m.order = slices.AppendSeq(make([]model.Key, 0, len(m.slots)), maps.Keys(m.slots))
		slices.SortFunc(m.order, model.Key.Compare)
	}
	return m.order
}

// Values returns the values in the order of their keys; O(n) beside what Keys costs.
func (m *Map[T]) Values() []T {
	keys := m.Keys()
	list := make([]T, len(keys))
	for i, key := range keys {
		list[i] = m.slots[key].value
	}
	return list
}

// Clone returns a map of the same values; O(n). It only reads the map, so that several may clone one at a time.
func (m *Map[T]) Clone() Map[T] { return m.CloneWith(func(value T) T { return value }) }

// CloneWith returns a map of copies of the values.
func (m *Map[T]) CloneWith(copied func(T) T) Map[T] {
	clone := Map[T]{slots: maps.Clone(m.slots), order: m.order}
	slots := make([]slot[T], 0, len(m.slots))
	for key, s := range maps.All(m.slots) {
		slots = append(slots, slot[T]{copied(s.value)})
		clone.slots[key] = &slots[len(slots)-1]
	}
	return clone
}
