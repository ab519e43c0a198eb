package nodes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestEveryFixedPointGoesOn stops worlds whose nodes are in trouble at each of their fixed points, among them those at
// which a taint, an eviction or a sweep of the pod garbage collector is still to come: from each of them another world
// comes to the same end.
func TestEveryFixedPointGoesOn(t *testing.T) {
	const set = "steps:\n- create: {name: web, replicas: 6, image: \"app:v1\", podManagementPolicy: Parallel}\n"
	for name, text := range map[string]string{
		"a node that is deleted while it is silent": "nodes: {count: 3}\nuntil: 1h\n" + set +
			"- {at: 10s, nodeDown: node-2}\n- {after: 10s, delete: node/node-2}\n",
		"two of three nodes of a zone": "nodes: {count: 6, zones: [a, b]}\nuntil: 1h\n" + set +
			"- {at: 10s, nodeDown: node-1}\n- {at: 20s, nodeDown: node-3}\n- {at: 20m, nodeUp: node-1}\n",
		"a zone, and then all": "nodes: {count: 4, zones: [a, b]}\nuntil: 1h\n" + set +
			"- {at: 10s, nodeDown: node-1}\n- {at: 11s, nodeDown: node-3}\n- {at: 3m, nodeDown: \"node-[24]\"}\n- {at: 15m, nodeUp: \"node-*\"}\n",
		"out of service, and back": "nodes: {count: 2}\nuntil: 1h\n" + set +
			"- {at: 10s, nodeDown: {node: node-2, off: true}}\n- {at: 2m, outOfService: node-2}\n- {at: 5m, outOfService: {node: node-2, remove: true}}\n- {at: 5m, nodeUp: node-2}\n",
	} {
		t.Run(name, func(t *testing.T) {
			type stop struct {
				state *sim.State
				done  int
				at    string
			}
			var stops []stop
			load := func() *scenario.Scenario {
				s, err := scenario.Parse("test.yaml", []byte(text), nil, scenario.Options{})
				require.NoError(t, err)
				return s
			}
			s, done := load(), 0
			for i := range s.Steps {
				act := s.Steps[i].Act
				s.Steps[i].Act = func(u *sim.User) sim.Outcome {
					done = i + 1
					return act(u)
				}
			}
			config := s.Config(scenario.RunOptions{})
			config.Watch = func(w *sim.World) { stops = append(stops, stop{w.State(), done, w.Now().Clock()}) }
			want := timeline.Digest(sim.New(config).Run(s.Steps))
			for _, from := range stops {
				again := load()
				config := again.Config(scenario.RunOptions{})
				config.Start = from.state
				require.Equal(t, want, timeline.Digest(sim.New(config).Run(again.Steps[from.done:])), "begun again at %s", from.at)
			}
		})
	}
}
