package timeline_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// runs plays every scenario of the library.
func runs(t *testing.T, see func(name string, events []timeline.Event)) {
	files, err := fs.Glob(scenarios.FS, "*/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := fs.ReadFile(scenarios.FS, file)
		require.NoError(t, err)
		theme, err := fs.Sub(scenarios.FS, path.Dir(file))
		require.NoError(t, err)
		s, err := scenario.Parse(path.Base(file), data, theme, scenario.Options{})
		require.NoError(t, err)
		see(file, s.Run(scenario.RunOptions{}).Timeline)
	}
}

// TestRunsAreReadBack: the lines of every run of the library are read as they were written, with the same digest and the
// same state at the end.
func TestRunsAreReadBack(t *testing.T) {
	runs(t, func(name string, events []timeline.Event) {
		text := lines(events)
		got, err := timeline.Read(bytes.NewReader(text))
		require.NoError(t, err, name)
		require.Equal(t, string(text), string(lines(got)), name)
		require.Equal(t, timeline.Digest(events), timeline.Digest(got), name)
		var played, read timeline.Fold
		for i := range events {
			played.Apply(&events[i])
			read.Apply(&got[i])
			if i%8 == 0 || i == len(events)-1 {
				require.Equal(t, cluster(&played), cluster(&read), "%s: after event %d", name, i)
			}
		}
	})
}

// TestRunsAreFoldedOn: in the middle of every run of the library a copy of the fold goes on as the fold itself, and each
// of them alone.
func TestRunsAreFoldedOn(t *testing.T) {
	runs(t, func(name string, events []timeline.Event) {
		for _, at := range []int{len(events) / 3, len(events) / 2} {
			var whole timeline.Fold
			for i := range events[:at] {
				whole.Apply(&events[i])
			}
			copied, left := whole.Copy(), cluster(&whole)
			for i := range events[at:] {
				whole.Apply(&events[at+i])
			}
			require.Equal(t, left, cluster(&copied), "%s: copied at event %d", name, at)
			for i := range events[at:] {
				copied.Apply(&events[at+i])
			}
			require.Equal(t, cluster(&whole), cluster(&copied), "%s: copied at event %d", name, at)
		}
	})
}

// cluster is all that a fold knows at its instant.
func cluster(f *timeline.Fold) string {
	var b strings.Builder
	fmt.Fprintln(&b, f.T, f.Index, f.BudgetChanges())
	for _, set := range f.Known() {
		fmt.Fprintln(&b, set.Key, set.Status, set.Ready(), set.SpecChanges, set.PodChanges)
		if set.Spec != nil {
			fmt.Fprintln(&b, set.Spec.Spec.Replicas, set.Spec.Spec.Template.ID, set.Spec.Generation)
		}
		for p := range set.Pods.All {
			writePod(&b, p)
		}
	}
	f.BarePods(func(set *timeline.Set, p *timeline.Pod) bool {
		fmt.Fprintln(&b, set.Key)
		writePod(&b, p)
		return true
	})
	for _, claim := range f.Claims() {
		fmt.Fprintf(&b, "%+v\n", *claim)
	}
	for _, key := range f.Budgets() {
		fmt.Fprintf(&b, "%+v\n", *f.Budget(key))
	}
	for _, name := range []string{"node-1", "node-2", "node-3"} {
		if n := f.Node(name); n != nil {
			fmt.Fprintf(&b, "%+v\n", *n)
		}
	}
	for _, name := range []string{"web", "db", "web-0.web", "web-1.web", "db-0.db"} {
		to, exists := f.Resolve(name, "default")
		fmt.Fprintln(&b, name, to, exists)
	}
	return b.String()
}

// writePod writes a pod, without what its kubelet says of a container: the lines say that of the pod.
func writePod(b *strings.Builder, p *timeline.Pod) {
	pod := *p
	pod.Containers = nil
	fmt.Fprintf(b, "%+v\n", pod)
}
