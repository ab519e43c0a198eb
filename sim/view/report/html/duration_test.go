package html

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

func at(n int) model.Time { return model.Time(0).Add(time.Duration(n) * time.Second) }

// TestSpent holds how the time since the last step is told: the chain of waits, each of which began before the one
// before it had ended, and what nobody waited for.
func TestSpent(t *testing.T) {
	ready := func(from, to int) wait { return wait{model.WaitingForReady, at(from), at(to), nil} }
	gone := func(from, to int) wait { return wait{model.WaitingForTermination, at(from), at(to), nil} }
	for name, c := range map[string]struct {
		waits []wait
		want  []string
	}{
		"one pod after the other": {[]wait{gone(0, 2), ready(2, 5), gone(5, 7), ready(7, 10)},
			[]string{"until gone 2 × 2s = 4s", "until Ready 2 × 3s = 6s"}},
		"two at once: the longer one counts":      {[]wait{ready(0, 4), ready(0, 10)}, []string{"until Ready 10s"}},
		"two that end together: the first counts": {[]wait{gone(0, 10), ready(0, 10)}, []string{"until gone 10s"}},
		"one that began before the other ended": {[]wait{gone(0, 6), ready(3, 10)},
			[]string{"until gone 6s", "until Ready 4s"}},
		"a gap": {[]wait{ready(1, 4), gone(8, 10)},
			[]string{"until Ready 3s", "until gone 2s", "no wait 5s"}},
		"of different times": {[]wait{ready(0, 4), ready(4, 10)}, []string{"until Ready 10s in 2 waits"}},
	} {
		require.Equal(t, c.want, summed(chainOf(c.waits, 0, at(10))), name)
	}
}

// TestSpentAddsUp holds that the parts of a chain, and the time in which nothing was waited for, are all of the time.
func TestSpentAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var waits []wait
		for range rapid.IntRange(0, 12).Draw(t, "waits") {
			from := rapid.IntRange(0, 30).Draw(t, "from")
			to := from + rapid.IntRange(1, 10).Draw(t, "for")
			waits = append(waits, wait{model.WaitingForReady, at(from), at(to), &model.Why{}})
		}
		end := at(rapid.SampledFrom([]int{20, 45}).Draw(t, "end"))
		chain, idle := chainOf(waits, 0, end)
		plain, plainly := plainChain(waits, 0, end)
		require.Equal(t, plain, chain)
		require.Equal(t, plainly, idle)
		for i := range chain {
			require.Same(t, plain[i].why, chain[i].why, "of several that last equally long the first counts")
		}
		end = max(end, at(45))
		chain, idle = chainOf(waits, 0, end)
		sum, until := idle, model.Time(0)
		for _, w := range chain {
			require.GreaterOrEqual(t, w.from, until)
			sum, until = sum+w.to.Sub(w.from), w.to
		}
		require.Equal(t, end.Sub(0), sum)
	})
}

// plainChain is chainOf as it is said: it looks at all waits for each link.
func plainChain(waits []wait, begin, end model.Time) (chain []wait, idle time.Duration) {
	for at := begin; at < end; {
		next := wait{from: end, to: end}
		for _, w := range waits {
			switch {
			case w.to <= at || w.from >= end:
			case w.from <= at && (next.from > at || w.to > next.to), w.from > at && w.from < next.from:
				next = w
			}
		}
		idle += max(0, next.from.Sub(at))
		if next.code != "" {
			next.from = max(next.from, at)
			chain = append(chain, next)
		}
		at = next.to
	}
	return chain, idle
}

// TestChainOfManyWaits: a chain of 300,000 links is found at once. To look at all waits for each link would take minutes.
func TestChainOfManyWaits(t *testing.T) {
	const n = 300_000
	waits := make([]wait, n)
	for i := range waits {
		waits[i] = wait{model.WaitingForReady, model.Time(i), model.Time(i + 1), nil}
	}
	chain, idle := chainOf(waits, 0, model.Time(n))
	require.Len(t, chain, n)
	require.Zero(t, idle)
}

// TestPath holds that the critical path leads along the lanes of the pods that were waited for, without a gap where
// there was always something to wait for.
func TestPath(t *testing.T) {
	run := rolled(3, 1)
	data := gather([]*report.Run{run})
	set, times := data.Runs[0].Sets[0], data.Runs[0].Times
	var told []string
	for i := 0; i < len(set.Path); i += pathWidth {
		told = append(told, fmt.Sprintf("%s-%s %s: %s", times[set.Path[i]], times[set.Path[i+1]],
			set.Pods[set.Path[i+2]].Name, data.Words[set.Path[i+3]]))
	}
	require.Equal(t, []string{
		"7-9 web-2: until web-2 is Ready", "10-12 web-1: until web-1 is Ready", "13-15 web-0: until web-0 is Ready",
	}, told)
	require.Nil(t, gather([]*report.Run{stuckRun()}).Runs[0].Sets[0].Path, "a run that does not settle has no duration")
}
