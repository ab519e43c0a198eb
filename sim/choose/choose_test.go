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
