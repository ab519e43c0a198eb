package explain_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// textDumps are dumps of which not all sets are stuck, and those that are for a reason that is seldom; after is how old
// the dump is when it is explained.
var textDumps = []struct {
	name, text string
	after      time.Duration
}{
	{"at rest", "steps:\n" + three, time.Minute},
	{"two sets, of which one is stuck", bad + "steps:\n" + three + "- create: {name: db, replicas: 2, image: \"db:1\"}\n- setImage: {statefulset: web, image: \"app:bad\"}\n", time.Hour},
	{"on its way", "until: 4s\nsteps:\n" + three, 0},
	{"many changes to come", "until: 1s\nsteps:\n- create: {name: web, replicas: 9, image: \"app:v1\"}\n", 0},
	{"a drain that a budget stops", "steps:\n- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}\n" + three + "- drain: node-2\n", 10 * time.Minute},
	{"a drain that two budgets stop", "steps:\n- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}}\n- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, " +
		"metadata: {name: all}, spec: {minAvailable: 1, selector: {}}}\n" + three + "- drain: node-2\n", 10 * time.Minute},
	{"an old dump", bad + "steps:\n" + three + toBad, 50 * time.Hour},
	{"a dump of two hours ago", bad + "steps:\n" + three + toBad, 119 * time.Minute},
	{"a dump of a minute ago", bad + "steps:\n" + three + toBad, 90 * time.Second},
	{"a pod that is being deleted, in time", "kubelet: {stop: 1h}\nuntil: 20s\nsteps:\n" + three + "- delete: pod/web-1\n", 0},
	{"a livelock", "kubernetes: \"1.37\"\napiserver: {write: 10ms}\nuntil: 20s\nsteps:\n- create: {name: web, replicas: 3, image: " +
		"\"app:v1\", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}\n- unready: web-0\n- after: 5s\n" +
		"  setImage: {image: \"app:v2\"}\n", 0},
	{"a Parallel rollout that waits for a pod to be gone", "kubelet: {stop: 5s}\nuntil: 10s\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\", " +
		"podManagementPolicy: Parallel}\n- at: 8s\n  setImage: {image: \"app:v2\"}\n", 0},
	{"no replicas", "steps:\n- create: {name: web, replicas: 0, image: \"app:v1\"}\n", time.Minute},
}

// TestDumpText compares what is printed of the sets of dumps, stuck and not, with testdata/dump.txt.
func TestDumpText(t *testing.T) {
	var text strings.Builder
	write := func(name, scene string, after time.Duration) {
		s, err := scenario.Parse("s.yaml", []byte(scene), nil, scenario.Options{})
		require.NoError(t, err, name)
		real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
		d := dumpedAfter(t, real.State(nil), after)
		fmt.Fprintf(&text, "# %s\n\n", name)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil)
		require.NoError(t, dumped.Document().Text(&text, render.Style{Width: 1 << 20}))
		fmt.Fprintf(&text, "\nheld: %v\n\n", dumped.Held())
	}
	for _, c := range textDumps {
		write(c.name, c.text, c.after)
	}
	for _, c := range stuckSets {
		write(c.name, c.text, 10*time.Minute)
	}
	goldenfile.Equal(t, "testdata/dump.txt", text.String())
}
