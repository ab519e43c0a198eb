package expect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestBudgetOfOne: a budget of a single pod is judged as one of many is.
func TestBudgetOfOne(t *testing.T) {
	const text = `
steps:
- create: {name: web, replicas: 1, image: "a:1"}
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}
`
	for more, held := range map[string]bool{"expect: [{budget: web}]\n": true, "- delete: pod/web-0\nexpect: [{budget: web}]\n": false} {
		s, err := scenario.Parse("s.yaml", []byte(text+more), nil, scenario.Options{})
		require.NoError(t, err)
		outcome := s.Run(scenario.RunOptions{})
		require.Equal(t, held, outcome.Held(), "%s%v", more, outcome.Failed())
	}
}

// TestReadinessOfTheTime: nothing would say when a readiness that depends on the time is to be evaluated again.
func TestReadinessOfTheTime(t *testing.T) {
	for condition, wrong := range map[string]bool{"now > 3": true, "pods.exists(p, p.age > 3)": true, "pods.exists(p, p.up)": false} {
		text := "kubelet: {ready: {after: 1s, when: \"" + condition + "\"}}\nsteps:\n- create: {name: web, replicas: 1, image: \"a:1\"}\n"
		_, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
		if wrong {
			require.ErrorContains(t, err, "a readiness cannot depend on the time")
		} else {
			require.NoError(t, err)
		}
	}
}
