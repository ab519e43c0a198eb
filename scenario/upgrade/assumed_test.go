package upgrade

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestAssumed: what is played of a set that is not at rest says what it assumes; of one that is, nothing is played.
func TestAssumed(t *testing.T) {
	for name, assumes := range map[string][]string{
		"crash-loop-that-serves": {"Assumed: web-2 stays not Ready. It was Ready in the last run of a container that crashes, so " +
			"in the cluster the controller may continue while it is Ready again, between two crashes."},
		"paused-by-a-partition": nil,
	} {
		data, err := os.ReadFile("../explain/testdata/oncall/" + name + ".yaml")
		require.NoError(t, err)
		in := &Input{}
		require.NoError(t, in.Read("live.yaml", data, strict.Limits{}))
		require.NoError(t, in.ReadState(strict.Limits{}))
		require.Equal(t, assumes, in.Unmodelled, name)
	}
}
