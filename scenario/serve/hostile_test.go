package serve_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
)

// TestBadInputIsRefused: whatever is sent for whichever kind is answered with a Status or an object, and the session
// goes on.
func TestBadInputIsRefused(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	bodies := []string{"", "{}", "null", "[]", `"x"`, "7", `{"metadata":null}`, `{"metadata":[]}`,
		`{"metadata":{"name":7}}`,
		`{"metadata":{"name":"a"}}`, `{"metadata":{"name":"a","ownerReferences":[{}]}}`, `{"metadata":{"name":"A B"}}`,
		`{"metadata":{"generateName":"a-"}}`, `{"metadata":{"name":"web"},"spec":null,"status":{"x":1}}`,
		`{"spec":{"replicas":-1}}`, `[{"op":"remove","path":"/metadata"}]`, `[{"op":"remove","path":""}]`,
		`[{"op":"add","path":"/spec","value":null}]`, `{"$patch":"delete"}`, `{"spec":{"$patch":"replace"}}`,
		"k8s\x00garbage",
		`{"spec":{"template":{"spec":{"containers":[{"$patch":"x"}]}}}}`, `{"apiVersion":"v1","kind":"Status"}`}
	forms := []string{"application/json", "application/json-patch+json", "application/merge-patch+json",
		"application/strategic-merge-patch+json", "application/apply-patch+yaml", "application/yaml", ""}
	for i := range kinds.Served {
		if testing.Short() && i%4 != 0 {
			continue
		}
		kind := &kinds.Served[i]
		path := "/apis/" + kind.APIVersion()
		if kind.Group == "" {
			path = "/api/v1"
		}
		if kind.Namespaced {
			path += "/namespaces/default"
		}
		path += "/" + kind.Resource
		for _, body := range bodies {
			for _, form := range forms {
				for _, at := range []string{"POST " + path, "PUT " + path + "/web", "PATCH " + path + "/web",
					"PATCH " + path + "/web/status", "PATCH " + path + "/web/scale", "POST " + path + "/web/eviction",
					"PATCH " + path + "/web?dryRun=All", "DELETE " + path + "/a"} {
					var method, where string
					fmt.Sscan(at, &method, &where)
					code, _ := s.ask(method, where, body, "Content-Type", form)
					if form != "application/strategic-merge-patch+json" { // A real one answers a wrong directive with 500, too.
						require.NotEqual(t, 500, code, "%s with %q as %q", at, body, form)
					}
				}
			}
		}
	}
	for _, query := range []string{"labelSelector=!!", "fieldSelector=x", "continue=x", "limit=x",
		"watch=1&resourceVersion=x",
		"watch=1&timeoutSeconds=1&resourceVersion=999999999", "fieldSelector=metadata.labels%3Dx"} {
		s.ask("GET", pods+"?"+query, "")
	}
	s.must("POST", "/sim/clock/advance?by=1h", "")
	require.Equal(t, "web", at(t, s.must("GET", sets+"/web", ""), "metadata.name"))
}

// TestManyPods: they are created, rolled and deleted at speed max within a few seconds of the machine.
func TestManyPods(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Speed = clock.Max })
	began := time.Now()
	settle := func() {
		for s.Turn() == 0 {
		}
	}
	s.must("POST", sets, web)
	for _, patch := range []string{`{"spec":{"replicas":300}}`,
		`{"spec":{"template":{"metadata":{"annotations":{"a":"b"}}}}}`} {
		s.must("PATCH", sets+"/web", patch, "Content-Type", "application/merge-patch+json")
		settle()
		set := s.must("GET", sets+"/web", "")
		require.EqualValues(t, 300, at(t, set, "status.readyReplicas"))
		require.EqualValues(t, 300, at(t, set, "status.updatedReplicas"))
	}
	s.must("DELETE", sets+"/web", "")
	settle()
	require.Empty(t, s.must("GET", pods, "")["items"])
	t.Logf("%s of the machine", time.Since(began))
}

// TestADumpGoesOn: what the world does not know of a dump is shown as it was, and what it knows lives on.
func TestADumpGoesOn(t *testing.T) {
	const dump = `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: db, namespace: shop, uid: u1, creationTimestamp: "2026-03-01T00:00:00Z", generation: 1}
  spec:
    replicas: 1
    serviceName: db
    selector: {matchLabels: {app: db}}
    template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: app}]}}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: shop, uid: u2, creationTimestamp: "2026-03-01T00:00:00Z"}
  data: {a: b}
- apiVersion: v1
  kind: Service
  metadata: {name: db, namespace: shop, uid: u3, creationTimestamp: "2026-03-01T00:00:00Z"}
  spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432, protocol: TCP}]}
`
	b, err := recording.Read([]recording.Source{{Name: "dump.yaml", Data: []byte(dump)}}, scenario.Options{Kubernetes: "1.37"}, "")
	require.NoError(t, err)
	s := begin(t, func(c *serve.Config) {
		c.World, c.Existing, c.Epoch = b.Config.World, b.Config.Existing, b.Config.Epoch
	})
	s.must("POST", "/sim/clock/settle", "")
	shop := "/api/v1/namespaces/shop"
	require.Equal(t, "b", at(t, s.must("GET", shop+"/configmaps/settings", ""), "data.a"))
	require.Equal(t, "Running", at(t, s.must("GET", shop+"/pods/db-0", ""), "status.phase"))
	slice := s.must("GET", "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/db-sim", "")
	require.EqualValues(t, 5432, at(t, slice, "ports.0.port"))
	require.Equal(t, true, at(t, slice, "endpoints.0.conditions.ready"))
	s.must("DELETE", "/api/v1/namespaces/shop", "")
	s.must("POST", "/sim/clock/settle", "")
	code, _ := s.ask("GET", "/api/v1/namespaces/shop", "")
	require.Equal(t, 404, code)
}
