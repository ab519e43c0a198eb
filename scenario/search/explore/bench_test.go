package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
)

// BenchmarkSearch is what a search costs, for each run and for each state, of a creation and a change of the image.
func BenchmarkSearch(b *testing.B) {
	x, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(`kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 3, image: "app:v1"}
  - setImage: {image: "app:v2"}
`)})
	require.NoError(b, err)
	runs, states := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		r := search.Search(search.Options{Subject: x.Subject, Open: x.Open, Deviations: 3, Runs: 3000, Seed: 1})
		runs += r.First.Runs + r.Rest.Runs
		states += r.First.States + r.Rest.States
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(states)/float64(runs), "states/run")
}
