package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestShape: what matters of a StatefulSet, one field after the other, and its neighbour that does not matter.
func TestShape(t *testing.T) {
	block := func(partition int32) *model.RollingUpdate { return &model.RollingUpdate{Partition: partition} }
	of := func(change func(*model.Spec)) string {
		s := &model.StatefulSet{Spec: model.Spec{Replicas: 3, Strategy: model.Strategy{RollingUpdate: block(0)}}}
		change(&s.Spec)
		return render.Shape(s)
	}
	for want, change := range map[string]func(*model.Spec){
		"OrderedReady, 3 replicas":           func(*model.Spec) {},
		"Parallel, 1 replica":                func(s *model.Spec) { s.PodManagement, s.Replicas = model.Parallel, 1 },
		"OrderedReady, 3 replicas, OnDelete": func(s *model.Spec) { s.Strategy = model.Strategy{Type: model.OnDeleteStrategy} },
		"OrderedReady, 3 replicas, updateStrategy {type: RollingUpdate} without rollingUpdate": func(s *model.Spec) { s.Strategy.RollingUpdate = nil },
		"OrderedReady, 3 replicas, partition 1":                                                func(s *model.Spec) { s.Strategy.RollingUpdate = block(1) },
		"OrderedReady, 3 replicas, partition 2, maxUnavailable 50%": func(s *model.Spec) {
			s.Strategy.RollingUpdate = block(2)
			s.Strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Value: 50, Percent: true}
		},
		"OrderedReady, 3 replicas, minReadySeconds 1": func(s *model.Spec) { s.MinReadySeconds = 1 },
		"OrderedReady, 3 replicas, ordinals from 1":   func(s *model.Spec) { s.Ordinals = &model.Ordinals{Start: 1} },
		"OrderedReady, 3 replicas, 2 claim templates, whenScaled Delete": func(s *model.Spec) {
			s.ClaimTemplates, s.Retention = make([]model.ClaimTemplate, 2), &model.Retention{DeleteWhenScaled: true}
		},
	} {
		require.Equal(t, want, of(change))
	}
	require.Equal(t, of(func(*model.Spec) {}), of(func(s *model.Spec) {
		s.Ordinals, s.Retention = &model.Ordinals{}, &model.Retention{DeleteWithSet: true}
	}), "what has its default is left out")
}

// TestWidthsAtTheirLimit: text that just fits stays whole, and one column less breaks it, whatever has the widest column.
func TestWidthsAtTheirLimit(t *testing.T) {
	require.Equal(t, 80, render.Style{}.Columns())
	require.Equal(t, 40, render.Style{Width: 39}.Columns())
	require.Equal(t, 41, render.Style{Width: 41}.Columns())
	g := render.Grid{Header: []string{"a", "b"}, Rows: [][]string{
		{"one two three four five", "one two three four five"},
	}}
	table := func(width int) string { return draw(render.Style{Width: width}, func(p *render.Page) { p.Table(g) }) }
	require.Equal(t, "A                        B\none two three four five  one two three four five\n", table(48))
	require.Equal(t, "A                   B\none two three four  one two three four five\nfive\n", table(47),
		"of two columns that are as wide as each other the first is wrapped")
	require.Equal(t, "A                   B\none two three four  one two three four\nfive                five\n", table(42))
}

// TestNumber: large numbers are grouped, so that they can be read.
func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 9999: "9999", 10_000: "10,000", 1_819_906: "1,819,906", -1_819_906: "-1,819,906"} {
		require.Equal(t, want, render.Number(n))
	}
	require.Equal(t, "12,345 pods", render.Count(12_345, "pod"))
}

// TestBrief: a duration has as many digits as matter.
func TestBrief(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 6_065_820: "0.006s", 352_273_477: "0.35s", 2_648_000_000: "2.6s", 93_400_000_000: "1m33s",
		time.Minute: "1m00s", 500_000: "0.0005s",
	} {
		require.Equal(t, want, render.Brief(d))
	}
}
