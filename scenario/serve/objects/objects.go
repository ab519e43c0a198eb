// Package objects keeps the API's copies of the objects of a session, and their history, which serves watches. It
// knows nothing about worlds: callers decide what is written.
//
// Invariants: an object is never changed once it is stored. Versions only grow, over all kinds. The history holds every
// change since the version of its horizon, in order.
package objects

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// Object is one version of an object.
type Object struct {
	Kind    *kinds.Kind
	Key     model.Key
	Version uint64
	// Fields are the whole object, as in its JSON. They are shared and must not be changed.
	Fields kinds.Fields

	encoded []byte
}

// New returns an object with these fields, which are its own from then on, at a version.
func New(kind *kinds.Kind, fields kinds.Fields, version uint64) *Object {
	fields["apiVersion"], fields["kind"] = kind.APIVersion(), kind.Kind
	meta := fields.Map("metadata")
	meta["resourceVersion"] = strconv.FormatUint(version, 10)
	key := model.Key{Namespace: fields.Text("metadata", "namespace"), Name: fields.Text("metadata", "name")}
	return &Object{Kind: kind, Key: key, Version: version, Fields: fields}
}

// JSON returns the object as it is sent. It is encoded once.
func (o *Object) JSON() []byte {
	if o.encoded == nil {
		data, err := json.Marshal(o.Fields)
		if err != nil {
			panic("objects: an object cannot be encoded: " + err.Error())
		}
		o.encoded = data
	}
	return o.encoded
}

// UID returns the object's uid.
func (o *Object) UID() string { return o.Fields.Text("metadata", "uid") }

// Labels returns the object's labels.
func (o *Object) Labels() labels.Set { return o.Fields.Texts("metadata", "labels") }

// At returns the object at another version: the version of its deletion.
func (o *Object) At(version uint64) *Object {
	fields := maps.Clone(o.Fields)
	fields["metadata"] = maps.Clone(map[string]any(o.Fields.Map("metadata")))
	return New(o.Kind, fields, version)
}

// Change is one change: of a new object Old is nil, of a deleted one New. Old is the object as it was before. Gone is
// the deleted one at the version of its deletion: one for all watches, so that it is encoded once.
type Change struct {
	Kind           *kinds.Kind
	Version        uint64
	Old, New, Gone *Object
}

// kept is the number of changes that a watch may lag behind.
const kept = 4_000

// Store is all objects of a session. The zero value is an empty one.
type Store struct {
	objects map[*kinds.Kind]map[model.Key]*Object
	// history are the last changes; first is the number of the first of them. horizon is the version of the last change
	// that is forgotten.
	history []Change
	first   int
	horizon uint64
}

// Get returns an object, or nil.
func (s *Store) Get(kind *kinds.Kind, key model.Key) *Object { return s.objects[kind][key] }

// List returns the objects of a kind in the order of their keys, as a new slice; "" is all namespaces.
func (s *Store) List(kind *kinds.Kind, namespace string) []*Object {
	return s.Select(kind, func(o *Object) bool { return namespace == "" || o.Key.Namespace == namespace })
}

// Select returns the objects of a kind that match, as List does.
func (s *Store) Select(kind *kinds.Kind, matches func(*Object) bool) []*Object {
	return sorted(s.objects[kind], matches)
}

// ListAt returns what List returned at a version, and false if that is forgotten.
func (s *Store) ListAt(kind *kinds.Kind, namespace string, version uint64) ([]*Object, bool) {
	next, known := s.After(version)
	if !known {
		return nil, false
	}
	then := map[model.Key]*Object{}
	maps.Copy(then, s.objects[kind])
	for _, c := range slices.Backward(s.history[next-s.first:]) {
		switch {
		case c.Kind == kind && c.Old != nil:
			then[c.Old.Key] = c.Old
		case c.Kind == kind:
			delete(then, c.New.Key)
		}
	}
	return sorted(then, func(o *Object) bool { return namespace == "" || o.Key.Namespace == namespace }), true
}

func sorted(all map[model.Key]*Object, matches func(*Object) bool) []*Object {
	var list []*Object
	for _, o := range maps.All(all) { // In any order.
		if matches(o) {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *Object) int { return a.Key.Compare(b.Key) })
	return list
}

// Put stores a version of an object.
func (s *Store) Put(o *Object) {
	if s.objects == nil {
		s.objects = map[*kinds.Kind]map[model.Key]*Object{}
	}
	if s.objects[o.Kind] == nil {
		s.objects[o.Kind] = map[model.Key]*Object{}
	}
	old := s.objects[o.Kind][o.Key]
	s.objects[o.Kind][o.Key] = o
	s.note(Change{Kind: o.Kind, Version: o.Version, Old: old, New: o})
}

// Delete removes an object, at the version of its deletion. It does nothing if there is none.
func (s *Store) Delete(kind *kinds.Kind, key model.Key, version uint64) {
	if old := s.Get(kind, key); old != nil {
		delete(s.objects[kind], key)
		s.note(Change{Kind: kind, Version: version, Old: old, Gone: old.At(version)})
	}
}

// Rename gives the objects of a kind another one, which takes its place. The history has them as they were.
func (s *Store) Rename(old, new *kinds.Kind) {
	moved := map[model.Key]*Object{}
	for key, o := range maps.All(s.objects[old]) { // In any order.
		fields := maps.Clone(o.Fields)
		fields["apiVersion"], fields["kind"] = new.APIVersion(), new.Kind
		moved[key] = &Object{Kind: new, Key: key, Version: o.Version, Fields: fields}
	}
	if len(moved) > 0 {
		delete(s.objects, old)
		s.objects[new] = moved
	}
}

// note appends a change to the history. When the history is full, its older half is forgotten.
func (s *Store) note(change Change) {
	if len(s.history) >= 2*kept {
		s.horizon = s.history[kept-1].Version
		s.history = slices.Clone(s.history[kept:])
		s.first += kept
	}
	s.history = append(s.history, change)
}

// End returns the number of the next change.
func (s *Store) End() int { return s.first + len(s.history) }

// After returns the number of the first change after a version, and false if some of these are forgotten.
func (s *Store) After(version uint64) (int, bool) {
	compare := func(c Change, v uint64) int { return cmp.Compare(c.Version, v) }
	at, _ := slices.BinarySearchFunc(s.history, version+1, compare)
	return s.first + at, version >= s.horizon
}

// Copy returns an independent copy.
func (s *Store) Copy() Store {
	c := *s
	c.objects, c.history = map[*kinds.Kind]map[model.Key]*Object{}, slices.Clip(s.history)
	for kind, all := range maps.All(s.objects) { // In any order.
		c.objects[kind] = maps.Clone(all)
	}
	return c
}

// Restore resets the store to a copy. Readers of the earlier history, and readers that ask for changes after a
// version up to this one, have missed changes.
func (s *Store) Restore(c Store, version uint64) {
	first := s.End() + 1
	*s = c.Copy()
	s.history, s.first, s.horizon = nil, first, version
}

// From returns the changes from a number on, and false if it is forgotten.
func (s *Store) From(number int) ([]Change, bool) {
	if number < s.first || number > s.End() {
		return nil, false
	}
	return s.history[number-s.first:], true
}
