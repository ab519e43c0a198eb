package schema

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
)

// TestTexts: each text is about a field that there is.
func TestTexts(t *testing.T) {
	types := Types{}
	types.Add(reflect.TypeFor[appsv1.StatefulSet]())
	asked := map[string]bool{}
	for _, s := range types {
		asked[textAt(s)] = true
		properties, _ := s["properties"].(Object)
		for _, field := range properties {
			asked[textAt(field.(Object))] = true
		}
	}
	for at, text := range texts() {
		require.True(t, asked[at], "%s: there is no such field", at)
		require.True(t, strings.HasSuffix(text, "."), text)
	}
}

func textAt(s Object) string {
	at, _ := s[textOf].(string)
	return at
}
