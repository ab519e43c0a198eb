package proof

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestVerdictsOnTheLibrary compares verdict, status and words on each set of the library's scenarios, at all their fixed
// points.
func TestVerdictsOnTheLibrary(t *testing.T) {
	const root = "../../../scenarios"
	files, points, seen := 0, 0, map[string]map[gate.State]int{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.IsDir() || filepath.Ext(path) != ".yaml" {
			return nil
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		played, err := scenario.Parse(path, data, os.DirFS(filepath.Dir(path)), scenario.Options{})
		if err != nil { // A manifest beside its scenario.
			return nil
		}
		files++
		for f := range timeline.Ticks(played.Run(scenario.RunOptions{}).Timeline) {
			for _, set := range f.Sets() {
				points++
				compare(t, path, set, seen)
			}
		}
		return nil
	}))
	t.Logf("%d scenarios, %d sets at fixed points: %v", files, points, seen)
	require.Greater(t, files, 100)
}

// compare compares all tools on one set.
func compare(t *testing.T, path string, set *timeline.Set, seen map[string]map[gate.State]int) {
	for _, g := range gate.All() {
		if read := real[g]; read != nil {
			want := read(t, set)
			require.Equal(t, want, g.Read(set), "%s: %s: %s", path, g.Name, text(set))
			if seen[g.Name] == nil {
				seen[g.Name] = map[gate.State]int{}
			}
			seen[g.Name][want.State]++
		}
	}
}
