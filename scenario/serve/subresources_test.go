package serve_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSubresources: what a real API server has beside its objects is listed and answered: pods are bound by the resource
// bindings too, resized and given ephemeral containers, and a namespace gets other finalizers.
func TestSubresources(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", pods, `{"metadata":{"name":"a"},"spec":{"schedulerName":"nobody","containers":[{"name":"c","image":"app:1",
		"resources":{"requests":{"cpu":"1"}}}]}}`)
	const ephemeral = "spec/ephemeralContainers/0/"
	s.plays([]probe{
		{"GET", pods + "/a/resize", "", "", 200, map[string]any{"kind": "Pod"}},
		{"PATCH", pods + "/a/resize", `{"spec":{"containers":[{"name":"c","image":"app:2","resources":{"requests":{"cpu":"2"}}}]}}`,
			strategicForm, 200, map[string]any{"spec/containers/0/resources/requests/cpu": "2",
				"spec/containers/0/image": "app:1", "metadata/generation": 2}},
		{"PATCH", pods + "/a/ephemeralcontainers", `{"spec":{"ephemeralContainers":[{"name":"e","image":"x"}]}}`, strategicForm,
			200, map[string]any{ephemeral + "imagePullPolicy": "Always", ephemeral + "terminationMessagePath": "/dev/termination-log",
				"status/ephemeralContainerStatuses": nil}},
		{"PATCH", pods + "/a/ephemeralcontainers", `{"spec":{"ephemeralContainers":null}}`, mergeForm, 422, map[string]any{
			"details/causes/0/message": "Forbidden: existing ephemeral containers \"e\" may not be removed\n"}},
		{"GET", "/api/v1/namespaces/default/bindings", "", "", 405, nil},
		{"POST", "/api/v1/namespaces/default/bindings", `{"metadata":{"name":"a"},"target":{"kind":"Node","name":"node-1"}}`, "",
			201, nil},
		{"POST", "/api/v1/namespaces", `{"metadata":{"name":"n"}}`, "", 201, nil},
		{"PATCH", "/api/v1/namespaces/n/finalize", `{}`, mergeForm, 405, nil},
		{"PUT", "/api/v1/namespaces/n/finalize", `{"metadata":{"name":"n"},"spec":{"finalizers":["a.b/c"]}}`, "", 200,
			map[string]any{"spec/finalizers/0": "a.b/c", "metadata/generation": nil}},
		{"GET", "/api/v1/namespaces/default/services/kubernetes/proxy/a/b", "", "", 501, nil},
	})
	s.must("POST", "/sim/clock/settle", "")
	pod := s.must("GET", pods+"/a", "")
	require.Equal(t, "node-1", at(t, pod, "spec.nodeName"))
	require.Equal(t, "2", at(t, pod, "spec.containers.0.resources.requests.cpu"))
	require.Equal(t, "no process runs in a simulated container; kubectl exec runs commands in the others",
		at(t, pod, "status.ephemeralContainerStatuses.0.state.terminated.message"))
	found := map[string]bool{}
	for _, one := range s.must("GET", "/api/v1", "")["resources"].([]any) {
		found[at(t, one, "name").(string)] = true
	}
	for _, name := range []string{"bindings", "componentstatuses", "namespaces/finalize", "nodes/proxy", "pods/resize",
		"services/proxy"} {
		require.True(t, found[name], name)
	}
}

// TestFinalizersOfSets: a finalizer of its own holds the deletion of a StatefulSet up; without it, the set goes with its pods.
func TestFinalizersOfSets(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, strings.Replace(web, `"name":"web"`, `"name":"web","finalizers":["a.b/c"]`, 1))
	s.settle()
	s.plays([]probe{
		{"DELETE", sets + "/web", "", "", 200, map[string]any{"kind": "StatefulSet", "metadata/finalizers/0": "a.b/c",
			"metadata/deletionGracePeriodSeconds": 0}},
		{"PATCH", sets + "/web", `{"spec":{"replicas":1}}`, mergeForm, 200, map[string]any{"metadata/finalizers/0": "a.b/c"}},
	})
	s.settle()
	require.NotNil(t, at(t, s.must("GET", sets+"/web", ""), "metadata.deletionTimestamp"))
	s.must("PATCH", sets+"/web", `{"metadata":{"finalizers":null}}`, "Content-Type", mergeForm)
	s.settle()
	code, _ := s.ask("GET", sets+"/web", "")
	require.Equal(t, 404, code)
	require.Empty(t, s.images("app%3Dweb"))
}

// TestDifferences: a refused change of a pod shows what it changes, by the names of a real API server's code.
func TestDifferences(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", pods, `{"metadata":{"name":"p"},"spec":{"schedulerName":"nobody","containers":[{"name":"c","image":"a"}]}}`)
	_, got := s.ask("PATCH", pods+"/p", `{"spec":{"hostname":"other"}}`, "Content-Type", mergeForm)
	require.Contains(t, at(t, got, "message"), "@@ -64,7 +64,7 @@\n   \"SELinuxChangePolicy\": null\n  },\n  \"ImagePullSecrets\": null,\n"+
		"- \"Hostname\": \"\",\n+ \"Hostname\": \"other\",\n  \"Subdomain\": \"\",\n  \"Affinity\": null,\n  \"SchedulerName\": \"nobody\",\n")
}
