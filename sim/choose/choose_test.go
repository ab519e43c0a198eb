package choose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/choose"
)

func draw(c choose.Chooser, kind choose.Kind) []int {
	answers := make([]int, 20)
	for i := range answers {
		answers[i] = c.Choose(kind, 10)
	}
	return answers
}

func TestASeedRepeats(t *testing.T) {
	require.Equal(t, draw(choose.Sweep(7), choose.Tie), draw(choose.Sweep(7), choose.Tie))
	require.NotEqual(t, draw(choose.Sweep(7), choose.Tie), draw(choose.Sweep(8), choose.Tie))
}

func TestAPlainRunOnlyLeavesTimingsAndFaultsToChance(t *testing.T) {
	require.Equal(t, make([]int, 20), draw(choose.Seeded(7), choose.Tie))
	require.Equal(t, make([]int, 20), draw(choose.Seeded(7), choose.Branch))
	require.NotEqual(t, make([]int, 20), draw(choose.Seeded(7), choose.Timing))
}

func TestAChooserGoesOnWhereAnotherStood(t *testing.T) {
	first := choose.Seeded(7)
	draw(first, choose.Fault)
	second := choose.Seeded(0)
	second.Resume(first.Position())
	require.Equal(t, draw(first, choose.Timing), draw(second, choose.Timing))
	require.Panics(t, func() { second.Resume([]byte("nowhere")) })
}

// TestKinds: the kinds have names, a plain run draws two of them and a sweep draws all, each below its bound; the
// dull chooser draws none.
func TestKinds(t *testing.T) {
	var names []string
	for kind := choose.Tie; kind <= choose.Sync; kind++ {
		names = append(names, kind.String())
		plain, sweep := draw(choose.Seeded(7), kind), draw(choose.Sweep(7), kind)
		require.NotEqual(t, make([]int, 20), sweep)
		if kind == choose.Timing || kind == choose.Fault {
			require.Equal(t, sweep, plain, "one seed is one generator")
		} else {
			require.Equal(t, make([]int, 20), plain)
		}
		for _, answer := range sweep {
			require.Less(t, answer, 10)
			require.GreaterOrEqual(t, answer, 0)
		}
		require.Equal(t, make([]int, 20), draw(choose.Dull, kind))
	}
	require.Equal(t, []string{"tie", "branch", "timing", "fault", "act", "sync"}, names)
}
