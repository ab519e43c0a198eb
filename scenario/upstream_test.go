package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestUpstream plays the scenarios in testdata/upstream. Each says at its top what Kubernetes does by its own code, or
// was seen to do, and expects it.
func TestUpstream(t *testing.T) {
	files := glob(t, "testdata/upstream/*.yaml")
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			s, err := scenario.Parse(file, data, nil, scenario.Options{})
			require.NoError(t, err)
			run := s.Run(scenario.RunOptions{})
			require.NotEmpty(t, run.Verdicts)
			require.Empty(t, run.Failed())
			require.True(t, run.Held(), "it ended: %s", run.Result.Verdict)
		})
	}
}
