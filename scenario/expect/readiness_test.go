package expect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestReadinessOfEachPod: a condition that asks something of the pod itself is looked at for each pod, and not once for
// the set. The new pods become Ready by it, one after the other, while the old ones do not.
func TestReadinessOfEachPod(t *testing.T) {
	s, err := scenario.Parse("test.yaml", []byte(`
kubernetes: "1.36"
kubelet:
  ready: {after: 4s, when: "self.template > 1"}
steps:
- create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel}
- setImage: {statefulset: web, image: "app:v2"}
`), nil, scenario.Options{})
	require.NoError(t, err)
	events := s.Run(scenario.RunOptions{}).Timeline
	var ready []string
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindPod && e.State == timeline.Ready {
			ready = append(ready, e.Pod)
			require.Equal(t, 2, e.Template, "%s at %ss", e.Pod, e.T.Seconds())
		}
	}
	require.Equal(t, []string{"web-1", "web-0"}, ready)
}

// TestReadinessThatCostsTooMuch: a condition that is not evaluated to its end keeps the pods from being Ready, and the run
// says so: it would be stuck without a reason.
func TestReadinessThatCostsTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	const ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
	loop := "true"
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		loop = ten + ".all(" + name + ", " + loop + ")"
	}
	s, err := scenario.Parse("test.yaml", []byte(`
kubelet:
  ready: {after: 1s, when: "`+loop+`"}
steps:
- create: {name: web, replicas: 1, image: "app:v1"}
`), nil, scenario.Options{})
	require.NoError(t, err)
	events := s.Run(scenario.RunOptions{}).Timeline
	result := events[len(events)-1].Result
	require.Equal(t, timeline.IsStuck, result.Verdict)
	require.Equal(t, []string{"nobody knows whether web-0 is ready, and it counts as not ready: one evaluation of the condition " +
		"costs more than 10000000: " + loop}, result.Warnings)
}

// TestReadinessWithoutASet: while there is no set, no condition over it holds, and the pods that it has left behind are
// not Ready; they are again when another set has taken them.
func TestReadinessWithoutASet(t *testing.T) {
	s, err := scenario.Parse("test.yaml", []byte(`
kubelet: {ready: {after: 1s, when: "spec.replicas == 1"}}
steps:
- create: {name: web, replicas: 1, image: "app:v1"}
- {delete: statefulset/web, cascade: orphan}
- {after: 1m, create: {name: web, replicas: 1, image: "app:v1"}}
`), nil, scenario.Options{})
	require.NoError(t, err)
	events := s.Run(scenario.RunOptions{}).Timeline
	var states []string
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindPod {
			states = append(states, e.T.Clock()+" "+e.State.String())
		}
	}
	require.Equal(t, []string{"0s Pending", "1s Running", "2s Ready", "32s Unready", "1m02s Ready"}, states)
}

// TestReadinessOfPeers: a pod looks at the others of its set.
func TestReadinessOfPeers(t *testing.T) {
	s, err := scenario.Parse("test.yaml", []byte(`
kubelet: {ready: {after: 1s, when: "self.ordinal == 0 || pods.exists(p, p.ordinal == 0 && p.up)"}}
steps:
- create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel}
expect:
- completes: {within: 3s}
- order: ["web-0 Ready", "web-1 Ready"]
`), nil, scenario.Options{})
	require.NoError(t, err)
	require.True(t, s.Run(scenario.RunOptions{}).Held())
	_, err = scenario.Parse("test.yaml", []byte("kubelet: {ready: {after: 1s, when: slef.ordinal == 0}}\nsteps:\n"+threePods), nil, scenario.Options{})
	require.ErrorContains(t, err, "unknown name slef: did you mean self?")
}

// TestReadinessOfAnotherSet: a pod waits for another set, which need not be there yet.
func TestReadinessOfAnotherSet(t *testing.T) {
	s, err := scenario.Parse("test.yaml", []byte(`
kubelet: {rules: [{match: {statefulset: web}, ready: {after: 1s, when: "sets['default/db'].ready == 1"}}]}
steps:
- create: {name: web, replicas: 1, image: "app:v1"}
- at: 1m
  create: {name: db, replicas: 1, image: "db:1"}
expect:
- order: ["db-0 Ready", "web-0 Ready"]
`), nil, scenario.Options{})
	require.NoError(t, err)
	require.True(t, s.Run(scenario.RunOptions{}).Held())
}
