package explore_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
)

// traps are scenarios that hold nothing but a creation and a change of the image, what the search finds in each, and
// in how many runs at most.
var traps = []struct {
	name, kubernetes, create string
	runs                     int
	classes                  []string
}{
	{
		"Parallel and minReadySeconds on 1.37: one update deletes all pods that are young, whatever maxUnavailable says",
		"1.37", `{name: web, replicas: 4, image: "app:v1", podManagementPolicy: Parallel, minReadySeconds: 60}`, 100,
		[]string{"keeps-serving/broken-first", "update-from-the-top/broken-first"},
	},
	{
		"the hot loop of 1.37: a pod is deleted in a rollout",
		"1.37", `{name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel,
			updateStrategy: {type: RollingUpdate}}`, 400,
		[]string{"comes-to-rest/livelock: create web-N, delete web-N", "update-from-the-top/broken-first"},
	},
	{
		"a new way into the hot loop: a second change before the last pod is available",
		"1.37", `{name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, minReadySeconds: 10,
			updateStrategy: {type: RollingUpdate}}`,
		400,
		[]string{
			"comes-to-rest/livelock: create web-N, delete web-N", "keeps-serving/broken-first",
			"update-from-the-top/broken-first",
		},
	},
	{
		"OrderedReady has none of them", "1.37", `{name: web, replicas: 3, image: "app:v1", minReadySeconds: 10}`, 400, nil,
	},
	{
		"1.36 has only one of its own: two changes of the template, and one pod too few serves",
		"1.36", `{name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, minReadySeconds: 10,
			updateStrategy: {type: RollingUpdate}}`,
		400, []string{"keeps-serving/rolling-update"},
	},
}

func explorer(t *testing.T, kubernetes, create string) *explore.Explorer {
	t.Helper()
	text := "kubernetes: \"" + kubernetes + "\"\nsteps:\n  - create: " + create + "\n  - setImage: {image: \"app:v2\"}\n"
	x, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(text)})
	require.NoError(t, err)
	return x
}

// TestTraps finds the known traps from files that do not name them, and finds no others. Each is shown by the plain
// scenario that comes with it as well.
func TestTraps(t *testing.T) {
	for _, trap := range traps {
		t.Run(trap.name, func(t *testing.T) {
			part, err := explorer(t, trap.kubernetes, trap.create).Explore(explore.Settings{Deviations: 2, Runs: trap.runs})
			require.NoError(t, err)
			var classes []string
			for _, f := range part.Found {
				classes = append(classes, f.Class)
				require.NotEmpty(t, f.Token)
				require.NotEmpty(t, f.Story)
				requireShows(t, f)
			}
			require.ElementsMatch(t, trap.classes, classes)
		})
	}
}

// requireShows plays the scenario of a finding by itself, without any search.
func requireShows(t *testing.T, f *explore.Found) {
	t.Helper()
	_, err := scenario.Parse("found.yaml", []byte(f.Scenario), nil, scenario.Options{})
	require.NoError(t, err)
	x, err := explore.New(&explore.Source{Name: "found.yaml", Data: []byte(f.Scenario)})
	require.NoError(t, err)
	found, err := x.Again(nil)
	require.NoError(t, err)
	var classes []string
	for _, again := range found {
		classes = append(classes, again.Class)
	}
	require.Contains(t, classes, f.Class)
}

// TestShardsMakeTheWhole searches with one worker, with as many as there are groups, and in 8 shards, whose reports are
// merged by way of their JSON, and wants the same bytes.
func TestShardsMakeTheWhole(t *testing.T) {
	x := explorer(t, "1.37", traps[2].create)
	settings := explore.Settings{Deviations: 2, Runs: 400, Random: 25, Seed: 1}
	whole := document(t, report(t, x, settings))
	settings.Every = func(n int, part func(int)) {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { part(i) })
		}
		all.Wait()
	}
	require.Equal(t, whole, document(t, report(t, x, settings)), "many workers")
	var reports []*explore.Report
	for _, i := range []int{2, 0, 5, 1, 7, 3, 6, 4} {
		settings.Shard = search.Shard{Index: i, Of: 8}
		var read explore.Report
		require.NoError(t, json.Unmarshal([]byte(document(t, report(t, x, settings))), &read))
		reports = append(reports, &read)
	}
	merged, err := explore.Merge(reports)
	require.NoError(t, err)
	require.Equal(t, whole, document(t, merged))
	_, err = explore.Merge([]*explore.Report{reports[0], reports[0]})
	require.ErrorContains(t, err, "the shard 2/8 occurs twice")
}

func report(t *testing.T, x *explore.Explorer, s explore.Settings) *explore.Report {
	t.Helper()
	part, err := x.Explore(s)
	require.NoError(t, err)
	return explore.NewReport([]*explore.Part{part})
}

func document(t *testing.T, r *explore.Report) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return string(text)
}
