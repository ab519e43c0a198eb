package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
)

// quick is how many runs take less than a second of CPU time, with room to spare: two thousand took 0.8 s on a machine
// that was busy with much else.
const quick = 2_000

// TestTrapsAreFoundInASecond explores files that hold a creation and a change of the image, and no block explore, as
// `sim explore` does, with so few runs that they take less than a second.
func TestTrapsAreFoundInASecond(t *testing.T) {
	for _, c := range []struct{ trap, create, want string }{
		{
			"the hot loop of 1.37", `{name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel,
				updateStrategy: {type: RollingUpdate}}`, "comes-to-rest/livelock: create web-N, delete web-N",
		},
		{
			"its new way in", `{name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, minReadySeconds: 10,
				updateStrategy: {type: RollingUpdate}}`, "comes-to-rest/livelock: create web-N, delete web-N",
		},
		{
			"the outage of minReadySeconds",
			`{name: web, replicas: 4, image: "app:v1", podManagementPolicy: Parallel, minReadySeconds: 60}`,
			"keeps-serving/broken-first",
		},
		{
			"the scale-down that is stuck for good", `{name: web, replicas: 3, image: "app:v1",
				persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, volumeClaimTemplates: [` + claim + `]}`,
			"arrives/StaleClaim",
		},
	} {
		t.Run(c.trap, func(t *testing.T) {
			part, err := explorer(t, "1.37", c.create).Explore(explore.Settings{
				Deviations: 3, Runs: quick, Random: 25, Seed: 1,
			})
			require.NoError(t, err)
			var classes []string
			for _, f := range part.Found {
				classes = append(classes, f.Class)
			}
			require.Contains(t, classes, c.want)
		})
	}
}

// TestWorstFirst explores a manifest as the Prometheus operator writes it, and wants the outage and the loop before all
// else that is found, with so few runs that they take less than 5 s.
func TestWorstFirst(t *testing.T) {
	x, err := explore.New(&explore.Source{
		Name: "prometheus.yaml", Data: explore.Manifests([]byte(prometheus)), Options: scenario.Options{Kubernetes: "1.37"},
	})
	require.NoError(t, err)
	part, err := x.Explore(explore.Settings{Deviations: 3, Runs: 2 * quick, Random: 25, Seed: 1})
	require.NoError(t, err)
	var found []string
	for _, f := range explore.NewReport([]*explore.Part{part}).Found {
		found = append(found, f.Promise)
	}
	require.GreaterOrEqual(t, len(found), 3)
	require.Equal(t, []string{string(promise.KeepsServing), string(promise.ComesToRest)}, found[:2])
}

const prometheus = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: prometheus, namespace: monitoring}
spec:
  replicas: 2
  podManagementPolicy: Parallel
  minReadySeconds: 60
  updateStrategy: {type: RollingUpdate}
  selector: {matchLabels: {app: prometheus}}
  template:
    metadata: {labels: {app: prometheus}}
    spec: {containers: [{name: prometheus, image: "prometheus:v3"}]}
`
