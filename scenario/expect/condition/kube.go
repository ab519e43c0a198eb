package condition

import (
	"reflect"
	"strings"
	"sync"

	"cel.dev/cel-go/common/types"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// objectType is a type with named fields. It is filled once, and then only read.
type objectType struct {
	name   string
	fields map[string]*field
	// order lists the fields' names in the order of their declaration.
	order []string
}

// field is a field of an objectType. get takes the Go value of the object, of the objectType's Go type, and returns
// a ref.Val, a piece of JSON, or nil if the field is not set.
type field struct {
	name string
	typ  *types.Type
	get  func(of any) any
}

// add adds a field, or replaces the one of that name.
func (t *objectType) add(name string, typ *types.Type, get func(of any) any) {
	if t.fields == nil {
		t.fields = map[string]*field{}
	}
	if t.fields[name] == nil {
		t.order = append(t.order, name)
	}
	t.fields[name] = &field{name, typ, get}
}

// catalog holds the object types by name.
type catalog map[string]*objectType

// kubernetes returns the types of a StatefulSet's spec and status, as the API's own Go types have them.
var kubernetes = sync.OnceValue(func() catalog {
	c := catalog{}
	c.object(reflect.TypeFor[appsv1.StatefulSetSpec]())
	c.object(reflect.TypeFor[appsv1.StatefulSetStatus]())
	return c
})

// dynamic are the types whose JSON differs from their Go fields. Quantities are only known at run time.
var dynamic = []reflect.Type{
	reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](), reflect.TypeFor[metav1.FieldsV1](),
	reflect.TypeFor[intstr.IntOrString](), reflect.TypeFor[resource.Quantity](),
}

// object returns the type for a Go struct, and adds it and what it consists of to the catalog. A type is in the
// catalog before its fields are, so a type may contain itself.
func (c catalog) object(t reflect.Type) *types.Type {
	name := "kubernetes." + t.Name()
	typ := types.NewObjectType(name)
	if c[name] != nil {
		return typ
	}
	o := &objectType{name: name}
	c[name] = o
	c.addFields(o, t)
	return typ
}

// addFields adds the fields of a struct by their JSON names, including the fields of embedded structs.
func (c catalog) addFields(o *objectType, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case name == "" && f.Type.Kind() == reflect.Struct:
			c.addFields(o, f.Type)
		default:
			o.add(name, c.typeOf(f.Type), func(of any) any { return of.(map[string]any)[name] })
		}
	}
}

// typeOf returns the type that a condition sees for a Go type. A pointer is what it points to. No field has bytes.
func (c catalog) typeOf(t reflect.Type) *types.Type {
	for _, d := range dynamic {
		if t == d {
			return types.DynType
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return c.typeOf(t.Elem())
	case reflect.Bool:
		return types.BoolType
	case reflect.String:
		return types.StringType
	case reflect.Int, reflect.Int32, reflect.Int64:
		return types.IntType
	case reflect.Map:
		return types.NewMapType(types.StringType, c.typeOf(t.Elem()))
	case reflect.Slice:
		return types.NewListType(c.typeOf(t.Elem()))
	case reflect.Struct:
		return c.object(t)
	}
	return types.DynType
}
