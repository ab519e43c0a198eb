package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestFormula: a sum of stages and of what none of them explains.
func TestFormula(t *testing.T) {
	for want, c := range map[string]struct {
		counts         [recording.Stages]int
		rest, minReady time.Duration
	}{
		"0s":                            {},
		"5s":                            {rest: 5 * time.Second},
		"stop":                          {counts: [recording.Stages]int{1, 0, 0}},
		"stop + start + ready":          {counts: [recording.Stages]int{1, 1, 1}},
		"2 × (start + ready)":           {counts: [recording.Stages]int{0, 2, 2}},
		"2 × (start + ready) + stop":    {counts: [recording.Stages]int{1, 2, 2}},
		"3 × start + 2 × stop":          {counts: [recording.Stages]int{2, 3, 0}},
		"stop + 5s":                     {counts: [recording.Stages]int{1, 0, 0}, rest: 5 * time.Second},
		"2 × stop + 5s":                 {counts: [recording.Stages]int{2, 0, 0}, rest: 5 * time.Second, minReady: 10 * time.Second},
		"stop + minReadySeconds 5s":     {counts: [recording.Stages]int{1, 0, 0}, rest: 5 * time.Second, minReady: 5 * time.Second},
		"2 × minReadySeconds 5s + stop": {counts: [recording.Stages]int{1, 0, 0}, rest: 10 * time.Second, minReady: 5 * time.Second},
		"stop + 12s":                    {counts: [recording.Stages]int{1, 0, 0}, rest: 12 * time.Second, minReady: 5 * time.Second},
	} {
		require.Equal(t, want, formula(c.counts, c.rest, c.minReady))
	}
	for d, want := range map[time.Duration]string{
		time.Minute: "1m00s", time.Minute + 1499*time.Millisecond: "1m01s", time.Second: "1s",
		1234 * time.Millisecond: "1.2s", 352 * time.Millisecond: "0.35s", 0: "0s",
	} {
		require.Equal(t, want, render.Brief(d))
	}
}

// TestPercentiles: of few runs the percentiles are the longest.
func TestPercentiles(t *testing.T) {
	for n, want := range map[int][3]Seconds{1: {1, 1, 1}, 2: {1, 2, 2}, 3: {2, 3, 3}, 20: {10, 19, 20}, 100: {50, 95, 99}, 200: {100, 190, 198}} {
		var took []Seconds
		for i := range n {
			took = append(took, Seconds(n-i))
		}
		d := Duration{}.percentiles(took)
		require.Equal(t, want, [3]Seconds{d.P50, d.P95, d.P99}, n)
		require.Equal(t, n, d.Runs)
	}
	d := Duration{Known: true, Formula: "ready", Runs: 2, P50: 1e9, P95: 2e9, P99: 2e9, Unfinished: 1, Bounded: true,
		Timings: []*times.Timing{{Stage: "stop"}, {Stage: "ready", Bound: "at least"}}}
	require.Equal(t, "ready: p50 1s, p95 2s, p99 2s over 2 runs (ready is at least so long), and 1 more did not complete", d.String())
}
