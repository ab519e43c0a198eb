package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestManagerIsAway: the collector and the other controllers die and come back with the manager. What a collector has to
// do waits until then. Found on a real control plane, with the manager away for 6s.
func TestManagerIsAway(t *testing.T) {
	const away = `
kubernetes: "1.36"
steps:
- create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel}
- restartController: {after: 6s}
- after: 1s
`
	const orphaned = away + `  delete: {statefulset: web, cascade: orphan}
- after: 1s
  create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel}
  refused: 'object is being deleted: statefulsets.apps "web" already exists'
`
	const deleted = away + `  delete: {statefulset: web}
`
	for _, c := range []struct{ name, steps, expectation, want string }{
		{"an orphaned set is there until the manager is back", orphaned, `check: {at: 8.5s, that: "sets.size() == 1"}`, "held"},
		{"and gone then", orphaned, `check: {at: settled, that: "sets.size() == 0"}`, "held"},
		{"its pods stay", orphaned, `never: "web-* Terminating"`, "held"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, c.steps, c.expectation); got != c.want {
				t.Errorf("%s: %s", c.expectation, got)
			}
		})
	}

	s, err := scenario.Parse("s.yaml", []byte(deleted), nil, scenario.Options{})
	require.NoError(t, err)
	var going []string
	for _, e := range s.Run(scenario.RunOptions{}).Timeline {
		if e.Kind == timeline.KindPod && e.State == timeline.Terminating {
			going = append(going, e.T.Clock()+" "+e.Pod)
		}
	}
	require.Equal(t, []string{"9s web-0", "9s web-1"}, going, "the pods of a deleted set go when the manager is back")
}

// TestNodeControllersBeginAgain: the node lifecycle controller and the taint eviction remember times and not only
// objects. Another process counts the silence of a node, and the toleration of a pod, from its own beginning
// (tryUpdateNodeHealth in pkg/controller/nodelifecycle, processPodOnNode in pkg/controller/tainteviction). The last
// restart says when the manager is back.
func TestNodeControllersBeginAgain(t *testing.T) {
	const down = `
kubernetes: "1.36"
nodes: {count: 3, monitorGrace: 10s, toleration: 15s}
steps:
- create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel}
- {at: 5s, nodeDown: node-1}
`
	for _, c := range []struct{ name, steps, silent, evicted string }{
		{"never", "", "15s", "30s"},
		{"before it is silent for long enough", "- {at: 6s, restartController: {after: 60s}}", "1m16s", "1m31s"},
		{"and again", "- {at: 6s, restartController: {after: 60s}}\n- {at: 26s, restartController: {after: 1s}}", "37s", "52s"},
		{"while its pods are tolerated", "- {at: 20s, restartController: {after: 2s}}", "15s", "37s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(down+c.steps), nil, scenario.Options{})
			require.NoError(t, err)
			var silent, evicted string
			for _, e := range s.Run(scenario.RunOptions{}).Timeline {
				switch {
				case e.Kind == timeline.KindNode && e.Reason == timeline.ReasonNodeNotReady:
					silent = e.T.Clock()
				case e.Kind == timeline.KindPod && e.State == timeline.Terminating:
					evicted = e.T.Clock()
				}
			}
			require.Equal(t, c.silent, silent)
			require.Equal(t, c.evicted, evicted)
		})
	}
}
