// Package managed records the manager of each field of an object: it keeps metadata.managedFields, and merges what
// a client applies, as server-side apply does. Its types and its sets of fields come from structured-merge-diff. It
// walks over values with its own code, because the package typed of structured-merge-diff reads YAML at the start
// of every command, which would take a fifth of the command's startup time. TestLikeUpstream compares the two.
//
// Values are as JSON is decoded: maps, slices, texts, booleans, int64 and float64. They are not changed.
package managed

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Schema are the types that a Type may refer to.
type Schema = schema.Schema

// Type is the type of an object.
type Type struct {
	Schema *Schema
	Ref    schema.TypeRef
}

// node is a place in an object, or in two that are walked together: its path and its type.
type node struct {
	schema *schema.Schema
	path   fieldpath.Path
	ref    schema.TypeRef
}

// side is a value at a node; it may be absent.
type side struct {
	value any
	has   bool
}

func (t Type) root() node { return node{schema: t.Schema, ref: t.Ref} }

// form is how the value at a node is walked: as a map, a list, or, with neither, as a whole.
type form struct {
	fields *schema.Map
	items  *schema.List
}

// form returns how a value is walked.
func (n node) form(v any) form {
	atom, _ := n.schema.Resolve(n.ref)
	switch v.(type) {
	case map[string]any:
		if atom.Map != nil {
			return form{fields: atom.Map}
		}
	case []any:
		if atom.List != nil {
			return form{items: atom.List}
		}
	case nil:
	default:
		if atom.Scalar != nil {
			return form{}
		}
	}
	switch {
	case atom.Map != nil:
		return form{fields: atom.Map}
	case atom.Scalar != nil:
		return form{}
	}
	return form{items: atom.List}
}

// atomic reports whether a value is treated as a whole although it has parts.
func (f form) atomic() bool {
	return f.fields == nil && f.items == nil || f.fields != nil && f.fields.ElementRelationship == schema.Atomic ||
		f.items != nil && f.items.ElementRelationship != schema.Associative
}

// at returns the node of a part.
func (n node) at(pe fieldpath.PathElement, ref schema.TypeRef) node {
	return node{schema: n.schema, path: append(slices.Clip(n.path), pe), ref: ref}
}

// field returns the node of a field of a map.
func (n node) field(m *schema.Map, name string) node {
	ref := m.ElementType
	if f, found := m.FindField(name); found {
		ref = f.Type
	}
	return n.at(fieldpath.PathElement{FieldName: &name}, ref)
}

// names returns the names of the fields of maps, each once.
func names(maps_ ...map[string]any) []string {
	all := map[string]any{}
	for _, m := range maps_ {
		maps.Copy(all, m)
	}
	return slices.Sorted(maps.Keys(all))
}

// item is an item of a list whose items are told apart, and its key as a text.
type item struct {
	pe    fieldpath.PathElement
	key   string
	value any
}

// items returns the items of a list; those that have no key are an error.
func (n node) items(l *schema.List, v any) ([]item, error) {
	list, _ := v.([]any)
	items := make([]item, 0, len(list))
	for i, v := range list {
		pe, err := n.element(l, v)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		items = append(items, item{pe, pe.String(), v})
	}
	return items, nil
}

// element returns what tells an item of a list apart.
func (n node) element(l *schema.List, v any) (fieldpath.PathElement, error) {
	m, is := v.(map[string]any)
	if len(l.Keys) == 0 {
		if _, list := v.([]any); is || list || v == nil {
			return fieldpath.PathElement{}, fmt.Errorf("associative list without keys has an element that is no scalar")
		}
		scalar := value.NewValueInterface(v)
		return fieldpath.PathElement{Value: &scalar}, nil
	}
	if !is {
		return fieldpath.PathElement{}, fmt.Errorf("associative list with keys may not have non-map elements")
	}
	keys := value.FieldList{}
	of := n.at(fieldpath.PathElement{}, l.ElementType).form(m).fields
	for _, name := range l.Keys {
		v, found := m[name]
		if !found && of != nil {
			f, _ := of.FindField(name)
			v, found = f.Default, f.Default != nil
		}
		if found {
			keys = append(keys, value.Field{Name: name, Value: value.NewValueInterface(v)})
		}
	}
	if len(keys) == 0 {
		return fieldpath.PathElement{}, fmt.Errorf(
			"associative list with keys has an element that omits all key fields %q", l.Keys)
	}
	keys.Sort()
	return fieldpath.PathElement{Key: &keys}, nil
}

// byKey finds items by their keys; of two with one key it has the first.
type byKey map[string]side

func indexed(items []item) byKey {
	all := make(byKey, len(items))
	for i := range items {
		if !all[items[i].key].has {
			all[items[i].key] = side{items[i].value, true}
		}
	}
	return all
}

// inOrder returns items in the order of field sets, since inserting in order is the cheapest.
func inOrder(items []item) []item {
	return slices.SortedFunc(slices.Values(items), func(a, b item) int { return a.pe.Compare(b.pe) })
}

// empty reports whether a value is an empty map or list, or neither a map nor a list.
func (s side) empty() bool {
	m, _ := s.value.(map[string]any)
	l, _ := s.value.([]any)
	return len(m) == 0 && len(l) == 0
}

func equal(a, b any) bool {
	return value.Equals(value.NewValueInterface(a), value.NewValueInterface(b))
}
