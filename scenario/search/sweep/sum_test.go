package sweep_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestFewest: the fewest of all sets counts, also where none of them ever serves none.
func TestFewest(t *testing.T) {
	s := &sweep.Sum{}
	for _, pods := range [][2]int{{5, 3}, {4, 6}} {
		s.Add([]sweep.Run{{Fewest: []sweep.Fewest{
			{Set: model.Key{Name: "a"}, Pods: pods[0]}, {Set: model.Key{Name: "b"}, Pods: pods[1]},
		}}})
	}
	for text, broken := range map[string]bool{"minReady >= 3": false, "minReady >= 4": true, "fewest >= 3": false, "fewest >= 4": true, "fewest <= 3": false, "fewest <= 2": true} {
		list, err := sweep.Requirements([]string{text})
		require.NoError(t, err)
		require.Equal(t, broken, len(s.Broken(list)) > 0, text)
	}
}

// TestWorst: a run in which an expectation failed is worse than one in which few pods served, that worse than one that
// takes long, and of runs that are alike the one with the lower seed comes first. Ten are kept of however many, and a
// run without sets serves none.
func TestWorst(t *testing.T) {
	run := func(seed uint64, held bool, pods, seconds int) sweep.Run {
		return sweep.Run{Seed: seed, Held: held, Verdict: timeline.Settled, Takes: time.Duration(seconds) * time.Second,
			Fewest: []sweep.Fewest{{Pods: pods}}}
	}
	runs := []sweep.Run{run(1, false, 3, 1), run(2, true, 1, 5), run(3, true, 2, 9), run(4, true, 2, 7), run(5, true, 2, 7)}
	for seed := uint64(6); seed < 3000; seed++ {
		runs = append(runs, run(seed, true, 3, 1))
	}
	slices.Reverse(runs)
	s := &sweep.Sum{}
	s.Add(runs)
	var seeds []uint64
	for _, w := range s.Worst {
		seeds = append(seeds, w.Seed)
	}
	require.Equal(t, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, seeds)
	require.Equal(t, 2999, s.Runs)
	require.Equal(t, 2998, s.Held.Count)

	s.Add([]sweep.Run{{Seed: 4000, Held: true}})
	require.Equal(t, sweep.Worst{Seed: 4000, Held: true}, s.Worst[1])
}

// TestShare: the interval is Wilson's, in hundredths, and never leaves 0 to 100.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		held, of  int
		low, high float64
	}{{0, 0, 0, 0}, {0, 10, 0, 27.75}, {10, 10, 72.25, 100}, {1, 2, 9.45, 90.55}, {81, 100, 72.22, 87.49}} {
		runs := make([]sweep.Run, c.of)
		for i := range c.held {
			runs[i].Held = true
		}
		s := &sweep.Sum{}
		s.Add(runs)
		require.Equal(t, sweep.Share{Count: c.held, Low: c.low, High: c.high}, s.Held)
	}
}

// TestTones: a sweep in which all runs held is good, one in which one did not is bad.
func TestTones(t *testing.T) {
	line := func(seconds ...int) string {
		var text bytes.Buffer
		require.NoError(t, sweep.Text(&text, &sweep.Report{Sweeps: []*sweep.Sum{sum("web.yaml", seconds...)}},
			render.Style{Color: true, Width: 200}, "sim run"))
		return strings.Split(text.String(), "\n")[1]
	}
	good, bad := line(1, 2), line(1, 30)
	require.Contains(t, good, "\x1b[")
	require.Contains(t, bad, "\x1b[")
	require.NotEqual(t, good[:strings.Index(good, "m")], bad[:strings.Index(bad, "m")])
}
