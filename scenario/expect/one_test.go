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
