package serve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const claims = "/api/v1/namespaces/default/persistentvolumeclaims"

// TestOwnersOfClaims: the owners that a client gives a claim count for the controller of the set and for the collector,
// and are shown as they were sent. A finalizer of a client keeps a claim.
func TestOwnersOfClaims(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, strings.Replace(web, `"template"`, `"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"},
		"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":
		{"storage":"1Gi"}}}}],"template"`, 1))
	s.settle()
	own := at(t, s.must("GET", claims+"/data-web-0", ""), "metadata.ownerReferences.0").(map[string]any)
	owner := s.must("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"owner"}}`)
	give := func(claim, refs, more string) {
		s.must("PATCH", claims+"/"+claim, `{"metadata":{"ownerReferences":[`+refs+`]`+more+`}}`,
			"Content-Type", "application/merge-patch+json")
	}
	other := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":%q}`, at(t, owner, "metadata.uid"))
	give("data-web-1", other, "")
	gone := `{"apiVersion":"apps/v1","kind":"StatefulSet","name":"unknown","uid":"9d86d6ae","controller":true}`
	give("data-web-2", gone, `,"finalizers":["example.com/kept"]`)
	s.must("PATCH", claims+"/data-web-0", `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`, "Content-Type",
		"application/merge-patch+json")
	code, _ := s.ask("PATCH", claims+"/data-web-0", `{"spec":{"volumeName":"another"}}`, "Content-Type",
		"application/merge-patch+json")
	require.Equal(t, 422, code)
	s.must("PATCH", sets+"/web", `{"metadata":{"labels":{"a":"b"}},"spec":{"replicas":4}}`, "Content-Type",
		"application/merge-patch+json")
	s.settle()
	refs := at(t, s.must("GET", claims+"/data-web-1", ""), "metadata.ownerReferences").([]any)
	require.Len(t, refs, 2, "another owner is kept, and the set comes behind it")
	require.Equal(t, "owner", at(t, refs, "0.name"))
	require.Equal(t, own, refs[1])
	third := s.must("GET", claims+"/data-web-2", "")
	require.Equal(t, "9d86d6ae", at(t, third, "metadata.ownerReferences.0.uid"))
	require.NotNil(t, at(t, third, "metadata.deletionTimestamp"), "its owner does not exist")

	s.must("DELETE", sets+"/web", "")
	s.settle()
	left := s.must("GET", claims, "")["items"].([]any)
	require.Len(t, left, 2)
	require.Equal(t, []any{"data-web-1", "data-web-2"}, []any{at(t, left, "0.metadata.name"), at(t, left, "1.metadata.name")})
	s.must("PATCH", claims+"/data-web-2", `{"metadata":{"finalizers":null}}`, "Content-Type", "application/merge-patch+json")
	s.must("DELETE", "/api/v1/namespaces/default/configmaps/owner", "")
	s.settle()
	require.Empty(t, s.must("GET", "/api/v1/persistentvolumes", "")["items"])
	require.Empty(t, s.must("GET", claims, "")["items"], "the last owner of the one has gone, and the last finalizer of the other")
}
