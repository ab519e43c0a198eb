package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestStillServing: a new revision that does not become Ready may leave more pods serving than the set wants, while its
// ordinals move.
func TestStillServing(t *testing.T) {
	for _, c := range []struct {
		serving, replicas, updated int
		says                       string
	}{
		{0, 1, 0, "Then its only pod does not serve"},
		{0, 3, 0, "Then none of 3 serves"},
		{2, 3, 1, "2 of 3 still serve, 1 of them updated"},
		{4, 3, 0, "4 pods still serve, where 3 are wanted, and 0 of them are updated"},
	} {
		f := Facts{Verdict: timeline.Settled, Serving: c.serving, Replicas: c.replicas, Updated: c.updated}
		require.Equal(t, "the change completes. "+c.says, saysBroken(&f))
	}
}
