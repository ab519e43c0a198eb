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

func TestATapeReplays(t *testing.T) {
	tape := &choose.Tape{From: choose.Sweep(3)}
	answers := draw(tape, choose.Timing)
	require.Equal(t, answers, tape.Answers)
	replay := choose.Replay(tape.Answers)
	require.Equal(t, answers, draw(replay, choose.Timing))
	require.Equal(t, make([]int, 20), draw(replay, choose.Timing), "a tape that has ended is dull")
	require.Panics(t, func() { choose.Replay([]int{3}).Choose(choose.Tie, 2) })
}
