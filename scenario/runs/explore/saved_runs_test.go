package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/runs/explore"
	"github.com/statefulsim/statefulsim/sim/checks/search"
)

// TestRunsGoOnFromOthers searches with runs that go on where others have been, and with runs that are played from their
// beginning, and wants the same result, counts and all: where claims go with their pods, where calls take time and
// writes fail, and where watches are late.
func TestRunsGoOnFromOthers(t *testing.T) {
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
