package scenario_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestCompletesSinceTheLastTemplate: completes without since counts from the last step that gave the set another
// template, and not from one after it that changes something else.
func TestCompletesSinceTheLastTemplate(t *testing.T) {
	const steps = `
kubernetes: "1.37"
steps:
- create: {name: web, replicas: 2, image: "app:v1"}
- setImage: {image: "app:v2"}
- after: 5s
  patch: {spec: {revisionHistoryLimit: 5}}
expect:
- completes: {within: %s}
`
	for within, held := range map[string]bool{"9s": false, "10s": true} {
		s, err := scenario.Parse("s.yaml", fmt.Appendf(nil, steps, within), nil, scenario.Options{})
		require.NoError(t, err)
		outcome := s.Run(scenario.RunOptions{})
		require.Equal(t, held, outcome.Held(), "within %s of the new image, at 6s: the rollout takes until 16s", within)
	}
}
