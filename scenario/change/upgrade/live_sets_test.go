package upgrade

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestAssumed: what is played of a set that is not at rest says what it assumes; of one that is, nothing is played.
func TestAssumed(t *testing.T) {
	for name, assumes := range map[string][]string{
		"crash-loop-that-serves": {"Assumed: web-2 becomes Ready when its container starts again, and crashes again, as in " +
			"the last run of the container."},
		"paused-by-a-partition": nil,
	} {
		data := oncall.Of(name)
		in := &Input{}
		require.NoError(t, in.Read("live.yaml", data, strict.Limits{}))
		require.NoError(t, in.ReadState(strict.Limits{}))
		require.Equal(t, assumes, in.Unmodelled, name)
	}
}

// TestBetweenCrashes: a set that waits for a pod which crashes again and again continues while that pod is Ready, if it
// was so in its last run. sim explain and sim plan say the same of these dumps.
func TestBetweenCrashes(t *testing.T) {
	const stuck = "is stuck: %s is not Running and Ready; until it is, OrderedReady neither touches higher ordinals nor " +
		"continues the update (WaitingForReady)"
	for name, ending := range map[string]string{
		"crash-loop-that-serves": strings.Replace(stuck, "%s", "web-2", 1) +
			"; it continues only while web-2 is Ready, between two crashes",
		"crash-loop-of-an-old-pod-that-serves": strings.Replace(stuck, "%s", "web-1", 1) +
			"; it continues only while web-1 is Ready, between two crashes",
		"crash-loop-that-never-serves": strings.Replace(stuck, "%s", "web-2", 1),
	} {
		data := oncall.Of(name)
		in := &Input{}
		require.NoError(t, in.Read("live.yaml", data, strict.Limits{}))
		require.NoError(t, in.ReadState(strict.Limits{}))
		report := in.Compare(between(t, "1.36", "1.37"))
		require.Len(t, report.Moving, 1, name)
		require.Equal(t, [2]string{ending, ending}, report.Moving[0].Endings, name)
		require.False(t, report.Moving[0].Changes)
	}
}

// TestStops: a set that only continues between two crashes is better off than one that does not continue.
func TestStops(t *testing.T) {
	settles, comes, stops := Outcome{verdict: timeline.Settled}, Outcome{comes: true}, Outcome{}
	require.Less(t, settles.stops(), comes.stops())
	require.Less(t, comes.stops(), stops.stops())
}
