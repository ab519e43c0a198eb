package sweep_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// sum is the sum of runs of two sets that take so many seconds; those of more than ten are stuck, and do not hold.
func sum(file string, seconds ...int) *sweep.Sum {
	s := &sweep.Sum{File: file, Kubernetes: "1.37", First: 7}
	var runs []sweep.Run
	for i, takes := range seconds {
		r := sweep.Run{Seed: uint64(7 + i), Verdict: timeline.Settled, Held: true, Takes: time.Duration(takes) * time.Second}
		if takes > 10 {
			r.Verdict, r.Held = timeline.IsStuck, false
		}
		for name, pods := range map[string]int{"web": 3 - i%2, "db": i % 4} {
			r.Fewest = append(r.Fewest, sweep.Fewest{Set: model.Key{Namespace: "default", Name: name}, Pods: pods})
		}
		runs = append(runs, r)
	}
	s.Add(runs)
	return s
}

// TestText compares what is printed of sweeps with testdata/text.txt.
func TestText(t *testing.T) {
	part := sum("my web.yaml", 1, 2, 3, 4, 30, 5, 6, 7, 8, 20, 9, 10)
	part.Shards = []string{"1/3", "3/3"}
	var text bytes.Buffer
	for _, r := range []*sweep.Report{
		{Sweeps: []*sweep.Sum{part, sum("one.yaml", 4)}}, {Sweeps: []*sweep.Sum{sum("none.yaml")}}, {},
		{Sweeps: []*sweep.Sum{sum("long.yaml", 99, 100, 999, 1234, 9876, 98765, 98765)}},
	} {
		require.NoError(t, sweep.Text(&text, r, render.Style{Width: 100}, "sim run"))
		text.WriteString("--\n")
	}
	goldenfile.Equal(t, "testdata/text.txt", text.Bytes())
}

// TestLongVerdict: a space parts the longest verdict from its count, as of a report that an older version has written.
func TestLongVerdict(t *testing.T) {
	s := &sweep.Sum{}
	s.Add([]sweep.Run{{Verdict: timeline.Interrupted}})
	var text bytes.Buffer
	require.NoError(t, sweep.Text(&text, &sweep.Report{Sweeps: []*sweep.Sum{s}}, render.Style{Width: 200}, "sim run"))
	require.Contains(t, text.String(), "  interrupted 1 of 1 (")
}

// TestRequirements: bounds hold where a quantity reaches them, and what breaks one is said with its value.
func TestRequirements(t *testing.T) {
	s := sum("web.yaml", 1, 2, 3, 4, 30, 5, 6, 7, 8, 20)
	for text, says := range map[string]string{
		"held >= 80": "", "held >= 81": "held >= 81 does not hold: it is 80", "held <= 79": "held <= 79 does not hold: it is 80",
		"fewest >= 0": "", "fewest >= 1": "fewest >= 1 does not hold: it is 0",
		"max <= 30.1s": "", "max <= 29s": "max <= 29s does not hold: it is 30s",
		"p50 <= 5s": "", "p50 <= 4.9s": "p50 <= 4.9s does not hold: it is 5s",
		"p90 >= 20s": "", "p99 >= 30s": "", "p90 >= 21s": "p90 >= 21s does not hold: it is 20s", "p99 >= 31s": "p99 >= 31s does not hold: it is 30s",
	} {
		list, err := sweep.Requirements([]string{text})
		require.NoError(t, err, text)
		broken := s.Broken(list)
		if says == "" {
			require.Empty(t, broken, text)
		} else {
			require.Equal(t, []string{says}, broken)
		}
	}
	one, err := sweep.Requirements([]string{"held >= 100", "max <= 4.1s"})
	require.NoError(t, err)
	require.Empty(t, sum("one.yaml", 4).Broken(one))
	none := &sweep.Sum{}
	list, err := sweep.Requirements([]string{"held >= 1", "fewest >= 1", "max <= 1s"})
	require.NoError(t, err)
	require.Equal(t, []string{"held >= 1 does not hold: it is 0", "fewest >= 1 does not hold: it is 0"}, none.Broken(list))
	for text, says := range map[string]string{
		"held": `"held" is not a requirement: write one like 'p99 <= 10m'`, "held > 3": "is not a requirement", "a held >= 3": "is not a requirement",
		"mean >= 3": `unknown "mean": write one of held, minReady, p50, p90, p99, max`, "p99 <= 3": `"3" is not a duration: write one like 10m`,
		"held >= all": `"all" is not a number`, "held >= NaN": `"NaN" is not a number`, "minReady <= -inf": `"-inf" is not a number`,
	} {
		_, err := sweep.Requirements([]string{"held >= 1", text})
		require.ErrorContains(t, err, says)
	}
}

// TestMergeRefuses: parts of different sweeps, and parts that overlap, are no sweep together.
func TestMergeRefuses(t *testing.T) {
	report := func(change func(*sweep.Sum)) *sweep.Report {
		s := sum("web.yaml", 1)
		s.Digest, s.Shards = "d", []string{"1/2"}
		change(s)
		return &sweep.Report{Sweeps: []*sweep.Sum{s}}
	}
	whole := report(func(*sweep.Sum) {})
	for says, other := range map[string]*sweep.Report{
		"web.yaml on 1.37: these are parts of different sweeps": report(func(s *sweep.Sum) { s.Digest, s.Shards = "e", []string{"2/2"} }),
		"parts of different sweeps":                             report(func(s *sweep.Sum) { s.First, s.Shards = 8, []string{"2/2"} }),
		"1/2":                                                   report(func(*sweep.Sum) {}),
	} {
		_, err := sweep.Merge([]*sweep.Report{whole, other})
		require.ErrorContains(t, err, says)
	}
	merged, err := sweep.Merge([]*sweep.Report{whole, report(func(s *sweep.Sum) { s.Shards = []string{"2/2"} })})
	require.NoError(t, err)
	require.Empty(t, merged.Sweeps[0].Shards, "all shards are the whole")
	other, err := sweep.Merge([]*sweep.Report{whole, report(func(s *sweep.Sum) { s.Kubernetes = "1.36" })})
	require.NoError(t, err)
	require.Len(t, other.Sweeps, 2)
}
