// Package schema describes the kinds that a session serves: the schemas of OpenAPI, for kubectl explain and for
// clients that check what they send, and the same as types of structured-merge-diff, for server-side apply. The
// schemas are made from Go types on first use, so that a command that serves nothing pays nothing.
package schema

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Object is a schema of OpenAPI 2, or a part of one, as JSON has it.
type Object = map[string]any

// Types are the schemas of Go types, by name: io.k8s.api.apps.v1.StatefulSet.
type Types map[string]Object

// textOf is where a schema keeps the name of its text, until it is published.
const textOf = "x-text"

// refs is where a schema of OpenAPI 2 refers to others.
const refs = "#/definitions/"

// leaves are the types whose JSON does not follow from their fields.
var leaves = sync.OnceValue(func() map[reflect.Type]Object {
	return map[reflect.Type]Object{
		reflect.TypeFor[metav1.Time]():          {"type": "string", "format": "date-time"},
		reflect.TypeFor[metav1.MicroTime]():     {"type": "string", "format": "date-time"},
		reflect.TypeFor[metav1.Duration]():      {"type": "string"},
		reflect.TypeFor[metav1.FieldsV1]():      {"type": "object"},
		reflect.TypeFor[runtime.RawExtension](): {"type": "object"},
		reflect.TypeFor[resource.Quantity]():    {"type": "string", "x-kubernetes-int-or-string": true},
		reflect.TypeFor[intstr.IntOrString](): {"type": "string", "format": "int-or-string",
			"x-kubernetes-int-or-string": true},
	}
})

// Add adds the schema of a type and of all types in it, and returns its name.
func (t Types) Add(of reflect.Type) string {
	name := nameOf(of)
	if t[name] != nil {
		return name
	}
	s := Object{}
	t[name] = s
	s[textOf] = short(name) + "."
	if leaf, is := leaves()[of]; is {
		for _, key := range slices.Sorted(maps.Keys(leaf)) {
			s[key] = leaf[key]
		}
		return name
	}
	s["type"] = "object"
	properties, required := Object{}, []any{}
	t.fields(of, name, properties, &required)
	s["properties"] = properties
	if len(required) > 0 {
		s["required"] = required
	}
	if atomic()[short(name)] {
		s["x-kubernetes-map-type"] = "atomic"
	}
	return name
}

// nameOf returns the name that Kubernetes publishes a type under.
func nameOf(of reflect.Type) string {
	return "io.k8s." + strings.ReplaceAll(strings.TrimPrefix(of.PkgPath(), "k8s.io/"), "/", ".") + "." + of.Name()
}

// short returns the last three parts of a name: core.v1.Pod.
func short(name string) string {
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-3):], ".")
}

// fields adds the fields of a struct.
func (t Types) fields(of reflect.Type, name string, into Object, required *[]any) {
	for i := range of.NumField() {
		t.field(of.Field(i), name, into, required)
	}
}

func (t Types) field(f reflect.StructField, name string, into Object, required *[]any) {
	word, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case word == "-" || !f.IsExported():
		return
	case word == "":
		t.fields(f.Type, nameOf(f.Type), into, required)
		return
	}
	s := t.shape(f.Type)
	at := short(name) + "." + word
	s[textOf] = at
	t.merged(f, at, s)
	if value, has := defaults()[at]; has {
		s["default"] = value
	}
	given := !strings.Contains(rest, "omitempty") && !strings.Contains(rest, "omitzero") &&
		f.Type.Kind() != reflect.Pointer
	if given != slices.Contains(contrary(), at) {
		*required = append(*required, word)
	}
	into[word] = s
}

// merged sets how a field is merged, in strategic merge patches and in server-side apply.
func (t Types) merged(f reflect.StructField, at string, s Object) {
	strategy, key := f.Tag.Get("patchStrategy"), f.Tag.Get("patchMergeKey")
	if strategy != "" {
		s["x-kubernetes-patch-strategy"] = strategy
	}
	if key != "" {
		s["x-kubernetes-patch-merge-key"] = key
	}
	if s["type"] == "object" && atomic()[at] {
		s["x-kubernetes-map-type"] = "atomic"
	}
	if s["type"] != "array" {
		return
	}
	keys, form := keysOf()[at], "atomic"
	switch {
	case atomic()[at]:
	case len(keys) > 0:
		form = "map"
	case keys != nil:
		form = "set"
	case slices.Contains(strings.Split(strategy, ","), "merge") && key != "":
		form, keys = "map", []any{key}
	case strategy == "merge":
		form = "set"
	}
	if s["x-kubernetes-list-type"] = form; form == "map" {
		s["x-kubernetes-list-map-keys"] = keys
	}
}

// shape returns the schema of the type of a field.
func (t Types) shape(of reflect.Type) Object {
	switch of.Kind() {
	case reflect.Pointer:
		return t.shape(of.Elem())
	case reflect.Struct:
		return Object{"$ref": refs + t.Add(of)}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": t.shape(of.Elem())}
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			return Object{"type": "string", "format": "byte"}
		}
		return Object{"type": "array", "items": t.shape(of.Elem())}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int32:
		return Object{"type": "integer", "format": "int32"}
	case reflect.Int, reflect.Int64:
		return Object{"type": "integer", "format": "int64"}
	}
	return Object{"type": "string"}
}
