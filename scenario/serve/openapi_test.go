package serve_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	openapi "github.com/google/gnostic-models/openapiv2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

// TestOpenAPI: both versions say the same of each kind, and every reference leads to a schema.
func TestOpenAPI(t *testing.T) {
	s := begin(t, nil)
	two := s.must("GET", "/openapi/v2", "")["definitions"].(map[string]any)
	set := two["io.k8s.api.apps.v1.StatefulSet"].(map[string]any)
	require.Equal(t, "StatefulSet", at(t, set, "x-kubernetes-group-version-kind.0.kind"))
	require.Contains(t, set["description"], "A set of pods with identities that last")
	spec := two["io.k8s.api.apps.v1.StatefulSetSpec"].(map[string]any)
	require.ElementsMatch(t, []any{"selector", "template"}, spec["required"])
	container := two["io.k8s.api.core.v1.Container"].(map[string]any)
	require.Equal(t, "containerPort", at(t, container, "properties.ports.x-kubernetes-patch-merge-key"))
	require.Equal(t, []any{"containerPort", "protocol"}, at(t, container, "properties.ports.x-kubernetes-list-map-keys"))
	kinds := 0
	for path, of := range s.must("GET", "/openapi/v3", "")["paths"].(map[string]any) {
		three := s.must("GET", at(t, of, "serverRelativeURL").(string), "")
		require.NotEmpty(t, three["paths"], path)
		schemas := at(t, three, "components.schemas").(map[string]any)
		leads(t, schemas, "#/components/schemas/", schemas)
		for name, one := range schemas {
			require.NotNil(t, two[name], name)
			require.Equal(t, at(t, two[name], "description"), at(t, one, "description"))
			if at(t, one, "x-kubernetes-group-version-kind") != nil {
				kinds++
			}
		}
	}
	require.Greater(t, kinds, 20)
	leads(t, two, "#/definitions/", two)

	r := httptest.NewRequest("GET", "/openapi/v2", nil)
	r.Header.Set("Accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	require.Equal(t, 200, w.Code)
	var packed openapi.Document
	require.NoError(t, proto.Unmarshal(w.Body.Bytes(), &packed))
	require.Len(t, packed.Definitions.AdditionalProperties, len(two))
}

// leads follows all references in a schema.
func leads(t *testing.T, v any, prefix string, schemas map[string]any) {
	switch of := v.(type) {
	case map[string]any:
		if ref, is := of["$ref"].(string); is {
			require.NotNil(t, schemas[strings.TrimPrefix(ref, prefix)], ref)
		}
		require.Nil(t, of["x-text"])
		for _, part := range of {
			leads(t, part, prefix, schemas)
		}
	case []any:
		for _, part := range of {
			leads(t, part, prefix, schemas)
		}
	}
}
