package builtin

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/diff"
)

// Difference returns how two values of a kind's Go type differ, in the form that a real API server prints: with the
// field names of its Go code.
func Difference(was, is any) string {
	return diff.Diff(asInGo(was), asInGo(is))
}

// asInGo returns a value as a message about it shows it.
func asInGo(value any) json.RawMessage { return inGo(nil, reflect.ValueOf(value)) }

// marshaler is the type of values that know how they are written.
var marshaler = reflect.TypeFor[json.Marshaler]()

// inGo appends a value as JSON whose fields have their Go names. An absent value is null.
func inGo(text []byte, v reflect.Value) []byte {
	switch kind := v.Kind(); {
	case (kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map) && v.IsNil():
		return append(text, "null"...)
	case kind == reflect.Pointer:
		return inGo(text, v.Elem())
	case v.Type().Implements(marshaler), reflect.PointerTo(v.Type()).Implements(marshaler),
		kind == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return append(text, plain(v)...)
	case kind == reflect.Struct:
		text = fieldsInGo(append(text, '{'), v)
		return append(text, '}')
	case kind == reflect.Slice:
		text = append(text, '[')
		for i := range v.Len() {
			if i > 0 {
				text = append(text, ',')
			}
			text = inGo(text, v.Index(i))
		}
		return append(text, ']')
	case kind == reflect.Map:
		return mapInGo(text, v)
	}
	return append(text, plain(v)...)
}

// fieldsInGo appends the fields of a struct, including the fields of embedded structs.
func fieldsInGo(text []byte, v reflect.Value) []byte {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous {
			text = fieldsInGo(text, v.Field(i))
			continue
		}
		if text[len(text)-1] != '{' {
			text = append(text, ',')
		}
		text = append(append(append(text, '"'), field.Name...), `":`...)
		text = inGo(text, v.Field(i))
	}
	return text
}

func mapInGo(text []byte, v reflect.Value) []byte {
	keys := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		keys[key.String()] = key
	}
	text = append(text, '{')
	for i, name := range slices.Sorted(maps.Keys(keys)) {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, plain(reflect.ValueOf(name))...), ':')
		text = inGo(text, v.MapIndex(keys[name]))
	}
	return append(text, '}')
}

// plain returns a value as its own JSON.
func plain(v reflect.Value) []byte {
	data, err := json.Marshal(v.Interface())
	if err != nil {
		panic("builtin: a value cannot be encoded: " + err.Error())
	}
	return data
}
