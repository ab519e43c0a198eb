package serve_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/pace"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestSaved: random sessions become scenarios that play to the same timeline, byte for byte.
func TestSaved(t *testing.T) {
	for seed := range uint64(20) {
		s := begin(t, func(c *serve.Config) { c.Speed = clock.Max })
		random := rand.New(rand.NewPCG(seed, 1))
		written(s, random)
		administered(s, random)
		s.must("POST", "/sim/clock/settle", "")
		saved := recording.Session{Header: recording.Header{Format: 1, Kubernetes: "1.37"}, Requests: s.recorded}
		events := s.End()
		saved.Requests = s.recorded
		text, err := serve.Scenario(&saved, "session.jsonl", strict.DefaultLimits(), "test")
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

// TestSavedOfFiles: what a session begins with is in its recording, and in the scenario that it is saved as: a dump, or the
// cluster of a scenario, with its nodes, its seed, its times and its faults. The replay is the same too.
func TestSavedOfFiles(t *testing.T) {
	dump, err := os.ReadFile("../testdata/manifests/dump.yaml")
	require.NoError(t, err)
	for name, text := range map[string]string{"dump.yaml": string(dump), "cluster.yaml": `name: cluster
nodes: 2
seed: 4
kubelet: {stop: {uniform: [1s, 4s]}, ready: 3s}
steps: [{create: {name: unplayed, image: none}}, {at: 5s, nodeDown: node-1}]
`} {
		for seed := range uint64(6) {
			saved := recording.Session{Header: recording.Header{Format: 1, Files: []recording.File{{Name: name, Text: text}}}}
			start := func(speed clock.Speed) *session {
				b, err := recording.Read(saved.Sources(), saved.Options(strict.DefaultLimits()), "test")
				require.NoError(t, err)
				s := &session{t: t, now: b.Config.Epoch}
				s.Server = serve.New(serve.Config{Config: b.Config, Speed: speed, Record: s.record,
					Timing: pace.Timing{Now: func() time.Time { return s.now }}})
				s.Start()
				return s
			}
			s := start(clock.Max)
			random := rand.New(rand.NewPCG(seed, 3))
			s.ask("PATCH", sets+"/web/scale", `{"spec":{"replicas":3}}`, "Content-Type", "application/merge-patch+json")
			written(s, random)
			administered(s, random)
			s.must("DELETE", notes+"/kube-root-ca.crt", "")
			events := timelineOf(s.End())
			saved.Epoch, saved.Requests = s.now, s.recorded
			again := start(clock.Paused)
			require.NoError(t, again.Replay("session.jsonl", saved.Requests))
			require.Equal(t, events, timelineOf(again.End()), "%s, seed %d", name, seed)
			text, err := serve.Scenario(&saved, "session.jsonl", strict.DefaultLimits(), "test")
			require.NoError(t, err, "%s, seed %d", name, seed)
			require.Contains(t, string(text), map[string]string{"dump.yaml": "start:", "cluster.yaml": "seed: 4"}[name])
		}
	}
}

// TestSavedOrdinary: what clients ordinarily do becomes a scenario.
func TestSavedOrdinary(t *testing.T) {
	claim := `{"metadata":{"name":"data-db-1"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"2Gi"}}}}`
	hostPort := strings.Replace(strings.Replace(web, `"replicas":3`, `"replicas":4`, 1), `"image":"app:v1"`,
		`"image":"app:v1","ports":[{"containerPort":80,"hostPort":8080}]`, 1)
	for name, do := range map[string]func(s *session){
		"a claim": func(s *session) { s.must("POST", "/api/v1/namespaces/default/persistentvolumeclaims", claim) },
		"the Service of the API server is deleted": func(s *session) {
			s.must("DELETE", "/api/v1/namespaces/default/services/kubernetes", "")
			s.must("POST", sets, web)
		},
		"a Service without a selector, which gets one": func(s *session) {
			const services = "/api/v1/namespaces/default/services"
			s.must("POST", services, `{"metadata":{"name":"web"},"spec":{"ports":[{"port":80}]}}`)
			s.must("POST", sets, web)
			s.must("PATCH", services+"/web", `{"spec":{"selector":{"app":"web"}}}`, "Content-Type", "application/merge-patch+json")
			s.must("POST", "/sim/clock/advance?by=1m", "")
			s.must("DELETE", services+"/web", "")
		},
		"a patch with a field that no set has": func(s *session) {
			s.must("POST", sets, web)
			s.must("PATCH", sets+"/web", `{"spec":{"replica":2,"replicas":1}}`, "Content-Type", "application/merge-patch+json")
		},
		"host ports on three nodes": func(s *session) {
			s.must("POST", sets, hostPort)
			s.must("POST", "/sim/clock/advance?by=90s", "")
		},
		"back to a checkpoint, twice": func(s *session) {
			s.must("POST", sets, web)
			s.must("POST", "/sim/clock/advance?by=1m", "")
			s.must("POST", "/sim/checkpoint/early", "")
			s.must("POST", "/sim/clock/advance?by=5s", "")
			s.must("DELETE", sets+"/web", `{"propagationPolicy":"Orphan"}`)
			s.must("POST", "/sim/checkpoint/late", "")
			s.must("POST", "/sim/clock/advance?by=1h", "")
			s.must("DELETE", pods+"/web-0", "")
			s.must("POST", "/sim/restore/early", "")
			s.must("POST", "/sim/clock/advance?by=2s", "")
			s.must("DELETE", pods+"/web-1", "")
			s.must("POST", "/sim/restore/late", "")
			s.must("POST", "/sim/clock/advance?by=1s", "")
			s.must("DELETE", pods+"/web-2", "")
		},
		"all pods at once, and back": func(s *session) {
			s.must("POST", sets, web)
			s.must("POST", "/sim/clock/advance?by=1m", "")
			s.must("DELETE", pods, "")
			s.must("POST", "/sim/clock/advance?by=1h", "")
			s.must("POST", "/sim/checkpoint/gone", "")
			s.must("POST", "/sim/clock/advance?by=1h", "")
			s.must("DELETE", pods+"/web-0", "")
			s.must("POST", "/sim/restore/gone", "")
			s.must("POST", "/sim/clock/advance?by=5s", "")
			s.must("DELETE", sets+"/web", "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := recording.Read(nil, scenario.Options{Kubernetes: "1.37"}, "test")
			require.NoError(t, err)
			s := begin(t, func(c *serve.Config) { c.World = b.Config.World })
			do(s)
			s.End()
			saved := recording.Session{Header: recording.Header{Format: 1, Kubernetes: "1.37"}, Requests: s.recorded}
			_, err = serve.Scenario(&saved, "session.jsonl", strict.DefaultLimits(), "test")
			require.NoError(t, err)
		})
	}
}

// TestSavedRefuses: what no step does is named with its line.
func TestSavedRefuses(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", sets, web)
	s.must("POST", "/sim/clock/advance?by=1m", "")
	s.must("PATCH", pods+"/web-0", `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"b"}]}}`,
		"Content-Type", "application/merge-patch+json")
	s.End()
	saved := recording.Session{Header: recording.Header{Format: 1, Kubernetes: "1.37"}, Requests: s.recorded}
	_, err := serve.Scenario(&saved, "session.jsonl", strict.DefaultLimits(), "test")
	require.ErrorContains(t, err, "session.jsonl:3:1: no step of a scenario does what this request does: patch Pod web-0")
	empty := recording.Session{Header: recording.Header{Format: 1}}
	_, err = serve.Scenario(&empty, "session.jsonl", strict.DefaultLimits(), "test")
	require.ErrorContains(t, err, "the session changes nothing that is simulated")
}

// TestNodeSelector: an empty cluster has three nodes, and a pod that selects one of them comes there.
func TestNodeSelector(t *testing.T) {
	b, err := recording.Read(nil, scenario.Options{}, "test")
	require.NoError(t, err)
	begun := pace.Timing{Now: func() time.Time { return b.Config.Epoch }}
	s := &session{t: t, Server: serve.New(serve.Config{Config: b.Config, Timing: begun})}
	s.Start()
	s.must("POST", sets, strings.Replace(web, `"containers"`,
		`"nodeSelector":{"kubernetes.io/hostname":"node-3"},"containers"`, 1))
	s.settle()
	for _, pod := range s.must("GET", pods, "")["items"].([]any) {
		require.Equal(t, "node-3", at(t, pod, "spec.nodeName"))
	}
}
