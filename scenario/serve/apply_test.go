package serve_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const applyForm = "application/apply-patch+yaml"

// managers returns who manages an object: "kubectl Apply".
func managers(t *testing.T, object map[string]any) []string {
	var list []string
	entries, _ := at(t, object, "metadata.managedFields").([]any)
	for _, entry := range entries {
		list = append(list, at(t, entry, "manager").(string)+" "+at(t, entry, "operation").(string))
	}
	return list
}

// TestServerSideApply: it creates, merges, refuses what others manage, and removes what nobody applies any more.
func TestServerSideApply(t *testing.T) {
	s := begin(t, nil)
	apply := func(body, query string) (int, map[string]any) {
		return s.ask("PATCH", sets+"/web?"+query, body, "Content-Type", applyForm)
	}
	code, made := apply(web, "fieldManager=a")
	require.Equal(t, 201, code, made)
	require.Equal(t, []string{"a Apply"}, managers(t, made))
	s.must("POST", "/sim/clock/settle", "")
	before := s.must("GET", sets+"/web", "")
	again := s.must("PATCH", sets+"/web?fieldManager=a", web, "Content-Type", applyForm)
	require.Equal(t, before, again, "what is applied again changes nothing")

	s.must("PATCH", sets+"/web/scale", `{"spec":{"replicas":2}}`, "Content-Type", "application/merge-patch+json")
	code, refused := apply(web, "fieldManager=a")
	require.Equal(t, 409, code)
	require.Equal(t, "FieldManagerConflict", at(t, refused, "details.causes.0.reason"))
	require.Equal(t, ".spec.replicas", at(t, refused, "details.causes.0.field"))
	require.EqualValues(t, 2, at(t, s.must("GET", sets+"/web", ""), "spec.replicas"))
	code, forced := apply(web, "fieldManager=a&force=true")
	require.Equal(t, 200, code)
	require.EqualValues(t, 3, at(t, forced, "spec.replicas"))
	require.Equal(t, []string{"a Apply"}, managers(t, forced))

	labelled := strings.Replace(web, `"labels":{"app":"web"}},"spec":{`, `"labels":{"app":"web","tier":"gold"}},"spec":{`, 1)
	_, both := apply(labelled, "fieldManager=a")
	require.Equal(t, "gold", at(t, both, "metadata.labels.tier"))
	_, less := apply(web, "fieldManager=a")
	require.Nil(t, at(t, less, "metadata.labels.tier"), "nobody applies it any more")

	code, dry := apply(strings.Replace(web, "app:v1", "app:v2", 1), "fieldManager=a&dryRun=All")
	require.Equal(t, 200, code, dry)
	require.Equal(t, "app:v2", at(t, dry, "spec.template.spec.containers.0.image"))
	require.Equal(t, "app:v1", at(t, s.must("GET", sets+"/web", ""), "spec.template.spec.containers.0.image"))
	for body, wrong := range map[string]string{
		strings.Replace(web, `"replicas"`, `"replicsa"`, 1):                        ".spec.replicsa: field not declared in schema",
		strings.Replace(web, `"name":"web"`, `"name":"db"`, 1):                     "does not match the name on the URL",
		strings.Replace(web, `"apps/v1"`, `"apps/v2"`, 1):                          "invalid object type: apps/v2, Kind=StatefulSet",
		strings.Replace(web, `"metadata":{`, `"metadata":{"managedFields":[],`, 1): "must be nil",
		"[": "error converting YAML",
	} {
		code, answer := apply(body, "fieldManager=a")
		require.GreaterOrEqual(t, code, 400)
		require.Contains(t, answer["message"], wrong)
	}
	code, _ = apply(web, "")
	require.Equal(t, 422, code, "somebody applies it")
}

// TestManagers: normal writes say who manages what, too; a subresource is named; a client may forget all.
func TestManagers(t *testing.T) {
	s := begin(t, nil)
	maps := "/api/v1/namespaces/default/configmaps"
	made := s.must("POST", maps+"?fieldManager=a", `{"metadata":{"name":"c"},"data":{"x":"1","y":"1"}}`)
	require.Equal(t, []string{"a Update"}, managers(t, made))
	changed := s.must("PATCH", maps+"/c", `{"data":{"y":"2"}}`, "Content-Type", "application/merge-patch+json",
		"User-Agent", "b/v1")
	require.Equal(t, []string{"a Update", "b Update"}, managers(t, changed))
	require.Equal(t, map[string]any{"f:data": map[string]any{"f:y": map[string]any{}}},
		at(t, changed, "metadata.managedFields.1.fieldsV1"))
	gone := s.must("PATCH", maps+"/c", `{"data":{"y":null}}`, "Content-Type", "application/merge-patch+json")
	require.Equal(t, []string{"a Update"}, managers(t, gone), "what is gone is managed by nobody")
	forgotten := s.must("PATCH", maps+"/c", `{"metadata":{"managedFields":[{}]}}`, "Content-Type", "application/merge-patch+json")
	require.Empty(t, managers(t, forgotten))
	code, refused := s.ask("PATCH", maps+"/c?fieldManager=a", `{"apiVersion":"v1","kind":"ConfigMap","data":{"x":"2"}}`,
		"Content-Type", applyForm)
	require.Equal(t, 409, code)
	require.Contains(t, refused["message"], `"before-first-apply"`)
	s.must("POST", pods, `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"a"}]}}`)
	status := s.must("PATCH", pods+"/p/status?fieldManager=k", `{"status":{"conditions":[{"type":"x","status":"True"}]}}`, "Content-Type",
		"application/merge-patch+json")
	require.Equal(t, "status", at(t, status, "metadata.managedFields.0.subresource"))
}
