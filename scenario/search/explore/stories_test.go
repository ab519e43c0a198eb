package explore_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// stories are searches whose findings are compared with testdata/stories.txt.
var stories = []struct{ name, text string }{
	{"a second change during a rollout", `
kubernetes: "1.36"
steps:
  - create: {name: db, replicas: 3, image: "db:1", podManagementPolicy: Parallel, minReadySeconds: 10}
  - setImage: {image: "db:2"}
`},
	{"a claim that goes with its pod", `
kubernetes: "1.36"
steps:
  - create:
      name: db
      replicas: 3
      image: "db:1"
      persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}
      volumeClaimTemplates: [` + claim + `]
  - setImage: {image: "db:2"}
`},
	{"writes that take time, a watch that lags, and a set that is deleted", `
kubernetes: "1.34"
apiserver: {write: 10ms}
steps:
  - create: {name: web, replicas: 3, image: "app:v1"}
  - setImage: {image: "app:v2"}
explore:
  may: [{watch: {delay: 5s, for: 20s}}]
  usual: true
`},
	{"a controller that begins in the past", `
kubernetes: "1.34"
apiserver: {write: 10ms}
steps:
  - create: {name: web, replicas: 3, image: "app:v1"}
  - setImage: {image: "app:v2"}
explore:
  may: [{restartController: {behind: 25s}}]
`},
	{"a patch that comes when the controller has decided", `
kubernetes: "1.34"
apiserver: {write: 10ms}
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - patch: {statefulset: web, spec: {template: {spec: {containers: [{name: app, image: "app:v2"}]}}}}
  - patch: {statefulset: web, spec: {template: {spec: {containers: [{name: app, image: "app:v3"}]}}}}
explore:
  may: [{fail: {pod: "web-0", reason: Evicted}}]
`},
	{"a plain run that breaks promises", `
kubernetes: "1.36"
collector: {delay: 500ms}
steps:
  - create:
      name: db
      replicas: 2
      image: "db:1"
      persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}
      volumeClaimTemplates: [` + claim + `]
  - {at: 20s, scale: {replicas: 1}}
  - {at: 21s, scale: {replicas: 2}}
explore:
  may: [{restart: {}}]
`},
	{"a write that fails", `
kubernetes: "1.36"
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
  - scale: {replicas: 1}
explore:
  may: [{write: {verb: delete, kind: pod}, error: NotFound, times: 2}]
  steps: settled
`},
	{"two sets, a regime, and what no scenario can express", `
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - create: {name: db, replicas: 2, image: "db:1", podManagementPolicy: Parallel, minReadySeconds: 30}
  - setImage: {statefulset: db, image: "db:2"}
explore:
  may: [{unready: {pod: "web-*", for: 3s}}, {crash: {pod: "db-*"}}]
  open: [ties, order, syncs]
  regimes: [{apiserver: {watch: 2s}}]
`},
	{"a watch that may take longer", `
kubernetes: "1.34"
nodes: 2
apiserver: {write: 10ms, watch: {uniform: [0s, 10s]}}
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
  - {after: 1s, undo: web}
explore:
  open: [timings]
  may: [{uncordon: "node-1"}]
  steps: settled
`},
	{"a pod that crashes for ever", `
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
kubelet: {rules: [{match: {pod: web-1}, crash: 20s}]}
explore: {may: [{unready: {pod: web-0, for: 5s}}], steps: settled}
`},
	{"a pod that comes back at the old revision, of another image", `
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - setImage: {image: "app:v2"}
explore: {may: [{delete: "pod/web-0"}], steps: settled}
`},
	{"a pod that comes back at the old revision, of the same image", `
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - restart: web
explore: {may: [{delete: "pod/web-0"}], steps: settled}
`},
	{"a hot loop", `
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 4, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - setImage: {image: "app:v2"}
  - {after: 2s, delete: pod/web-0}
explore: {may: [{crash: {pod: "web-1"}}], steps: settled}
`},
}

// TestStories tells what searches find, as people read it.
func TestStories(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	var text bytes.Buffer
	for _, s := range stories {
		x, err := explore.New(&explore.Source{Name: "sets.yaml", Data: []byte(s.text)})
		require.NoError(t, err, s.name)
		part, err := x.Explore(explore.Settings{Deviations: 2, Runs: 1500})
		require.NoError(t, err, s.name)
		fmt.Fprintf(&text, "# %s\n%s\n", s.name, s.text)
		command := func(f *explore.Found) string { return "sim explore sets.yaml --replay " + f.Token }
		require.NoError(t, explore.Text(&text, explore.NewReport([]*explore.Part{part}), render.Style{Width: 100}, command))
		text.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/stories.txt", text.Bytes())
}
