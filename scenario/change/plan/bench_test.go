package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// differentSets returns the manifests of sets of which no two have the same shape, with an image.
func differentSets(n int, image string) string {
	strategies := []string{
		"{type: RollingUpdate}", "{type: OnDelete}", "{rollingUpdate: {partition: 0}}", "{rollingUpdate: {partition: 1}}",
		"{rollingUpdate: {maxUnavailable: 2}}", "{rollingUpdate: {maxUnavailable: 33%, partition: 1}}",
	}
	var b strings.Builder
	for i := range n {
		rest := i / 12
		fmt.Fprintf(&b, "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web-%d}\nspec:\n  serviceName: web\n  "+
			"selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: "+
			"[{name: app, image: %q}]}\n  podManagementPolicy: %s\n  updateStrategy: %s\n  replicas: %d\n"+
			"  minReadySeconds: %d\n---\n", i, image, []string{"OrderedReady", "Parallel"}[i%2], strategies[i/2%6], rest%9+1,
			rest/9%3*15)
	}
	return b.String()
}

// BenchmarkDifferentSets plans a new image for 300 sets of different shapes.
func BenchmarkDifferentSets(b *testing.B) {
	b.ReportAllocs()
	before, after := differentSets(300, "app:v1"), differentSets(300, "app:v2")
	profile, err := statefulset.Lookup("")
	require.NoError(b, err)
	for b.Loop() {
		in, err := Read(Stream{Name: "old.yaml", Data: []byte(before)}, Stream{Name: "new.yaml", Data: []byte(after)},
			strict.Limits{})
		require.NoError(b, err)
		_, err = Of(in, &Options{Profiles: []statefulset.Profile{profile}, Runs: 1})
		require.NoError(b, err)
	}
}

// BenchmarkLiveSets plans a new image for 300 sets of different shapes, of which a dump shows the pods.
func BenchmarkLiveSets(b *testing.B) {
	b.ReportAllocs()
	before := cluster(b, "", applies(strings.TrimSuffix(differentSets(300, "app:v1"), "---\n")))
	before, after := strings.ReplaceAll(before, "\n  ", "\n"), differentSets(300, "app:v2")
	profile, err := statefulset.Lookup("")
	require.NoError(b, err)
	for b.Loop() {
		in, err := Read(Stream{Name: "old.yaml", Data: []byte(before)}, Stream{Name: "new.yaml", Data: []byte(after)},
			strict.Limits{})
		require.NoError(b, err)
		plan, err := Of(in, &Options{Profiles: []statefulset.Profile{profile}, Runs: 1})
		require.NoError(b, err)
		require.Len(b, plan.Sets, 300)
	}
}
