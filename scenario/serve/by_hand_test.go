package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// shown is what kubectl shows of the pods of a set: their phase, and whether they are Ready.
func (s *session) shown() string {
	var b strings.Builder
	for _, item := range s.must("GET", "/api/v1/namespaces/default/pods", "")["items"].([]any) {
		pod := item.(map[string]any)
		status := pod["status"].(map[string]any)
		ready := "unready"
		if list, is := status["conditions"].([]any); is {
			for _, c := range list {
				if c := c.(map[string]any); c["type"] == "Ready" && c["status"] == "True" {
					ready = "Ready"
				}
			}
		}
		b.WriteString(pod["metadata"].(map[string]any)["name"].(string) + " " + status["phase"].(string) + " " + ready + "; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// Steps by hand let something fail and mend it; a session with them is saved as a scenario.
func TestByHand(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", "/apis/apps/v1/namespaces/default/statefulsets", `{"metadata":{"name":"web"},"spec":{"replicas":2,
		"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
		"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}`)
	s.must("POST", "/sim/clock/settle", "")
	for _, c := range []struct{ step, does, then string }{
		{`{"unready": {"pod": "web-1", "for": "5m"}}`, "make web-1 unready for 5m0s", "web-0 Running Ready; web-1 Running unready"},
		{`{"recover": "web-1"}`, "make web-1 Ready again", "web-0 Running Ready; web-1 Running Ready"},
		{`{"nodeDown": {"node": "node-1", "off": true}}`, "switch node-1 off", "web-0 Running unready; web-1 Running Ready"},
		{`{"nodeUp": "*"}`, "bring node-1, node-2, node-3 back", "web-0 Running Ready; web-1 Running Ready"},
		{`{"addRule": {"name": "image app:v1", "match": {"image": "app:v1"}, "start": "never", "reason": "ImagePullBackOff"}}`,
			"add the rule image app:v1", "web-0 Running Ready; web-1 Running Ready"},
		{`{"fail": "web-1"}`, "fail web-1", "web-0 Running Ready; web-1 Pending unready"},
		{`{"removeRule": {"all": true}}`, "remove all rules that were added", "web-0 Running Ready; web-1 Running Ready"},
	} {
		require.Equal(t, c.does, s.must("POST", "/sim/step", c.step)["does"])
		s.must("POST", "/sim/clock/advance?by=2m", "")
		require.Equal(t, c.then, s.shown(), c.step)
	}
	for step, says := range map[string]string{
		`{"crash": "web-7"}`:                   `pods "web-7" not found`,
		`{"nodeDown": "node-9"}`:               "there is no node node-9: the nodes are node-1, node-2, node-3",
		`{"scale": {"replicas": 3}}`:           "scale is not a step that can be done by hand",
		`{"addRule": {"match": {"pod": "x"}}}`: `lacks the key "name"`,
		`{"at": "5s", "crash": "web-0"}`:       `"at" is not a step that can be done by hand`,
		`{`:                                    "the step:1:",
		``:                                     "is empty",
		`[]`:                                   "mapping",
	} {
		code, answer := s.ask("POST", "/sim/step", step)
		require.GreaterOrEqual(t, code, http.StatusBadRequest, step)
		require.Contains(t, answer["message"], says, step)
	}
	session := &recording.Session{Header: recording.Header{Format: 1, Kubernetes: "1.37", Epoch: s.now}, Requests: s.recorded}
	text, err := serve.Scenario(session, "session.jsonl", strict.DefaultLimits(), "test")
	require.NoError(t, err)
	played, err := scenario.Parse("saved.yaml", text, nil, scenario.Options{Limits: strict.DefaultLimits()})
	require.NoError(t, err)
	require.Len(t, played.Steps, 8, "%s", text)
}
