package schema

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// BuiltIn are the schemas of the kinds that have a Go type.
var BuiltIn = sync.OnceValue(func() Types {
	types := Types{}
	for i := range kinds.Served {
		if k := &kinds.Served[i]; !k.Plain {
			types.Add(reflect.TypeOf(k.New()).Elem())
		}
	}
	return types
})

// TypeName returns the name of a kind's schema; "" if it has none.
func TypeName(kind *kinds.Kind) string {
	switch {
	case kind.Schema != nil:
		parts := strings.Split(kind.Group, ".")
		slices.Reverse(parts)
		return strings.Join(parts, ".") + "." + kind.Version + "." + kind.Kind
	case kind.Plain:
		return ""
	}
	return *Named(reflect.TypeOf(kind.New()).Elem()).NamedType
}

// TypesOf returns the schemas of the built-in kinds, and of the custom kinds in a list.
func TypesOf(list []*kinds.Kind) Types {
	types := BuiltIn()
	for _, kind := range list {
		if kind.Schema != nil {
			types = types.With(TypeName(kind), kind.Schema)
		}
	}
	return types
}
