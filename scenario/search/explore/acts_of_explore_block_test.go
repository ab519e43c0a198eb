package explore_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search/explore"
)

// blocks are scenarios that say what is open, and what is found in them and in nothing else that they leave open.
var blocks = []struct {
	name, text string
	class      string
	// scenario is what the plain scenario of the finding has, story what its story says.
	scenario, story string
}{
	{
		"only one pod may be deleted, and only once", `
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - setImage: {image: "app:v2"}
explore:
  may: [{delete: "pod/web-*"}]
  steps: settled
`,
		"update-from-the-top/broken-first", "web-0", "you delete pod web-0 (not in the plain run)",
	},
	{
		"a write that fails", `
kubernetes: "1.36"
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
  - scale: {replicas: 1}
explore:
  may: [{write: {verb: delete, kind: pod}, error: NotFound, times: 2}]
  steps: settled
`,
		"arrives/TakenForGone", "nth: 4", "web-1",
	},
	{
		"a watch that is late all run long", `
kubernetes: "1.36"
kubelet: {start: 1s, ready: 1s, stop: 1s}
until: 2m
steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - setImage: {image: "app:v2"}
explore:
  may: [{delete: "pod/web-0"}]
  regimes: [{apiserver: {watch: 2s}}]
`,
		"comes-to-rest/limit", "apiserver:", "all run long: {apiserver: {watch: 2s}}",
	},
}

// TestBlocks searches what blocks leave open. What is found is a plain scenario, in which no block is left.
func TestBlocks(t *testing.T) {
	for _, b := range blocks {
		t.Run(b.name, func(t *testing.T) {
			x, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(b.text)})
			require.NoError(t, err)
			part, err := x.Explore(explore.Settings{Deviations: 2, Runs: 1500})
			require.NoError(t, err)
			var classes []string
			for _, f := range part.Found {
				classes = append(classes, f.Class)
				if f.Class != b.class {
					continue
				}
				require.Contains(t, f.Scenario, b.scenario)
				require.NotContains(t, f.Scenario, "explore:")
				require.Contains(t, strings.Join(f.Story, "\n"), b.story)
				requireShows(t, f)
			}
			require.Contains(t, classes, b.class)
		})
	}
}

// TestBlockFitsNoPod wants to hear of a glob that fits nothing, and where it stands.
func TestBlockFitsNoPod(t *testing.T) {
	_, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(`steps:
  - create: {name: web, replicas: 1, image: "app:v1"}
explore:
  may:
    - delete: pod/web-7*
`)})
	require.EqualError(t, err, "web.yaml:5:7: what may happen fits no pod of the plain run: write a glob like pod/web-*")
}
