package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestDearReadiness: what the readiness conditions of a run cost together has the limit of all conditions, whether they
// ask for the pod or not, and however short they are. An interruption is heard while they are evaluated.
func TestDearReadiness(t *testing.T) {
	for _, when := range []string{
		"pods.all(p, p.name != '')", "pods.all(p, pods.all(q, p.name != ''))", "pods.all(p, p.name != self.name || p.up)",
		"claims.size() + sets.size() >= 0 && pods.size() > 0", "pods.map(p, p.name).map(a, a+a+a+a).map(a, a+a+a+a).size() > 0",
	} {
		text := `kubelet: {ready: {when: "` + when + `"}}
steps: [{create: {name: web, replicas: 60, image: a, podManagementPolicy: Parallel}}]
`
		s, err := scenario.Parse("dear.yaml", []byte(text), nil, scenario.Options{})
		require.NoError(t, err)
		require.Equal(t, timeline.Settled, s.Run(scenario.RunOptions{}).Result.Verdict)
		s.MaxCost = 200
		outcome := s.Run(scenario.RunOptions{})
		require.Equal(t, timeline.Limit, outcome.Result.Verdict, when)
		require.Empty(t, outcome.Result.Warnings)
		last := outcome.Timeline[len(outcome.Timeline)-1]
		require.Equal(t, "the readiness conditions of the run cost more than 200 together: --max-cost raises the limit", last.Message)

		s.MaxCost = 0
		asked := 0
		outcome = s.Run(scenario.RunOptions{Interrupted: func() bool { asked++; return asked > 1 }})
		require.Equal(t, timeline.Interrupted, outcome.Result.Verdict, when)
		require.Empty(t, outcome.Result.Warnings)
	}
}

// TestReadinessAndExpectations: the conditions of the expectations may cost what those of readiness have left.
func TestReadinessAndExpectations(t *testing.T) {
	s, err := scenario.Parse("two.yaml", []byte(`kubelet: {ready: {when: "pods.all(p, p.name != '')"}}
steps: [{create: {name: web, replicas: 30, image: a}}]
expect: [{always: "pods.filter(p, p.name != '').size() >= 0"}]
`), nil, scenario.Options{})
	require.NoError(t, err)
	outcome := s.Run(scenario.RunOptions{})
	require.True(t, outcome.Held())
	for limit := int64(1000); outcome.Held() || outcome.Result.Verdict == timeline.Limit; limit += 10 {
		s.MaxCost = limit
		if outcome = s.Run(scenario.RunOptions{}); outcome.Held() {
			require.Fail(t, "no limit is enough for readiness, and too little for both")
		}
	}
	require.Contains(t, outcome.Failed()[0].Detail, "the conditions of the run cost more than")
}
