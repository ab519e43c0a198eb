package explore_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/sim/corpus"
)

var versions = []string{"1.34", "1.35", "1.36", "1.37"}

func init() {
	if only := os.Getenv("GRID_VERSIONS"); only != "" {
		versions = strings.Split(only, ",")
	}
}

// explained says of classes that no waiver knows why a version shows them.
var explained = map[string]string{}

// point is one set of the grid on one version.
type point struct{ version, text string }

// grid lists its sets, on each version.
func grid() []point {
	var points []point
	for _, version := range versions {
		for _, text := range corpus.Grid() {
			points = append(points, point{version, text})
		}
	}
	return points
}

// TestGrid searches the sets of the grid, and wants each class that it finds to be known under a name or explained. A
// few sets are searched in every test run; GRID=1 and GRID=2 search all of them, every single deviation or every pair,
// and GRID_SHARD=0/8 an eighth of them.
func TestGrid(t *testing.T) {
	every, settings := 97, explore.Settings{Deviations: 1, Runs: 2_000}
	switch os.Getenv("GRID") {
	case "1":
		every = 1
	case "2":
		every, settings = 1, explore.Settings{Deviations: 2, Runs: 200_000}
	}
	searchGrid(t, every, settings, "")
}

// TestGridInAnyOrder also varies which of two events, calls and syncs of an instant comes first, which is not fixed in
// a cluster. It finds no class that has no name.
func TestGridInAnyOrder(t *testing.T) {
	every := 97
	if os.Getenv("GRID") != "" {
		every = 1
	}
	searchGrid(t, every, explore.Settings{Deviations: 1, Runs: 2_000}, "explore: {usual: true, open: [ties, order, syncs]}\n")
}

// searchGrid searches one in so many sets of the grid, whose scenarios get a block of their own.
func searchGrid(t *testing.T, every int, settings explore.Settings, block string) {
	shard, shards := 0, 1
	if part := os.Getenv("GRID_SHARD"); part != "" {
		_, err := fmt.Sscanf(part, "%d/%d", &shard, &shards)
		require.NoError(t, err, "GRID_SHARD=0/8 to GRID_SHARD=7/8")
	}
	count, runs, incomplete := map[string]int{}, 0, 0
	for i, p := range grid() {
		if i%every != 0 || i/every%shards != shard {
			continue
		}
		x, err := explore.New(&explore.Source{
			Name: "grid.yaml", Data: []byte(p.text + block), Options: scenario.Options{Kubernetes: p.version},
		})
		require.NoError(t, err, p.text)
		part, err := x.Explore(settings)
		require.NoError(t, err, p.text)
		runs += part.Result.First.Plus(part.Result.Rest).Runs
		if part.Result.Complete < settings.Deviations {
			incomplete++
		}
		for _, f := range part.Found {
			key := p.version + " " + f.Class
			if count[key]++; f.Known == "" && explained[f.Class] == "" && count[key] == 1 {
				t.Errorf("%s on %s has no name and no explanation:\n%s\n%s\n%s", f.Class, p.version, p.text,
					strings.Join(f.Story, "\n"), f.Scenario)
			}
		}
	}
	require.Zero(t, incomplete, "sets of which not every run was made")
	var lines []string
	for key, n := range count {
		lines = append(lines, fmt.Sprintf("%s: %d sets", key, n))
	}
	slices.Sort(lines)
	t.Logf("%d runs\n%s", runs, strings.Join(lines, "\n"))
}
