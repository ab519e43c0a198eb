package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// plain begins a session in which no controller acts.
func plain(t *testing.T) *session {
	return begin(t, func(c *serve.Config) { c.Uncontrolled = true })
}

// TestUncontrolled: where no controller acts, objects stay as clients write them, however late it becomes.
func TestUncontrolled(t *testing.T) {
	s := plain(t)
	require.Empty(t, s.must("GET", "/api/v1/nodes", "")["items"])
	created := s.must("POST", sets, web)
	require.Equal(t, "OrderedReady", at(t, created, "spec.podManagementPolicy"), "defaults are filled in")
	require.Equal(t, map[string]any{"replicas": 0.0, "availableReplicas": 0.0}, created["status"])
	code, refused := s.ask("POST", sets, `{"metadata":{"name":"bad"},"spec":{"selector":{"matchLabels":{"app":"x"}},
		"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}`)
	require.Equal(t, 422, code, refused)

	written := s.must("PATCH", sets+"/web/status", `{"status":{"replicas":3,"readyReplicas":2,"currentRevision":"mine"}}`,
		"Content-Type", "application/merge-patch+json")
	require.EqualValues(t, 2, at(t, written, "status.readyReplicas"))
	require.EqualValues(t, 1, at(t, written, "metadata.generation"))
	pod := s.must("POST", pods, `{"metadata":{"name":"mine","ownerReferences":[{"apiVersion":"apps/v1",
		"kind":"StatefulSet","name":"gone","uid":"1"}]},"spec":{"containers":[{"name":"app","image":"app:v1"}]}}`)
	require.Equal(t, "Pending", at(t, pod, "status.phase"))
	pod = s.must("PATCH", pods+"/mine/status", `{"status":{"phase":"Running","podIP":"1.2.3.4"}}`,
		"Content-Type", "application/merge-patch+json")
	s.must("PATCH", sets+"/web/scale", `{"spec":{"replicas":5}}`, "Content-Type", "application/merge-patch+json")
	set := s.must("GET", sets+"/web", "")

	s.must("POST", "/sim/clock/advance?by=1h", "")
	require.Equal(t, pod, s.must("GET", pods+"/mine", ""))
	require.Equal(t, set, s.must("GET", sets+"/web", ""))
	require.EqualValues(t, 5, at(t, set, "spec.replicas"))
	require.Equal(t, "mine", at(t, set, "status.currentRevision"))
	require.Len(t, s.must("GET", pods, "")["items"], 1)
	require.Empty(t, s.must("GET", "/apis/apps/v1/controllerrevisions", "")["items"])

	s.must("DELETE", sets+"/web", "")
	code, _ = s.ask("GET", sets+"/web", "")
	require.Equal(t, 404, code)
	require.Equal(t, pod, s.must("GET", pods+"/mine", ""))
}

// TestUncontrolledSource: a scenario says how controllers act, a session without them is none.
func TestUncontrolledSource(t *testing.T) {
	b, err := recording.Read([]recording.Source{{Name: "a.yaml", Data: []byte("name: a\nsteps: [{create: {name: a, image: b}}]\n")}},
		scenario.Options{}, "test")
	require.NoError(t, err)
	require.EqualError(t, b.SetControllers("none"), "a scenario says how controllers act, and none does with --controllers none: "+
		"leave out the scenario, or write --controllers all")
	require.EqualError(t, b.SetControllers("some"), `"some" is not served as controllers: write all, none, or a list of `+
		"statefulset, cronjob, daemonset, deployment, job, replicaset")
	require.EqualError(t, b.SetControllers("deployment"), "a scenario says how controllers act, and none does with --controllers "+
		"deployment: leave out the scenario, or write --controllers all")
	require.NoError(t, b.SetControllers("statefulset,job"))

	s := &recording.Session{Header: recording.Header{Format: 1, Controllers: "none"}}
	begin, err := s.Begin("session.jsonl", strict.DefaultLimits(), "test")
	require.NoError(t, err)
	require.True(t, begin.Config.Uncontrolled)
	_, err = serve.Scenario(s, "session.jsonl", strict.DefaultLimits(), "test")
	require.EqualError(t, err, "session.jsonl:1:1: not all controllers act in this session (--controllers none), and in each "+
		"scenario they do: replay the session with sim serve --replay")
	s.Controllers = "some"
	_, err = s.Begin("session.jsonl", strict.DefaultLimits(), "test")
	require.EqualError(t, err, `session.jsonl:1:1: "some" is not served as controllers: write all, none, or a list of `+
		"statefulset, cronjob, daemonset, deployment, job, replicaset: a session is what sim serve --record writes")
}

// TestUncontrolledDeletion: a deletion ends at once, or waits for the kubelet, the garbage collector or the namespace
// controller, which are clients here.
func TestUncontrolledDeletion(t *testing.T) {
	s := plain(t)
	const container = `"containers":[{"name":"app","image":"app:v1"}]`
	meta := func(of map[string]any, field string) any { return at(t, of, "metadata."+field) }

	for name, finalizer := range map[string]string{"Foreground": "foregroundDeletion", "Orphan": "orphan"} {
		s.must("POST", sets, web)
		held := s.must("DELETE", sets+"/web", `{"propagationPolicy":"`+name+`"}`)
		require.Equal(t, []any{finalizer}, meta(held, "finalizers"))
		require.NotNil(t, meta(held, "deletionTimestamp"))
		s.must("POST", "/sim/clock/advance?by=1h", "")
		require.Equal(t, held, s.must("GET", sets+"/web", ""))
		s.must("PATCH", sets+"/web", `{"metadata":{"finalizers":null}}`, "Content-Type", "application/merge-patch+json")
		code, _ := s.ask("GET", sets+"/web", "")
		require.Equal(t, 404, code)
	}

	s.must("POST", pods, `{"metadata":{"name":"waits","deletionGracePeriodSeconds":9,"selfLink":"/x"},"spec":{`+container+`}}`)
	s.must("DELETE", pods+"/waits", "")
	code, _ := s.ask("GET", pods+"/waits", "")
	require.Equal(t, 404, code, "it is on no node")

	s.must("POST", pods, `{"metadata":{"name":"runs"},"spec":{"nodeName":"node-a",`+container+`}}`)
	gone := s.must("DELETE", pods+"/runs", "")
	require.Equal(t, []any{"2026-01-01T02:00:30Z", 30.0}, []any{meta(gone, "deletionTimestamp"),
		meta(gone, "deletionGracePeriodSeconds")})
	gone = s.must("DELETE", pods+"/runs?gracePeriodSeconds=10", "")
	require.Equal(t, []any{"2026-01-01T02:00:10Z", 10.0}, []any{meta(gone, "deletionTimestamp"),
		meta(gone, "deletionGracePeriodSeconds")})
	require.Equal(t, gone, s.must("DELETE", pods+"/runs?gracePeriodSeconds=20", ""), "it only becomes shorter")
	s.must("POST", "/sim/clock/advance?by=1h", "")
	require.Equal(t, gone, s.must("GET", pods+"/runs", ""))
	s.must("DELETE", pods+"/runs?gracePeriodSeconds=0", "")
	code, _ = s.ask("GET", pods+"/runs", "")
	require.Equal(t, 404, code)

	s.must("POST", "/api/v1/namespaces", `{"metadata":{"name":"mine"}}`)
	require.Empty(t, s.must("GET", "/api/v1/namespaces/mine/serviceaccounts", "")["items"])
	s.must("POST", "/api/v1/namespaces/mine/configmaps", `{"metadata":{"name":"c"}}`)
	s.must("DELETE", "/api/v1/namespaces/mine", "")
	require.Equal(t, "Terminating", at(t, s.must("GET", "/api/v1/namespaces/mine", ""), "status.phase"))
	s.must("GET", "/api/v1/namespaces/mine/configmaps/c", "")
	code, _ = s.ask("POST", "/api/v1/namespaces/mine/configmaps", `{"metadata":{"name":"d"}}`)
	require.Equal(t, 403, code)
}

// TestUncontrolledKinds: kinds on which controllers act elsewhere are stored with what the API server itself gives them.
func TestUncontrolledKinds(t *testing.T) {
	s := plain(t)
	const claims = "/api/v1/namespaces/default/persistentvolumeclaims"
	claim := s.must("POST", claims, `{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],
		"resources":{"requests":{"storage":"1Gi"}}}}`)
	require.Equal(t, "Pending", at(t, claim, "status.phase"))
	require.Nil(t, at(t, claim, "spec.storageClassName"))
	require.Equal(t, []any{"kubernetes.io/pvc-protection"}, at(t, claim, "metadata.finalizers"))
	code, _ := s.ask("PATCH", claims+"/data", `{"spec":{"accessModes":["ReadOnlyMany"]}}`,
		"Content-Type", "application/merge-patch+json")
	require.Equal(t, 422, code)
	code, wrong := s.ask("POST", claims, `{"metadata":{"name":"none"},"spec":{"resources":{"requests":{"storage":"1Gi"}}}}`)
	require.Equal(t, 422, code)
	require.Equal(t, `PersistentVolumeClaim "none" is invalid: spec.accessModes: Required value: at least 1 access mode is `+
		"required", wrong["message"])
	s.must("PATCH", claims+"/data", `{"spec":{"volumeName":"pv-1"}}`, "Content-Type", "application/merge-patch+json")

	service := s.must("POST", "/api/v1/namespaces/default/services", `{"metadata":{"name":"web"},
		"spec":{"selector":{"app":"web"},"ports":[{"port":80}]}}`)
	require.Equal(t, "10.97.0.2", at(t, service, "spec.clusterIP"))
	code, _ = s.ask("GET", "/api/v1/namespaces/default/endpoints/web", "")
	require.Equal(t, 404, code)

	node := s.must("POST", "/api/v1/nodes", `{"metadata":{"name":"node-a"},"status":{"capacity":{"pods":"10"}}}`)
	require.Equal(t, "10", at(t, node, "status.capacity.pods"))
	s.must("POST", pods, `{"metadata":{"name":"web-0","labels":{"app":"web"}},"spec":{"containers":[{"name":"app",
		"image":"app:v1"}]}}`)
	s.must("POST", pods+"/web-0/binding", `{"metadata":{"name":"web-0"},"target":{"kind":"Node","name":"node-a"}}`)
	pod := s.must("GET", pods+"/web-0", "")
	require.Equal(t, "node-a", at(t, pod, "spec.nodeName"))
	s.must("PATCH", pods+"/web-0/status", `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`,
		"Content-Type", "application/strategic-merge-patch+json")

	const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"
	s.must("POST", budgets, `{"metadata":{"name":"web"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"web"}}}}`)
	evict := func() (int, map[string]any) {
		return s.ask("POST", pods+"/web-0/eviction", `{"metadata":{"name":"web-0"}}`)
	}
	code, refused := evict()
	require.Equal(t, 429, code)
	require.Equal(t, "The disruption budget web is still being processed by the server.",
		at(t, refused, "details.causes.0.message"))
	s.must("PATCH", budgets+"/web/status", `{"status":{"observedGeneration":1,"disruptionsAllowed":1,"currentHealthy":2,
		"desiredHealthy":1,"expectedPods":2}}`, "Content-Type", "application/merge-patch+json")
	code, _ = evict()
	require.Equal(t, 201, code)
	require.NotNil(t, at(t, s.must("GET", pods+"/web-0", ""), "metadata.deletionTimestamp"))
	require.EqualValues(t, 0, at(t, s.must("GET", budgets+"/web", ""), "status.disruptionsAllowed"))
}

// TestUncontrolledWatch: a watch sees each write of a client, and nothing else.
func TestUncontrolledWatch(t *testing.T) {
	s := plain(t)
	version := at(t, s.must("GET", pods, ""), "metadata.resourceVersion").(string)
	s.must("POST", pods, `{"metadata":{"name":"a","finalizers":["my.own/one"]},"spec":{"nodeName":"node-a",
		"containers":[{"name":"app","image":"app:v1"}]}}`)
	merge := []string{"Content-Type", "application/merge-patch+json"}
	s.must("POST", "/sim/clock/advance?by=1h", "")
	s.must("PATCH", pods+"/a/status", `{"status":{"phase":"Running"}}`, merge...)
	s.must("PATCH", pods+"/a", `{"metadata":{"labels":{"app":"web"}}}`, merge...)
	s.must("DELETE", pods+"/a?gracePeriodSeconds=0", "")
	s.must("PATCH", pods+"/a", `{"metadata":{"finalizers":null}}`, merge...)

	ctx, end := context.WithTimeout(t.Context(), time.Second/4)
	defer end()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", pods+"?watch=1&resourceVersion="+version, nil).WithContext(ctx))
	var seen []string
	for d := json.NewDecoder(w.Body); ; {
		var event map[string]any
		if d.Decode(&event) != nil {
			break
		}
		seen = append(seen, fmt.Sprint(event["type"], " ", at(t, event, "object.status.phase"), " ",
			at(t, event, "object.metadata.labels"), " ", at(t, event, "object.metadata.deletionTimestamp")))
	}
	require.Equal(t, []string{
		"ADDED Pending <nil> <nil>",
		"MODIFIED Running <nil> <nil>",
		"MODIFIED Running map[app:web] <nil>",
		"MODIFIED Running map[app:web] 2026-01-01T01:00:00Z",
		"MODIFIED Running map[app:web] 2026-01-01T01:00:00Z",
		"DELETED Running map[app:web] 2026-01-01T01:00:00Z",
	}, seen)
}

// TestUncontrolledDump: the objects of a dump are shown as they were, and stay so.
func TestUncontrolledDump(t *testing.T) {
	dump := recording.Source{Name: "dump.json", Data: []byte(`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1",
		"kind":"Pod","metadata":{"name":"web-0","namespace":"shop","uid":"4d1d0f7c-9f4c-4e0e-8f2a-1f2b3c4d5e6f",
		"resourceVersion":"12","creationTimestamp":"2026-01-02T03:04:05Z"},"spec":{"nodeName":"node-z","containers":[{
		"name":"app","image":"app:v1"}]},"status":{"phase":"Running","podIP":"1.2.3.4"}}]}`)}
	b, err := recording.Read([]recording.Source{dump}, scenario.Options{Kubernetes: "1.37"}, "test")
	require.NoError(t, err)
	require.NoError(t, b.SetControllers("none"))
	s := begin(t, func(c *serve.Config) {
		c.World, c.Existing, c.Uncontrolled = b.Config.World, b.Config.Existing, b.Config.Uncontrolled
	})
	s.must("POST", "/sim/clock/advance?by=1h", "")
	pod := s.must("GET", "/api/v1/namespaces/shop/pods/web-0", "")
	require.Equal(t, []any{"4d1d0f7c-9f4c-4e0e-8f2a-1f2b3c4d5e6f", "node-z", "1.2.3.4"}, []any{at(t, pod, "metadata.uid"),
		at(t, pod, "spec.nodeName"), at(t, pod, "status.podIP")})
	require.Empty(t, s.must("GET", "/api/v1/nodes", "")["items"])
	s.must("PATCH", "/api/v1/namespaces/shop/pods/web-0", `{"metadata":{"labels":{"app":"web"}}}`,
		"Content-Type", "application/merge-patch+json")
}
