package explore_test

import (
	"io/fs"
	"os"
	"path"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenarios"
)

// TestRunsGoOnFromOthers searches with runs that go on where others have been, and with runs that are played from their
// beginning, and wants the same result, counts and all: where claims go with their pods, where calls take time and
// writes fail, and where watches are late.
func TestRunsGoOnFromOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	const set = `  - create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel, minReadySeconds: 5,
      persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, volumeClaimTemplates: [` + claim + `]}
  - setImage: {image: "app:v2"}
`
	for name, block := range map[string]string{
		"by itself": "",
		"calls that take time and fail": `explore:
  usual: true
  may: [{write: {verb: any}, error: Conflict}, {watch: {delay: 2s, for: 5s}}]
  open: [ties, order]
  regimes: [{apiserver: {write: 100ms, watch: 50ms}}]
`,
	} {
		t.Run(name, func(t *testing.T) {
			x, err := explore.New(&explore.Source{
				Name: "web.yaml", Data: []byte("kubernetes: \"1.37\"\n" + block + "steps:\n" + set),
			})
			require.NoError(t, err)
			options := search.Options{Subject: x.Subject, Open: x.Open, Deviations: 2, Runs: 900, Random: 20, Seed: 1}
			resumed := search.Search(options)
			options.Anew = true
			require.Equal(t, search.Search(options), resumed)
			require.NotEmpty(t, resumed.Found)
		})
	}
}

// TestRunsLeaveNothing searches where calls take time: runs that end early, because another one was there before, leave
// no sync behind that waits for an answer, and no coroutine.
func TestRunsLeaveNothing(t *testing.T) {
	x, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(`apiserver: {write: 100ms, watch: 50ms}
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
`)})
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	search.Search(search.Options{Subject: x.Subject, Open: x.Open, Deviations: 2, Runs: 300, Seed: 1})
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// TestPruningLosesNothing searches scenarios of the library with and without the knowledge of states, and wants the
// same classes with as many deviations. Each 100th of them is searched in every test run, and all where PRUNING is all.
func TestPruningLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
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
