package serve_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnreadyEndpoints: a pod that runs and is not Ready is in the slice, not ready, and among the notReadyAddresses.
func TestUnreadyEndpoints(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", "/api/v1/namespaces/default/services", `{"metadata":{"name":"web"},"spec":{"selector":{"app":"web"},
		"ports":[{"port":80}]}}`)
	s.must("POST", "/apis/apps/v1/namespaces/default/statefulsets", `{"metadata":{"name":"web"},"spec":{"replicas":2,
		"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
		"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}`)
	s.must("POST", "/sim/clock/settle", "")
	shown := func() (slice, ready, unready any) {
		of := s.must("GET", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/web-sim", "")
		var list []any
		for _, e := range of["endpoints"].([]any) {
			e := e.(map[string]any)
			list = append(list, e["targetRef"].(map[string]any)["name"], e["conditions"].(map[string]any)["ready"])
		}
		older := s.must("GET", "/api/v1/namespaces/default/endpoints/web", "")
		names := func(field string) (names []any) {
			for _, subset := range older["subsets"].([]any) {
				addresses, _ := subset.(map[string]any)[field].([]any)
				for _, a := range addresses {
					names = append(names, a.(map[string]any)["targetRef"].(map[string]any)["name"])
				}
			}
			return names
		}
		return list, names("addresses"), names("notReadyAddresses")
	}
	for _, c := range []struct {
		step                  string
		slice, ready, unready []any
	}{
		{"", []any{"web-0", true, "web-1", true}, []any{"web-0", "web-1"}, nil},
		{`{"unready": {"pod": "web-1"}}`, []any{"web-0", true, "web-1", false}, []any{"web-0"}, []any{"web-1"}},
		{`{"recover": "web-1"}`, []any{"web-0", true, "web-1", true}, []any{"web-0", "web-1"}, nil},
		{`{"unready": {"pod": "web-0"}}`, []any{"web-1", true, "web-0", false}, []any{"web-1"}, []any{"web-0"}},
	} {
		if c.step != "" {
			s.must("POST", "/sim/step", c.step)
			s.must("POST", "/sim/clock/advance?by=1s", "")
		}
		slice, ready, unready := shown()
		require.Equal(t, []any{any(c.slice), any(c.ready), any(c.unready)}, []any{slice, ready, unready}, c.step)
	}
}

// TestNodesReport: the conditions of a node say when its kubelet has written its status last, at most five minutes ago.
func TestNodesReport(t *testing.T) {
	s := begin(t, nil)
	beat := func() any {
		node := s.must("GET", "/api/v1/nodes/node-1", "")
		list := s.must("GET", "/api/v1/nodes", "")
		at := at(t, node, "status.conditions.0.lastHeartbeatTime")
		first := list["items"].([]any)[0].(map[string]any)["status"].(map[string]any)["conditions"].([]any)[0]
		require.Equal(t, at, first.(map[string]any)["lastHeartbeatTime"])
		return at
	}
	require.Equal(t, "2026-01-01T00:00:00Z", beat())
	s.must("POST", "/sim/clock/advance?by=4m", "")
	require.Equal(t, "2026-01-01T00:00:00Z", beat())
	s.must("POST", "/sim/clock/advance?by=9m", "")
	require.Equal(t, "2026-01-01T00:10:00Z", beat())
	s.must("POST", "/sim/step", `{"nodeDown": "node-1"}`)
	s.must("POST", "/sim/clock/advance?by=20m", "")
	require.Equal(t, "2026-01-01T00:10:00Z", beat())
}
