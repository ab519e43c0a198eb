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
