package explore_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/explore"
)

// TestAllVisitsEveryPermutationOnce checks the walk against a closed formula: there are n! ways to draw n things.
func TestAllVisitsEveryPermutationOnce(t *testing.T) {
	seen := map[[5]int]bool{}
	_, runs, err := explore.All(0, func(c choose.Chooser) error {
		rest := []int{0, 1, 2, 3, 4}
		var order [5]int
		for i := range order {
			at := c.Choose(choose.Branch, len(rest))
			order[i] = rest[at]
			rest = append(rest[:at:at], rest[at+1:]...)
		}
		seen[order] = true
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 120, runs)
	require.Len(t, seen, 120)
}

func TestAllReturnsTheAnswersThatFail(t *testing.T) {
	boom := errors.New("boom")
	f := func(c choose.Chooser) error {
		if c.Choose(choose.Fault, 3) == 2 && c.Choose(choose.Fault, 2) == 1 {
			return boom
		}
		return nil
	}
	answers, _, err := explore.All(0, f)
	require.ErrorIs(t, err, boom)
	require.Equal(t, []int{2, 1}, answers)
	require.ErrorIs(t, f(choose.Replay(answers)), boom)
}

func TestAllRefusesAFunctionThatHasOtherSourcesOfChance(t *testing.T) {
	n := 2
	require.Panics(t, func() {
		explore.All(0, func(c choose.Chooser) error {
			n++
			c.Choose(choose.Tie, n)
			return nil
		})
	})
}

func TestSeedsFindsTheSeedThatFails(t *testing.T) {
	boom := errors.New("boom")
	f := func(c choose.Chooser) error {
		if c.Choose(choose.Timing, 100) == 7 {
			return boom
		}
		return nil
	}
	seed, err := explore.Seeds(1, 10_000, f)
	require.ErrorIs(t, err, boom)
	require.ErrorIs(t, f(choose.Sweep(seed)), boom)
}
