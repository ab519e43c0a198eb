package sim_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
)

// often is how often tellsApart changes a field, in different states.
const often = 4

// follows are fields that no fingerprint needs, though no tag takes them out, since they follow from others: how the
// path of each ends, or a part of the path that ends with a dot, and why.
type follows map[string]string

// tellsApart plays scenarios of the library, and at their fixed points changes one field after the other of what a room
// holds, whatever its depth, and changes it back: the fingerprint of the world is another one if and only if the plain
// fingerprint is, which prints every field that no tag takes out; but for those that follow from others.
func tellsApart(t *testing.T, room string, follows follows, globs ...string) {
	c := &changer{met: map[string]int{}, known: follows, used: map[string]bool{}}
	library(t, globs, func(name string, load func() *scenario.Scenario) {
		s := load()
		config := s.Config(scenario.RunOptions{})
		config.Watch = func(w *sim.World) {
			before, plain := w.Fingerprint(), plainFingerprint(w)
			c.w = w
			c.changes = c.changes[:0]
			c.walk(room, reflect.ValueOf(w).Elem().FieldByName(room))
			for _, change := range c.changes {
				c.try(t, name, change, before, plain)
			}
			require.Equal(t, before, w.Fingerprint())
			require.Equal(t, plain, plainFingerprint(w))
		}
		sim.New(config).Run(s.Steps)
	})
	require.True(t, c.told, "no field of %s has ever made a difference", room)
	for _, field := range slices.Sorted(maps.Keys(follows)) {
		require.True(t, c.used[field], "%s (%s) is in the fingerprint, or nowhere: take it off the list",
			field, follows[field])
	}
}

// follows says whether a field is one of those that follow from others, and notes it.
func (c *changer) follows(path string) bool {
	for _, field := range slices.Sorted(maps.Keys(c.known)) {
		if strings.HasSuffix(path, field) || strings.HasSuffix(field, ".") && strings.Contains(path, field) {
			c.used[field] = true
			return true
		}
	}
	return false
}

// changer finds the fields of a room.
type changer struct {
	w *sim.World
	// met counts how often each field was changed; told says that the fingerprint has ever changed with one.
	met     map[string]int
	told    bool
	changes []change
	// known are the fields that follow from others, used those of them that were met.
	known follows
	used  map[string]bool
}

// change is one field that has another value, until undo is called.
type change struct {
	path string
	do   func() (undo func())
}

// try makes a change. A state that cannot be printed, since nothing makes it so, says nothing.
func (c *changer) try(t *testing.T, name string, change change, before, plain sim.Fingerprint) {
	undo := change.do()
	defer undo()
	after, slow, ok := c.prints()
	if !ok {
		return
	}
	if c.follows(change.path) && after == before {
		return
	}
	require.Equal(t, slow != plain, after != before, "%s: another %s: is the fingerprint another one?", name, change.path)
	c.told = c.told || after != before
}

func (c *changer) prints() (fast, slow sim.Fingerprint, ok bool) {
	defer func() { ok = recover() == nil }()
	return c.w.Fingerprint(), plainFingerprint(c.w), true
}

// may says whether a field is to be changed here.
func (c *changer) may(path string) bool {
	c.met[path]++
	return c.met[path] <= often
}

// change notes that a field can have another value.
func (c *changer) change(path string, field reflect.Value, to func(reflect.Value) reflect.Value) {
	if !field.CanAddr() || !c.may(path) {
		return
	}
	of := opened(field)
	c.changes = append(c.changes, change{path, func() func() {
		was := reflect.New(of.Type()).Elem()
		was.Set(of)
		of.Set(to(was))
		return func() { of.Set(was) }
	}})
}

// walk collects the changes of a value and of all below it.
func (c *changer) walk(path string, v reflect.Value) {
	if c.special(path, v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		c.change(path, v, other)
	case reflect.Pointer:
		if !v.IsNil() {
			c.change(path+" is nil", v, func(v reflect.Value) reflect.Value { return reflect.Zero(v.Type()) })
			if v.Type() == reflect.TypeFor[*nodes.Node]() {
				c.change(path+" is another", v, renamed)
			}
			c.walk(path, v.Elem())
		}
	case reflect.Slice:
		if v.Len() > 0 {
			c.change(path+" is shorter", v, func(v reflect.Value) reflect.Value { return v.Slice(0, v.Len()-1) })
		}
		for i := range v.Len() {
			c.walk(path+"[]", v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			c.walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Interface:
		c.inside(path, v)
	case reflect.Map:
		c.entries(path, v)
	case reflect.Struct:
		c.fields(path, v)
	}
}

// other is another value of the same type.
func other(v reflect.Value) reflect.Value {
	next := reflect.New(v.Type()).Elem()
	switch {
	case v.Kind() == reflect.Bool:
		next.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		next.SetString(v.String() + "x")
	case v.CanInt():
		next.SetInt(v.Int() + 1)
	default:
		next.SetUint(v.Uint() + 1)
	}
	return next
}

func (c *changer) fields(path string, v reflect.Value) {
	of := v.Type()
	for i := range of.NumField() {
		at, field := path+"."+of.Field(i).Name, v.Field(i)
		switch of.Field(i).Tag.Get("print") {
		case "-":
		case "left":
			c.change(at, field, func(reflect.Value) reflect.Value { return c.soon(field.Type()) })
		case "nth":
			c.change(at, field, func(v reflect.Value) reflect.Value {
				return reflect.ValueOf(int(1 + v.Int()%2)).Convert(v.Type())
			})
		default:
			c.walk(at, field)
		}
	}
}

// soon is an instant that has not passed.
func (c *changer) soon(of reflect.Type) reflect.Value {
	return reflect.ValueOf(c.w.Now() + 123_456_789).Convert(of)
}

// special is for the types whose values are not made of independent fields. Another object takes the place of an
// object: how objects are told apart is the kernel's.
func (c *changer) special(path string, v reflect.Value) bool {
	switch v.Type() {
	case reflect.TypeFor[model.UID]():
		c.change(path, v, func(reflect.Value) reflect.Value { return reflect.ValueOf(model.UID(0)) })
	case reflect.TypeFor[*kernel.Timer](), reflect.TypeFor[**kernel.Timer](), reflect.TypeFor[*cache.Frozen]():
	case reflect.TypeFor[behaviour.Delay]():
		c.change(path, v, func(reflect.Value) reflect.Value { return reflect.ValueOf(behaviour.Constant(123)) })
	case reflect.TypeFor[*model.Pod](), reflect.TypeFor[*model.StatefulSet](), reflect.TypeFor[*model.Claim](),
		reflect.TypeFor[*model.Revision](), reflect.TypeFor[*model.Service](), reflect.TypeFor[*model.Budget]():
		if !v.IsNil() {
			c.change(path, v, renamed)
		}
	case reflect.TypeFor[*model.Template]():
	default:
		return strings.HasPrefix(v.Type().String(), "keyed.") && c.keyed(path, v)
	}
	return true
}

// renamed is a copy of an object with another name.
func renamed(object reflect.Value) reflect.Value {
	next := reflect.New(object.Type().Elem())
	next.Elem().Set(object.Elem())
	name := next.Elem().FieldByName("Name")
	name.SetString(name.String() + "x")
	return next
}

// keyed walks over the values of a map of the package keyed.
func (c *changer) keyed(path string, v reflect.Value) bool {
	m := opened(v).Addr()
	keys := m.MethodByName("Keys").Call(nil)[0]
	for i := range keys.Len() {
		c.walk(path+"[]", m.MethodByName("Get").Call([]reflect.Value{keys.Index(i)})[0])
	}
	return true
}

// inside changes what an interface holds.
func (c *changer) inside(path string, v reflect.Value) {
	switch held := v.Elem(); {
	case v.IsNil():
	case held.Kind() == reflect.Bool || held.CanInt() || held.CanUint() || held.Kind() == reflect.String:
		c.change(path, v, func(v reflect.Value) reflect.Value { return other(v.Elem()) })
	case held.Kind() == reflect.Pointer && !held.IsNil() && held.Elem().Kind() == reflect.Struct &&
		held.Elem().FieldByName("Name").IsValid():
		c.change(path, v, func(v reflect.Value) reflect.Value { return renamed(v.Elem()) })
	}
}

// entries walks over the values of a map, in any order of the keys that is always the same, and takes the last one out.
func (c *changer) entries(path string, v reflect.Value) {
	m := opened(v)
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, key := range keys {
		value := reflect.New(m.Type().Elem()).Elem()
		value.Set(m.MapIndex(key))
		from := len(c.changes)
		c.walk(path+"[]", value)
		for i := range c.changes[from:] {
			change := &c.changes[from+i]
			do := change.do
			change.do = func() func() {
				undo := do()
				m.SetMapIndex(key, value)
				return func() { undo(); m.SetMapIndex(key, value) }
			}
		}
	}
	if len(keys) > 0 && c.may(path+" has less") {
		key := keys[len(keys)-1]
		c.changes = append(c.changes, change{path + " has less", func() func() {
			value := m.MapIndex(key)
			m.SetMapIndex(key, reflect.Value{})
			return func() { m.SetMapIndex(key, value) }
		}})
	}
}
