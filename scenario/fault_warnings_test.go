package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestWarningsOfStepsAndFaults: what has no effect is a warning at the end of the run, with the number of the step or of the fault.
func TestWarningsOfStepsAndFaults(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("steps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n- delete: pod/web-7\n"+
		"faults:\n- {pod: web-0 Ready, delete: pod/web-8}\n- {pod: web-1 Ready, unready: web-9}\n"), nil, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{
		"fault 1: it did nothing: there is no pod web-8 at 3s",
		"fault 2: it did nothing: there is no pod web-9 at 6s",
		"step 2: it did nothing: there is no pod web-7 at 6s",
	}, s.Run(scenario.RunOptions{}).Result.Warnings)
}
