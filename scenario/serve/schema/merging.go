package schema

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// deduced is the type of a value whose schema is not known: maps are merged, everything else is replaced. whole is
// the type of a value that is replaced as a whole.
const (
	deduced = "__untyped_deduced_"
	whole   = "__untyped_atomic_"
)

// Merging returns the schemas as structured-merge-diff has them.
func (t Types) Merging() *schema.Schema {
	s := &schema.Schema{Types: []schema.TypeDef{untyped(whole, whole, schema.Atomic),
		untyped(deduced, deduced, schema.Separable)}}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		s.Types = append(s.Types, schema.TypeDef{Name: name, Atom: atomOf(t[name])})
	}
	return s
}

// Named returns the type that a Go type has among these schemas.
func Named(of reflect.Type) schema.TypeRef {
	return TypeNamed(nameOf(of))
}

// TypeNamed returns the type of a name among these schemas.
func TypeNamed(name string) schema.TypeRef { return schema.TypeRef{NamedType: &name} }

// Deduced is the type of an object whose schema is not known.
func Deduced() schema.TypeRef {
	return TypeNamed(deduced)
}

// untyped is the type of a value that may be anything.
func untyped(name, element string, maps schema.ElementRelationship) schema.TypeDef {
	any, items := schema.Scalar("untyped"), whole
	return schema.TypeDef{Name: name, Atom: schema.Atom{
		Scalar: &any,
		List:   &schema.List{ElementType: schema.TypeRef{NamedType: &items}, ElementRelationship: schema.Atomic},
		Map:    &schema.Map{ElementType: schema.TypeRef{NamedType: &element}, ElementRelationship: maps},
	}}
}

// refOf returns a schema as the type of a field or an item.
func refOf(s Object) schema.TypeRef {
	if name, is := s["$ref"].(string); is {
		name = strings.TrimPrefix(name, refs)
		return schema.TypeRef{NamedType: &name}
	}
	if s["type"] == nil && s["x-kubernetes-int-or-string"] == nil ||
		s["type"] == "object" && s["properties"] == nil && s["additionalProperties"] == nil {
		name := deduced
		if s["x-kubernetes-map-type"] == "atomic" {
			name = whole
		}
		return schema.TypeRef{NamedType: &name}
	}
	return schema.TypeRef{Inlined: atomOf(s)}
}

// scalarOf returns the type of a value that has no parts.
func scalarOf(s Object) schema.Scalar {
	switch {
	case s["x-kubernetes-int-or-string"] != nil || s["format"] == "date-time":
		return schema.Untyped
	case s["type"] == "integer" || s["type"] == "number":
		return schema.Numeric
	case s["type"] == "boolean":
		return schema.Boolean
	case s["type"] == "string":
		return schema.String
	}
	return schema.Untyped
}

func atomOf(s Object) schema.Atom {
	switch s["type"] {
	case "array":
		items, _ := s["items"].(Object)
		list := &schema.List{ElementType: refOf(items), ElementRelationship: schema.Atomic}
		if form := s["x-kubernetes-list-type"]; form == "map" || form == "set" {
			list.ElementRelationship = schema.Associative
		}
		keys, _ := s["x-kubernetes-list-map-keys"].([]any)
		for _, key := range keys {
			word, _ := key.(string)
			list.Keys = append(list.Keys, word)
		}
		return schema.Atom{List: list}
	case "object":
		return schema.Atom{Map: mapOf(s)}
	}
	scalar := scalarOf(s)
	return schema.Atom{Scalar: &scalar}
}

func mapOf(s Object) *schema.Map {
	m := &schema.Map{ElementRelationship: schema.Separable}
	if s["x-kubernetes-map-type"] == "atomic" {
		m.ElementRelationship = schema.Atomic
	}
	properties, _ := s["properties"].(Object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		field, _ := properties[name].(Object)
		m.Fields = append(m.Fields, schema.StructField{Name: name, Type: refOf(field), Default: field["default"]})
	}
	switch values, is := s["additionalProperties"].(Object); {
	case is:
		m.ElementType = refOf(values)
	case s["x-kubernetes-preserve-unknown-fields"] == true || properties == nil:
		name := deduced
		m.ElementType.NamedType = &name
	}
	return m
}
