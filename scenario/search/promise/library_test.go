package promise_test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

const golden = "testdata/library.golden"

// TestLibrary plays every scenario of the library and writes down which promises its run breaks. Most break none; each
// line of the file is a trap that the library shows on purpose, or something that a user has done.
func TestLibrary(t *testing.T) {
	var got strings.Builder
	err := fs.WalkDir(scenarios.FS, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(scenarios.FS, file)
		require.NoError(t, err)
		dir, err := fs.Sub(scenarios.FS, path.Dir(file))
		require.NoError(t, err)
		s, err := scenario.Parse(file, data, dir, scenario.Options{})
		if err != nil {
			return nil
		}
		j := promise.NewJudge(promise.Options{MaxUnavailable: s.Profile.Gate("MaxUnavailableStatefulSet")})
		run := s.Run(scenario.RunOptions{})
		for i := range run.Timeline {
			j.See(&run.Timeline[i])
		}
		seen := map[string]bool{}
		for _, b := range j.Breaches() {
			if line := fmt.Sprintf("%s: %s", file, b.Class()); !seen[b.Class()] {
				seen[b.Class()] = true
				fmt.Fprintln(&got, line)
			}
		}
		return nil
	})
	require.NoError(t, err)
	goldenfile.Equal(t, golden, got.String())
}
