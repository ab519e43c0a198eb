package explore_test

import (
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/runs/explore"
	"github.com/statefulsim/statefulsim/scenarios"
)

// TestPruningLosesNothing searches scenarios of the library with and without the knowledge of states, and wants the
// same classes with as many deviations. Each 100th of them is searched in every test run, and all where PRUNING is all.
func TestPruningLosesNothing(t *testing.T) {
	every := 100
	if os.Getenv("PRUNING") == "all" {
		every = 1
	}
	n, states := 0, 0
	err := fs.WalkDir(scenarios.FS, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".yaml" {
			return err
		}
		if n++; n%every != 0 {
			return nil
		}
		data, err := fs.ReadFile(scenarios.FS, file)
		require.NoError(t, err)
		dir, err := fs.Sub(scenarios.FS, path.Dir(file))
		require.NoError(t, err)
		x, err := explore.New(&explore.Source{Name: file, Data: data, Dir: dir})
		if err != nil {
			return nil
		}
		x.Acts = 2
		knowing, _ := least(t, x, explore.Settings{Deviations: 1, Runs: 300})
		blind, _ := least(t, x, explore.Settings{Deviations: 1, Runs: 300, Blind: true})
		require.Equal(t, blind, knowing, file)
		return nil
	})
	require.NoError(t, err)
	for _, trap := range traps[:2] {
		x := explorer(t, trap.kubernetes, trap.create)
		blind, whole := least(t, x, explore.Settings{Deviations: 1, Runs: 400, Blind: true})
		knowing, part := least(t, x, explore.Settings{Deviations: 1, Runs: 400})
		require.Equal(t, blind, knowing, trap.name)
		require.Equal(t, whole.Result.First.Runs, part.Result.First.Runs)
		states += part.Result.First.States
	}
	require.Greater(t, states, 100, "states are recognised")
}

// least is with how few deviations each class shows.
func least(t *testing.T, x *explore.Explorer, s explore.Settings) (map[string]int, *explore.Part) {
	t.Helper()
	part, err := x.Explore(s)
	require.NoError(t, err)
	classes := map[string]int{}
	for _, f := range part.Found {
		classes[f.Class] = f.Deviations
	}
	return classes, part
}
