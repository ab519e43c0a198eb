package condition

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// object is a value of an objectType. A missing field reads as the zero value of the field's type, as in Kubernetes'
// own Go types; has() distinguishes the two.
type object struct {
	typ *objectType
	// of is the Go value of the object, of the type that typ's getters expect; a nil map is an object that is not
	// set.
	of any
	// from resolves the types of fields that are objects.
	from catalog
}

// Get returns a field by name.
func (o *object) Get(index ref.Val) ref.Val {
	name, _ := index.Value().(string)
	f := o.typ.fields[name]
	if f == nil {
		return types.NewErr("%s has no field %v", o.typ.name, index.Value())
	}
	return o.read(f)
}

// read returns a field's value.
func (o *object) read(f *field) ref.Val { return o.from.value(f.typ, f.get(o.of)) }

// IsSet reports whether the object has a value for a field.
func (o *object) IsSet(index ref.Val) ref.Val {
	name, _ := index.Value().(string)
	f := o.typ.fields[name]
	return types.Bool(f != nil && f.get(o.of) != nil)
}

// ConvertToNative is never needed: no function of ours takes an object.
func (o *object) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("%s cannot become %s", o.typ.name, to)
}

// ConvertToType only answers type().
func (o *object) ConvertToType(to ref.Type) ref.Val {
	if to == types.TypeType {
		return types.NewObjectType(o.typ.name)
	}
	return types.NewErr("%s cannot become %s", o.typ.name, to.TypeName())
}

// Equal compares pods, sets and claims by identity, other objects field by field.
func (o *object) Equal(other ref.Val) ref.Val {
	p, ok := other.(*object)
	if !ok || p.typ != o.typ {
		return types.False
	}
	switch of := o.of.(type) {
	case podAt:
		return types.Bool(of.Pod == p.of.(podAt).Pod)
	case setAt:
		return types.Bool(of.Set == p.of.(setAt).Set)
	case *timeline.ClaimState:
		return types.Bool(of == p.of.(*timeline.ClaimState))
	}
	for _, name := range o.typ.order {
		if o.Get(types.String(name)).Equal(p.Get(types.String(name))) != types.True {
			return types.False
		}
	}
	return types.True
}

// Type returns the object's type.
func (o *object) Type() ref.Type { return types.NewObjectType(o.typ.name) }

// Value returns the object itself.
func (o *object) Value() any { return o }

// value converts the result of a getter, or a piece of JSON, into a CEL value.
func (c catalog) value(typ *types.Type, raw any) ref.Val {
	if v, ok := raw.(ref.Val); ok {
		return v
	}
	switch typ.Kind() {
	case types.BoolKind:
		v, _ := raw.(bool)
		return types.Bool(v)
	case types.StringKind:
		v, _ := raw.(string)
		return types.String(v)
	case types.IntKind:
		v, _ := raw.(json.Number)
		n, _ := v.Int64()
		return types.Int(n)
	case types.DoubleKind:
		v, _ := raw.(float64)
		return types.Double(v)
	case types.ListKind:
		return c.list(typ.Parameters()[0], raw)
	case types.MapKind:
		return c.mapping(typ.Parameters()[1], raw)
	case types.StructKind:
		fields, _ := raw.(map[string]any)
		return &object{c[typ.TypeName()], fields, c}
	}
	return types.DefaultTypeAdapter.NativeToValue(plain(raw))
}

// list and mapping convert a list and a mapping of JSON; nil is an empty one.
func (c catalog) list(of *types.Type, raw any) ref.Val {
	items, _ := raw.([]any)
	values := make([]ref.Val, 0, len(items))
	for _, item := range items {
		values = append(values, c.value(of, item))
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

// mapping converts a mapping, whose keys are texts.
func (c catalog) mapping(of *types.Type, raw any) ref.Val {
	fields, _ := raw.(map[string]any)
	values := map[ref.Val]ref.Val{}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		values[types.String(key)] = c.value(of, fields[key])
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, values)
}

// plain converts numbers of JSON as CEL expects them: whole numbers to int, others to double.
func plain(raw any) any {
	switch v := raw.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		items := make([]any, len(v))
		for i := range v {
			items[i] = plain(v[i])
		}
		return items
	case map[string]any:
		fields := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			fields[key] = plain(v[key])
		}
		return fields
	}
	return raw
}
