package kube

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// encoding/json prepares for every type that one may lead to before it reads or writes the first object: for a pod's
// template that are two hundred and fifty types, and a third of the instructions of a small run. What follows looks
// only at what is there. It writes the same bytes, and leaves to encoding/json what it does not know.

// layout is how a struct is written: its fields in their order, those of embedded structs among them.
type layout struct {
	fields []structField
	// byName finds a field, and sorted are the fields by their names.
	byName map[string]int
	sorted []int
}

type structField struct {
	name string
	// quoted is the name as JSON, with the colon.
	quoted string
	index  []int
	// omitEmpty and omitZero say when it is left out.
	omitEmpty, omitZero bool
}

var layouts sync.Map

func layoutOf(t reflect.Type) *layout {
	if known, is := layouts.Load(t); is {
		return known.(*layout)
	}
	l := &layout{byName: map[string]int{}}
	l.add(t, nil)
	for _, name := range slices.Sorted(maps.Keys(l.byName)) {
		l.sorted = append(l.sorted, l.byName[name])
	}
	layouts.Store(t, l)
	return l
}

func (l *layout) add(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		at := append(slices.Clip(index), i)
		switch {
		case tag == "-" || !f.IsExported():
		case name == "" && f.Anonymous && f.Type.Kind() == reflect.Struct:
			l.add(f.Type, at)
		default:
			if name == "" {
				name = f.Name
			}
			l.byName[name] = len(l.fields)
			l.fields = append(l.fields, structField{name, strconv.Quote(name) + ":", at,
				has(options, "omitempty"), has(options, "omitzero")})
		}
	}
}

func has(options, option string) bool {
	for it := range strings.SplitSeq(options, ",") {
		if it == option {
			return true
		}
	}
	return false
}

// codecs says of the types that have been met whether they read and write themselves.
var codecs sync.Map

// isCodec says whether a type writes itself as JSON, or reads itself.
func isCodec(t reflect.Type) bool {
	if known, is := codecs.Load(t); is {
		return known.(bool)
	}
	to := reflect.PointerTo(t)
	is := to.Implements(reflect.TypeFor[json.Marshaler]()) || to.Implements(reflect.TypeFor[json.Unmarshaler]())
	codecs.Store(t, is)
	return is
}

// Marshal is json.Marshal, for values of the types of Kubernetes.
func Marshal(value any) ([]byte, error) {
	return writer{}.appendValue(nil, reflect.ValueOf(value))
}

// MarshalSorted is Marshal with the fields of each object in the order of their names, and null for an empty list. So the
// StatefulSet controller writes a template into a revision: it reads it into maps first, and the format in which the API
// server stores objects does not tell an empty list from none.
func MarshalSorted(value any) ([]byte, error) {
	return writer{sorted: true}.appendValue(nil, reflect.ValueOf(value))
}

// writer writes the fields of structs in the order of their types, or sorted by their names.
type writer struct{ sorted bool }

func (w writer) appendValue(b []byte, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return append(b, "null"...), nil
	}
	if isCodec(v.Type()) {
		return appendOther(b, v)
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.String:
		return appendString(b, v.String()), nil
	case reflect.Pointer, reflect.Interface:
		return w.appendValue(b, v.Elem())
	case reflect.Struct:
		return w.appendStruct(b, v)
	case reflect.Map:
		return w.appendMap(b, v)
	case reflect.Slice:
		return w.appendSlice(b, v)
	}
	return appendOther(b, v)
}

// appendOther lets encoding/json write a value.
func appendOther(b []byte, v reflect.Value) ([]byte, error) {
	if v.CanAddr() {
		v = v.Addr()
	}
	data, err := json.Marshal(v.Interface())
	return append(b, data...), err
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			// A text always has a JSON.
			data, _ := json.Marshal(s)
			return append(b, data...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

func (w writer) appendStruct(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '{')
	begin := len(b)
	l := layoutOf(v.Type())
	for i := range l.fields {
		f := &l.fields[i]
		if w.sorted {
			f = &l.fields[l.sorted[i]]
		}
		value := v.FieldByIndex(f.index)
		if f.omitEmpty && isEmpty(value) || f.omitZero && isZero(value) {
			continue
		}
		if len(b) > begin {
			b = append(b, ',')
		}
		b = append(b, f.quoted...)
		if b, err = w.appendValue(b, value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// isEmpty is what omitempty asks.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// isZero is what omitzero asks.
func isZero(v reflect.Value) bool {
	to := reflect.New(v.Type())
	to.Elem().Set(v)
	if z, is := to.Interface().(interface{ IsZero() bool }); is {
		return z.IsZero()
	}
	return v.IsZero()
}

func (w writer) appendMap(b []byte, v reflect.Value) (_ []byte, err error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	if v.Type().Key().Kind() != reflect.String || isCodec(v.Type().Key()) {
		return appendOther(b, v)
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
	b = append(b, '{')
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, key.String()), ':')
		if b, err = w.appendValue(b, v.MapIndex(key)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func (w writer) appendSlice(b []byte, v reflect.Value) (_ []byte, err error) {
	switch {
	case v.IsNil() || w.sorted && v.Len() == 0:
		return append(b, "null"...), nil
	case v.Type().Elem().Kind() == reflect.Uint8:
		return appendOther(b, v)
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = w.appendValue(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}
