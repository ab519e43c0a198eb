package scenarios_test

import (
	"io/fs"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestChances holds the numbers that descriptions give of scenarios that end by chance: how many of the seeds from 1 to
// 100 settle.
func TestChances(t *testing.T) {
	for file, want := range map[string]int{
		"questions/q25-never-enough-at-the-same-time.yaml": 69,
		"questions/q25-with-a-shorter-back-off.yaml":       98,
	} {
		data, err := fs.ReadFile(scenarios.FS, file)
		require.NoError(t, err)
		settled := 0
		for seed := uint64(1); seed <= 100; seed++ {
			s, err := scenario.Parse(file, data, nil, scenario.Options{Seed: &seed})
			require.NoError(t, err)
			if s.Run(scenario.RunOptions{}).Result.Verdict == timeline.Settled {
				settled++
			}
		}
		require.Equal(t, want, settled, file)
		require.Regexp(t, `hundred\s+seeds\s+`+strconv.Itoa(want), string(data))
	}
}
