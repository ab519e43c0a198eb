package serve_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestSaved: random sessions become scenarios that play to the same timeline, byte for byte.
func TestSaved(t *testing.T) {
	for seed := range uint64(20) {
		s := begin(t, func(c *serve.Config) { c.Speed, c.Record = clock.Max, true })
		random := rand.New(rand.NewPCG(seed, 1))
		written(s, random)
		administered(s, random)
		s.must("POST", "/sim/clock/settle", "")
		saved := serve.Session{Header: serve.Header{Format: 1, Kubernetes: "1.37"}, Requests: s.Recorded()}
		events := s.End()
		saved.Requests = s.Recorded()
		text, err := saved.Scenario("session.jsonl", strict.DefaultLimits(), "test")
		require.NoError(t, err, "seed %d", seed)
		played, err := scenario.Parse("saved.yaml", text, nil, scenario.Options{})
		require.NoError(t, err)
		again := played.Run(scenario.RunOptions{}).Timeline
		require.Equal(t, timelineOf(events[1:len(events)-1]), timelineOf(again[1:len(again)-1]), "seed %d:\n%s", seed, text)
		require.Equal(t, events[len(events)-1].Result.Verdict, again[len(again)-1].Result.Verdict)
	}
}

// administered lets a client do what an administrator does beside sets.
func administered(s *session, random *rand.Rand) {
	const merge, name = "application/merge-patch+json", "shop"
	budget := `{"metadata":{"name":"web"},"spec":{"minAvailable":%d,"selector":{"matchLabels":{"app":"web-a"}}}}`
	s.ask("POST", "/api/v1/namespaces", `{"metadata":{"name":"shop"}}`)
	for range 16 {
		namespace := []string{"default", name}[random.IntN(2)]
		sets := "/apis/apps/v1/namespaces/" + namespace + "/statefulsets"
		pods := "/api/v1/namespaces/" + namespace + "/pods/"
		pod := pods + fmt.Sprintf("web-a-%d", random.IntN(3))
		switch random.IntN(14) {
		case 0:
			s.ask("POST", sets, set("web-a", 3))
		case 1:
			s.ask("POST", pod+"/eviction", `{"apiVersion":"policy/v1","kind":"Eviction"}`)
		case 2:
			s.ask("POST", "/apis/policy/v1/namespaces/"+namespace+"/poddisruptionbudgets", fmt.Sprintf(budget, 2))
		case 3:
			s.ask("PATCH", "/apis/policy/v1/namespaces/"+namespace+"/poddisruptionbudgets/web",
				`{"spec":{"minAvailable":1}}`, "Content-Type", merge)
		case 4:
			s.ask("PATCH", "/api/v1/nodes/node-1", `{"spec":{"unschedulable":true}}`, "Content-Type", merge)
		case 5:
			s.ask("PATCH", "/api/v1/nodes/node-1", `{"spec":{"unschedulable":null}}`, "Content-Type", merge)
		case 6:
			s.ask("PATCH", pod, `{"metadata":{"labels":{"app":"other","extra":"yes"}}}`, "Content-Type", merge)
		case 7:
			s.ask("POST", "/api/v1/namespaces/"+namespace+"/services",
				`{"metadata":{"name":"web"},"spec":{"clusterIP":"None","selector":{"app":"web-a"},"ports":[{"port":80}]}}`)
		case 8:
			s.ask("DELETE", "/api/v1/namespaces/"+namespace+"/services/web", "")
		case 9:
			s.ask("DELETE", pod, `{"gracePeriodSeconds":0}`)
		case 10:
			s.ask("PATCH", sets+"/web-a", `{"metadata":{"labels":{"a":"b"}},"spec":{"updateStrategy":{"type":"OnDelete"}}}`,
				"Content-Type", merge)
		case 11:
			s.ask("PATCH", sets+"/web-a", `[{"op":"replace","path":"/spec/replicas","value":2}]`, "Content-Type",
				"application/json-patch+json")
		case 12:
			s.ask("PATCH", sets+"/web-a", `{"spec":{"serviceName":"else"}}`, "Content-Type", merge)
		case 13:
			s.ask("DELETE", sets+"/web-a?propagationPolicy="+[]string{"Orphan", "Background"}[random.IntN(2)], "")
		}
		s.now = s.now.Add(time.Duration(random.IntN(3_000_000_000)))
		for range random.IntN(6) {
			s.Turn()
		}
	}
}

// TestSavedRefuses: what no step does is named with its line.
func TestSavedRefuses(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Record = true })
	s.must("POST", sets, web)
	s.must("DELETE", pods+"/web-0", `{"gracePeriodSeconds":7}`)
	s.End()
	saved := serve.Session{Header: serve.Header{Format: 1, Kubernetes: "1.37"}, Requests: s.Recorded()}
	_, err := saved.Scenario("session.jsonl", strict.DefaultLimits(), "test")
	require.ErrorContains(t, err, "session.jsonl:3:1: no step of a scenario does what this request does: delete Pod web-0")
	empty := serve.Session{Header: serve.Header{Format: 1}}
	_, err = empty.Scenario("session.jsonl", strict.DefaultLimits(), "test")
	require.ErrorContains(t, err, "the session changes nothing that is simulated")
}
