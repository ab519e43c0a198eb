package sweep_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func randomRuns(t *rapid.T) []sweep.Run {
	runs := make([]sweep.Run, rapid.IntRange(0, 60).Draw(t, "runs"))
	for i := range runs {
		runs[i] = sweep.Run{
			Seed: uint64(i + 1),
			Verdict: rapid.SampledFrom([]timeline.Verdict{timeline.Settled, timeline.IsStuck, timeline.Limit}).Draw(t,
				"verdict"),
			Held:  rapid.Bool().Draw(t, "held"),
			Takes: time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "takes")),
		}
		for _, name := range []string{"a", "b"} {
			if rapid.Bool().Draw(t, "complete") {
				runs[i].Fewest = append(runs[i].Fewest, sweep.Fewest{
					Set: model.Key{Namespace: "default", Name: name}, Pods: rapid.IntRange(0, 5).Draw(t, "fewest"),
				})
			}
		}
	}
	return runs
}

// TestPartsMakeTheWhole cuts runs into shards, merges them in another order and by way of their JSON, and wants the
// bytes of the whole.
func TestPartsMakeTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := randomRuns(t)
		of := rapid.IntRange(1, 5).Draw(t, "shards")
		sum := func(shard int) *sweep.Report {
			s := &sweep.Sum{File: "web.yaml", First: 1}
			var part []sweep.Run
			for i := range runs {
				if shard < 0 || i%of == shard {
					part = append(part, runs[i])
				}
			}
			if shard >= 0 {
				s.Shards = []string{string(rune('0'+shard)) + "/" + string(rune('0'+of))}
			}
			s.Add(part)
			return &sweep.Report{Sweeps: []*sweep.Sum{s}}
		}
		var parts []*sweep.Report
		for _, shard := range rapid.Permutation([]int{0, 1, 2, 3, 4}[:of]).Draw(t, "order") {
			var read sweep.Report
			require.NoError(t, json.Unmarshal(document(t, sum(shard)), &read))
			parts = append(parts, &read)
		}
		merged, err := sweep.Merge(parts)
		require.NoError(t, err)
		require.Equal(t, string(document(t, sum(-1))), string(document(t, merged)))
	})
}

func document(t require.TestingT, r *sweep.Report) []byte {
	text, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return text
}

// TestPlay plays a set whose pods become ready after 1 or 9 s, and loses one now and then.
func TestPlay(t *testing.T) {
	s, err := scenario.Parse("web.yaml", []byte(`kubernetes: "1.36"
kubelet: {ready: {choice: [{value: 1s, weight: 1}, {value: 9s, weight: 1}]}}
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
expect:
  - completes: {within: 20s, since: setImage}
`), nil, scenario.Options{})
	require.NoError(t, err)
	sum := &sweep.Sum{First: 1}
	var runs []sweep.Run
	for seed := uint64(1); seed <= 200; seed++ {
		runs = append(runs, sweep.Play(s, seed, scenario.RunOptions{}))
	}
	sum.Add(runs)
	require.Equal(t, 200, sum.Runs)
	require.Equal(t, []sweep.Serving{{Set: "default/web", Fewest: []sweep.Count{{Value: 1, Runs: 200}}}}, sum.Sets)
	// Each of the two pods is replaced in 2 s of stopping, 1 s of starting and 1 or 9 s of getting ready.
	require.InDelta(t, 8, sum.Takes.Min, 0.01)
	require.InDelta(t, 24, sum.Takes.Max, 0.05)
	require.InDelta(t, 150, sum.Held.Count, 25, "only two slow pods are too slow, which are a quarter")
	require.Less(t, sum.Held.Low, 75.0)
	require.Greater(t, sum.Held.High, 75.0)
	require.False(t, sum.Worst[0].Held)
	require.Equal(t, runs[sum.Worst[0].Seed-1], sweep.Play(s, sum.Worst[0].Seed, scenario.RunOptions{}), "a seed repeats")
}
