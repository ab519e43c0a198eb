// Package worldtest holds what is true of all rooms of a world, for the tests of each of them: with the scenarios of
// the library that are about a room, GoesOn stops worlds and begins them again, and TellsApart changes each field of
// the room and looks at the fingerprint.
package worldtest

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
)

// library calls play for each scenario of the library whose name matches one of the globs, as drain/*. load parses it:
// a scenario can be played once.
func library(t *testing.T, globs []string, play func(name string, load func() *scenario.Scenario)) {
	files, err := fs.Glob(scenarios.FS, "*/*.yaml")
	require.NoError(t, err)
	played := 0
	for _, file := range files {
		name := strings.TrimSuffix(file, ".yaml")
		if !slices.ContainsFunc(globs, func(glob string) bool { return matches(glob, name) }) {
			continue
		}
		played++
		play(name, func() *scenario.Scenario {
			data, err := fs.ReadFile(scenarios.FS, file)
			require.NoError(t, err)
			theme, err := fs.Sub(scenarios.FS, path.Dir(file))
			require.NoError(t, err)
			s, err := scenario.Parse(path.Base(file), data, theme, scenario.Options{})
			require.NoError(t, err)
			return s
		})
	}
	require.NotZero(t, played, "no scenario matches %v", globs)
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return err == nil && ok
}
