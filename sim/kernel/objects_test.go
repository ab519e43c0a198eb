package kernel_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// leftOut are the fields of objects that no fingerprint has, and why.
var leftOut = map[string]string{
	".Created":                     "when something began decides nothing: what comes of it is in the queue",
	".Deletion.At":                 "the end of the grace period is in the queue",
	".Since":                       "nothing is counted from the time of a condition",
	"Claim.Reach":                  "it is the storage's",
	".Facts.Owners.UID":            "who writes the owners of a claim template writes a set, which has another version then",
	"Service.Meta.UID":             "nobody asks which Service of a name it is",
	"Service.Meta.Owners.UID":      "nobody asks whose Service it is",
	"Service.Meta.ResourceVersion": "nobody asks which version of a Service it is",
}

// TestObjectsAreToldApart changes each field of objects in which every field is given, at any depth: each gives another
// fingerprint. Lists and objects that may be left out count too when they are.
func TestObjectsAreToldApart(t *testing.T) {
	for _, kind := range []struct {
		name   string
		object func() any
		print  func(*kernel.Print, any)
	}{
		{"Pod", given[model.Pod], func(p *kernel.Print, o any) { p.Ripens = true; p.Pod(o.(*model.Pod)) }},
		{"StatefulSet", given[model.StatefulSet], func(p *kernel.Print, o any) { p.Set(o.(*model.StatefulSet)) }},
		{"Claim", given[model.Claim], func(p *kernel.Print, o any) { p.Claim(o.(*model.Claim)) }},
		{"Revision", given[model.Revision], func(p *kernel.Print, o any) { p.Revision(o.(*model.Revision)) }},
		{"Budget", given[model.Budget], func(p *kernel.Print, o any) { p.Budget(o.(*model.Budget)) }},
		{"Service", given[model.Service], func(p *kernel.Print, o any) { p.Service(o.(*model.Service)) }},
		{"Why", given[model.Why], func(p *kernel.Print, o any) { p.Why(o.(*model.Why)) }},
		{"APIError", given[model.APIError], func(p *kernel.Print, o any) { p.Refusal(o.(*model.APIError)) }},
		{"Event", given[kernel.Event], func(p *kernel.Print, o any) { p.Event(o.(*kernel.Event)) }},
	} {
		t.Run(kind.name, func(t *testing.T) {
			k := kernel.New(nil)
			k.Advance(5)
			of := func(object any) kernel.Fingerprint {
				return k.Fingerprint(func(p *kernel.Print) { kind.print(p, object) })
			}
			whole := of(kind.object())
			require.Equal(t, whole, of(kind.object()), "another one that is alike")
			for n := 0; ; n++ {
				object := kind.object()
				path, any := changed(reflect.ValueOf(object).Elem(), kind.name, n)
				if !any {
					require.Greater(t, n, 2)
					return
				}
				if why := absent(path); why == "" {
					require.NotEqual(t, whole, of(object), "another %s", path)
				} else {
					require.Equal(t, whole, of(object), "another %s, though %s", path, why)
				}
			}
		})
	}
}

// absent says why a field is in no fingerprint, "" for one that is.
func absent(path string) string {
	if _, field, of := strings.Cut(path, ".Template."); of && field != "ID" && field != "Data" {
		return "the templates of a set are told apart by their numbers and texts"
	}
	for field, why := range leftOut {
		if strings.HasSuffix(path, field) {
			return why
		}
	}
	return ""
}

// given returns a pointer to an object with a value in each field, and two in each list and map.
func given[T any]() any {
	object, count := new(T), 0
	give(reflect.ValueOf(object).Elem(), &count)
	return object
}

func give(v reflect.Value, count *int) {
	*count++
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text", *count))
	case v.CanInt():
		v.SetInt(int64(*count % 100))
	case v.CanUint():
		v.SetUint(uint64(*count % 100))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		give(v.Elem(), count)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		give(v.Index(0), count)
		give(v.Index(1), count)
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			give(key, count)
			give(value, count)
			v.SetMapIndex(key, value)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				give(v.Field(i), count)
			}
		}
	}
}

// changed changes the n-th thing of a value that can be changed, and says which; false if there are fewer.
func changed(v reflect.Value, path string, n int) (what string, any bool) {
	change(v, path, func(path string, of reflect.Value, to func() reflect.Value) {
		if n == 0 {
			what, any = path, true
			of.Set(to())
		}
		n--
	})
	return what, any
}

func change(v reflect.Value, path string, yield func(string, reflect.Value, func() reflect.Value)) {
	zero := func() reflect.Value { return reflect.Zero(v.Type()) }
	switch {
	case v.Kind() == reflect.Bool, v.Type() == reflect.TypeFor[model.UID](), strings.HasSuffix(path, "ResourceVersion"):
		// Of uids and versions only counts which are the same.
		yield(path, v, zero)
	case v.Kind() == reflect.String:
		yield(path, v, func() reflect.Value { return reflect.ValueOf(v.String() + "x").Convert(v.Type()) })
	case v.CanInt():
		yield(path, v, func() reflect.Value { return reflect.ValueOf(v.Int() + 1).Convert(v.Type()) })
	case v.CanUint():
		yield(path, v, func() reflect.Value { return reflect.ValueOf(v.Uint() + 1).Convert(v.Type()) })
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			change(v.Elem(), path, yield)
		}
		yield(path, v, zero)
	case v.Kind() == reflect.Slice:
		yield(path, v, func() reflect.Value { return v.Slice(0, v.Len()-1) })
		for i := range v.Len() {
			change(v.Index(i), path, yield)
		}
	case v.Kind() == reflect.Map:
		yield(path, v, func() reflect.Value { return without(v) })
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				change(v.Field(i), path+"."+v.Type().Field(i).Name, yield)
			}
		}
	}
}

// without is a map without one of its entries.
func without(m reflect.Value) reflect.Value {
	next := reflect.MakeMap(m.Type())
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys[1:] {
		next.SetMapIndex(key, m.MapIndex(key))
	}
	return next
}

// TestTimesAreToldApart changes each of the times of a pod or a container.
func TestTimesAreToldApart(t *testing.T) {
	k := kernel.New(nil)
	of := func(change func(*behaviour.Times)) kernel.Fingerprint {
		d := behaviour.Constant(7)
		times := behaviour.Times{
			Schedule: d, Start: d, Ready: d, Stop: d, Fail: d, Crash: d, Healthy: d, Init: d, PreStop: d, GiveUp: d,
			Crashes: 1, Reason: "OOMKilled", Pull: &behaviour.Pull{Takes: d, Fails: 1, Until: 9},
			When: &behaviour.Condition{Text: "quorum", Lose: d},
		}
		change(&times)
		return k.Fingerprint(func(p *kernel.Print) { p.Times(&times) })
	}
	seen := map[kernel.Fingerprint]string{of(func(*behaviour.Times) {}): "nothing"}
	apart := func(what string, print kernel.Fingerprint) {
		require.Empty(t, seen[print], "%s is like %s", what, seen[print])
		seen[print] = what
	}
	for _, delay := range []behaviour.Delay{nil, behaviour.Constant(8), behaviour.Never, behaviour.Uniform(1, 2)} {
		for i := range reflect.TypeFor[behaviour.Times]().NumField() {
			field := reflect.TypeFor[behaviour.Times]().Field(i)
			if field.Type != reflect.TypeFor[behaviour.Delay]() {
				continue
			}
			apart(fmt.Sprint(field.Name, " is ", delay), of(func(times *behaviour.Times) {
				to := reflect.Zero(field.Type)
				if delay != nil {
					to = reflect.ValueOf(delay)
				}
				reflect.ValueOf(times).Elem().Field(i).Set(to)
			}))
		}
	}
	apart("crashes", of(func(t *behaviour.Times) { t.Crashes++ }))
	apart("reason", of(func(t *behaviour.Times) { t.Reason = "" }))
	apart("no pull", of(func(t *behaviour.Times) { t.Pull = nil }))
	apart("a long pull", of(func(t *behaviour.Times) { t.Pull.Takes = behaviour.Never }))
	apart("failing pulls", of(func(t *behaviour.Times) { t.Pull.Fails++ }))
	apart("a registry that is down", of(func(t *behaviour.Times) { t.Pull.Until++ }))
	apart("no condition", of(func(t *behaviour.Times) { t.When = nil }))
	apart("another condition", of(func(t *behaviour.Times) { t.When.Text = "leader" }))
	apart("a condition that lasts", of(func(t *behaviour.Times) { t.When.Lose = nil }))
}
