package upgrade

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// differentSets returns the manifests of sets of which no two have the same shape.
func differentSets(n int) string {
	strategies := []string{
		"{type: RollingUpdate}", "{type: OnDelete}", "{rollingUpdate: {partition: 0}}", "{rollingUpdate: {partition: 1}}",
		"{rollingUpdate: {maxUnavailable: 2}}", "{rollingUpdate: {maxUnavailable: 33%, partition: 1}}",
	}
	const claim = "  volumeClaimTemplates: [{metadata: {name: d}, spec: {accessModes: [ReadWriteOnce], resources: " +
		"{requests: {storage: 1Gi}}}}]\n"
	var b strings.Builder
	for i := range n {
		policy, strategy, rest := []string{"OrderedReady", "Parallel"}[i%2], strategies[i/2%6], i/12
		fmt.Fprintf(&b, "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web-%d}\nspec:\n  serviceName: web\n  "+
			"selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: "+
			"[{name: app, image: app}]}\n  podManagementPolicy: %s\n  updateStrategy: %s\n  replicas: %d\n", i, policy, strategy,
			rest%9+1)
		if rest/9%3 > 0 {
			fmt.Fprintf(&b, "  minReadySeconds: %d\n", rest/9%3*15)
		}
		if i/2%3 == 0 {
			b.WriteString(claim)
		}
		b.WriteString("---\n")
	}
	return b.String()
}

// BenchmarkDifferentSets compares two versions, with all minor versions between them, for 300 sets of different shapes.
func BenchmarkDifferentSets(b *testing.B) {
	b.ReportAllocs()
	text := []byte(differentSets(300))
	for b.Loop() {
		in := &Input{}
		require.NoError(b, in.Read("sets.yaml", text, strict.Limits{}))
		o := between(b, "1.33", "1.37")
		o.Path = Path(Stop{Name: "1.33", Profile: o.From}, Stop{Name: "1.37", Profile: o.To}, nil)
		in.Compare(o)
	}
}
