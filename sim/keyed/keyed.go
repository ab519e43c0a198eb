// Package keyed finds things by namespace and name, or by uid. Most questions in a row are about one object, because
// one room after the other hears of what happens to it: the place of the last answer is kept, and a hash is only
// computed when another object is asked for, among more than a few.
//
// Lists of keys and values are in the order of the keys and are cached. A list that was handed out is never changed,
// so a caller may write to the map while it goes over the list. Reading a Map remembers the last key, so even readers
// must not share one between goroutines; only Clone may run in several at a time.
package keyed

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Map holds values by their keys. The zero value is empty and ready to use. A Map must not be copied by assignment;
// see Clone.
type Map[T any] struct {
	// entries are in no order: when one is deleted, the last one takes its place. An index of an entry is valid until
	// the next Delete.
	entries []entry[T]
	// places finds the indices of the entries; it has no slots as long as there have been only a few entries. Once it
	// has slots, it has exactly one for each entry.
	places places
	// last points at the value of key, the key that was asked for last; nil if nothing was, or the value may have moved.
	// absent is the last key that was not found, if missed is true: a Put of it need not search.
	key    model.Key
	last   *T
	absent model.Key
	missed bool
	// keys and values are those of the entries in the order of the keys, and order the indices of the entries in that
	// order; each is nil if it has not been asked for since it became wrong. None is changed afterwards, because a
	// caller or a clone may have it too.
	keys   []model.Key
	order  []int32
	values []T
}

// entry is a key with its value.
type entry[T any] struct {
	key   model.Key
	value T
}

// same says whether two keys are equal. It looks first at where the names of pods of one set differ.
func same(a, b *model.Key) bool {
	end := len(a.Name) - 1
	return len(b.Name) == end+1 && (end < 0 || a.Name[end] == b.Name[end]) &&
		a.Name == b.Name && a.Namespace == b.Namespace
}

// few is the number of entries up to which a search looks at one after the other instead of computing a hash.
const few = 8

// Get returns the value of a key, or the zero value; O(1).
func (m *Map[T]) Get(key model.Key) T {
	if m.last != nil && m.key.Shares(key) {
		return *m.last
	}
	return m.get(key)
}

// get is Get for a key that does not share its texts with the last one that was asked for.
func (m *Map[T]) get(key model.Key) (value T) {
	if m.last != nil && m.key == key {
		return *m.last
	}
	if i := m.find(key); i >= 0 {
		m.key, m.last = key, &m.entries[i].value
		return *m.last
	}
	return value
}

// find returns the index of a key's entry, -1 if it has none. Names are compared before namespaces: most keys share
// theirs.
func (m *Map[T]) find(key model.Key) int {
	if len(m.places.slots) == 0 {
		for i := range m.entries {
			if same(&m.entries[i].key, &key) {
				return i
			}
		}
		return -1
	}
	for at := m.places.home(key); ; at = m.places.next(at) {
		i := int(m.places.slots[at]) - 1
		if i < 0 {
			break
		}
		if same(&m.entries[i].key, &key) {
			return i
		}
	}
	m.absent, m.missed = key, true
	return -1
}

// settle finds a slot for each of the entries from the given one on, or for all of them if the table has to grow. At
// least half of the slots stay free, so that the next free slot is near.
func (m *Map[T]) settle(from int) {
	if 2*len(m.entries) > len(m.places.slots) {
		m.places.slots, from = make([]int32, max(4*few, 2*len(m.places.slots))), 0
	}
	for i := from; i < len(m.entries); i++ {
		m.places.add(m.places.home(m.entries[i].key), i)
	}
}

// leave frees the slot of an entry, and moves into it an entry behind it that could not have its own slot, and so on,
// so that no gap parts an entry from its home.
func (m *Map[T]) leave(i int) {
	p := &m.places
	free := p.slotOf(p.home(m.entries[i].key), i)
	for at := p.next(free); p.slots[at] != 0; at = p.next(at) {
		home := p.home(m.entries[p.slots[at]-1].key)
		if p.between(home, free, at) {
			p.slots[free], free = p.slots[at], at
		}
	}
	p.slots[free] = 0
}

// Put gives a key its value, a new one or another one; O(1) on average. The lists of values that were handed out keep
// the old one.
func (m *Map[T]) Put(key model.Key, value T) {
	if m.values != nil {
		m.values = nil
	}
	if m.last != nil && m.key.Shares(key) {
		*m.last = value
		return
	}
	m.put(key, value)
}

// put is Put for a key that does not share its texts with the last one that was asked for.
func (m *Map[T]) put(key model.Key, value T) {
	if !m.missed || !m.absent.Shares(key) && m.absent != key {
		if i := m.find(key); i >= 0 {
			m.key, m.last = key, &m.entries[i].value
			*m.last = value
			return
		}
	}
	if m.entries == nil {
		m.entries = make([]entry[T], 0, few/2)
	}
	end := len(m.entries)
	m.entries = append(m.entries, entry[T]{key, value})
	m.key, m.last, m.missed, m.keys, m.order = key, &m.entries[end].value, false, nil, nil
	if end >= few || len(m.places.slots) > 0 {
		m.settle(end)
	}
}

// Delete removes a key, if it is there; O(1).
func (m *Map[T]) Delete(key model.Key) {
	i := m.find(key)
	if i < 0 {
		return
	}
	end := len(m.entries) - 1
	if p := &m.places; len(p.slots) > 0 {
		m.leave(i)
		if i < end {
			p.slots[p.slotOf(p.home(m.entries[end].key), end)] = int32(i + 1)
		}
	}
	m.entries[i] = m.entries[end]
	m.entries[end] = entry[T]{}
	m.entries = m.entries[:end]
	m.last, m.keys, m.order, m.values = nil, nil, nil, nil
}

// Len returns the number of keys.
func (m *Map[T]) Len() int { return len(m.entries) }

// Keys returns the keys in their order, which the caller must not change; O(n log n) if a key has come or gone since
// it was called last, else O(1).
func (m *Map[T]) Keys() []model.Key {
	if m.keys == nil && len(m.entries) > 0 {
		order := m.inOrder()
		m.keys = make([]model.Key, len(order))
		for i, at := range order {
			m.keys[i] = m.entries[at].key
		}
	}
	return m.keys
}

// inOrder returns the indices of the entries in the order of their keys.
func (m *Map[T]) inOrder() []int32 {
	if m.order == nil {
		m.order = make([]int32, len(m.entries))
		for i := range m.order {
			m.order[i] = int32(i)
		}
		slices.SortFunc(m.order, func(a, b int32) int { return m.entries[a].key.Compare(m.entries[b].key) })
	}
	return m.order
}

// Values returns the values in the order of their keys, which the caller must not change; O(n) if a value has changed
// since it was called last, and what Keys costs if a key has come or gone; else O(1).
func (m *Map[T]) Values() []T {
	if m.values == nil && len(m.entries) > 0 {
		order := m.inOrder()
		m.values = make([]T, len(order))
		for i, at := range order {
			m.values[i] = m.entries[at].value
		}
	}
	return m.values
}

// Clone returns a map of the same values; O(n). It only reads the map, so several goroutines may clone one at a time.
func (m *Map[T]) Clone() Map[T] {
	clone := *m
	clone.last, clone.entries = nil, slices.Clone(m.entries)
	clone.places.slots = slices.Clone(m.places.slots)
	return clone
}

// CloneWith returns a map with a copy of each value.
func (m *Map[T]) CloneWith(copied func(T) T) Map[T] {
	clone := m.Clone()
	clone.values = nil
	for i := range clone.entries {
		clone.entries[i].value = copied(clone.entries[i].value)
	}
	return clone
}

// Put gives a key of a Go map its value, and makes the map if there is none: most rooms of most worlds never need
// theirs.
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
	return slices.SortedFunc(maps.Keys(m), model.Key.Compare)
}
