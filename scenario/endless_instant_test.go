package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestEndlessInstant plays a world in which each third write breaks the watches and lists everything again in no time.
// The controller, whose cache lags, cannot create a pod that is there, so every list leads to another such write: the
// clock never moves, and nothing is ever written.
func TestEndlessInstant(t *testing.T) {
	const text = `
apiserver: {watch: 100ms}
faults:
  - times: always
    watch: {break: 0s}
    write: {nth: 3}
kubernetes: 1.27.0
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - at: 2s
    label: {pod: web-0, labels: {app: other}}
`
	s, err := scenario.Parse("endless.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	outcome := s.Run(scenario.RunOptions{})
	require.Equal(t, timeline.Limit, outcome.Result.Verdict)
	last := outcome.Timeline[len(outcome.Timeline)-1]
	require.Contains(t, last.Message, "and no end of them")
}
