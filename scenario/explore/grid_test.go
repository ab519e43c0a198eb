package explore_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/explore"
)

// The grid: policies, strategies, minReadySeconds, ordinals and claims.
var (
	policies   = []string{"OrderedReady", "Parallel"}
	strategies = []string{
		"", "{type: RollingUpdate}", "{rollingUpdate: {partition: 0}}", "{rollingUpdate: {partition: 1}}",
		"{rollingUpdate: {maxUnavailable: 2}}", `{rollingUpdate: {maxUnavailable: "50%"}}`, "{type: OnDelete}",
	}
	versions = []string{"1.34", "1.35", "1.36", "1.37"}
)

func init() {
	if only := os.Getenv("GRID_VERSIONS"); only != "" {
		versions = strings.Split(only, ",")
	}
}

// explained says of classes that no waiver knows why a version shows them.
var explained = map[string]string{}

// point is one set of the grid on one version.
type point struct{ version, create string }

// grid yields its sets, on each version.
func grid() []point {
	var points []point
	for _, version := range versions {
		for _, policy := range policies {
			for _, strategy := range strategies {
				for _, minReady := range []int{0, 5} {
					for _, start := range []int{0, 2} {
						for _, claims := range []bool{false, true} {
							points = append(points, point{version, create(policy, strategy, minReady, start, claims)})
						}
					}
				}
			}
		}
	}
	return points
}

func create(policy, strategy string, minReady, start int, claims bool) string {
	fields := []string{`name: web, replicas: 3, image: "app:v1"`, "podManagementPolicy: " + policy}
	if strategy != "" {
		fields = append(fields, "updateStrategy: "+strategy)
	}
	if minReady > 0 {
		fields = append(fields, fmt.Sprintf("minReadySeconds: %d", minReady))
	}
	if start > 0 {
		fields = append(fields, fmt.Sprintf("ordinals: {start: %d}", start))
	}
	if claims {
		fields = append(fields, "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, volumeClaimTemplates: ["+claim+"]")
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// TestGrid searches the sets of the grid, and wants each class that it finds to be known under a name or explained. A few
// sets are searched in every test run; GRID=1 and GRID=2 search all of them, every single deviation or every pair.
func TestGrid(t *testing.T) {
	every, settings := 97, explore.Settings{Deviations: 1, Runs: 2_000}
	switch os.Getenv("GRID") {
	case "1":
		every = 1
	case "2":
		every, settings = 1, explore.Settings{Deviations: 2, Runs: 200_000}
	}
	count, runs, incomplete := map[string]int{}, 0, 0
	for i, p := range grid() {
		if i%every != 0 {
			continue
		}
		x, err := explore.New(&explore.Source{
			Name:    "grid.yaml",
			Data:    []byte("steps:\n  - create: " + p.create + "\n  - setImage: {image: \"app:v2\"}\n"),
			Options: scenario.Options{Kubernetes: p.version},
		})
		require.NoError(t, err, p.create)
		part, err := x.Explore(settings)
		require.NoError(t, err, p.create)
		runs += part.Result.First.Plus(part.Result.Rest).Runs
		if part.Result.Complete < settings.Deviations {
			incomplete++
		}
		for _, f := range part.Found {
			key := p.version + " " + f.Class
			if count[key]++; f.Known == "" && explained[f.Class] == "" && count[key] == 1 {
				t.Errorf("%s on %s has no name and no explanation:\n%s\n%s\n%s", f.Class, p.version, p.create,
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
