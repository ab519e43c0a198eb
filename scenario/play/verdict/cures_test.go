package verdict

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestSetsOf: each set that waits is named once, in the order in which they are found, and a hundred thousand of them
// take no minute.
func TestSetsOf(t *testing.T) {
	var stuck []timeline.Stuck
	var want []model.Key
	for i := range 100_000 {
		set := model.Key{Namespace: "default", Name: fmt.Sprintf("a-set-with-a-long-name-%d", i)}
		stuck = append(stuck, timeline.Stuck{Set: set}, timeline.Stuck{Set: set})
		want = append(want, set)
	}
	begin := time.Now()
	require.Equal(t, want, setsOf(stuck))
	require.Less(t, time.Since(begin), 5*time.Second)
}

// TestIgnoredObjects: a few are named, and more are counted by their kinds, the most first.
func TestIgnoredObjects(t *testing.T) {
	names := []string{"Secret a", "ConfigMap a", "Ingress a", "ConfigMap b", "Ingress b", "ConfigMap c"}
	told := func(n int) string {
		var out bytes.Buffer
		(&Run{Ignored: names[:n], Warnings: []string{"odd"}}).TellInput(&out, "f.yaml")
		return out.String()
	}
	require.Equal(t, "warning: odd\nf.yaml: Secret a has no effect and is ignored\nf.yaml: ConfigMap a has no effect and is ignored\n", told(2))
	require.Contains(t, told(5), "f.yaml: Ingress b has no effect and is ignored\n")
	require.Equal(t, "warning: odd\nf.yaml: 6 objects have no effect and are ignored: 3 ConfigMap, 2 Ingress, 1 Secret\n", told(6))
}
