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

// searches are small scenarios, most with a block that says what may happen in them.
var searches = []struct{ name, text string }{
	{"no block: what usually happens to two sets of two namespaces", `kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - {namespace: other, create: {name: db, replicas: 1, image: "db:1"}}
  - {namespace: default, setImage: {statefulset: web, image: "app:v2"}}
`},
	{"nothing that changes: a restart is added", `kubernetes: "1.36"
steps: [{create: {name: web, replicas: 2, image: "app:v1"}}]
`},
	{"claims that go: the collector takes its time", `kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 2, image: "app:v1", persistentVolumeClaimRetentionPolicy: {whenScaled: Delete},
      volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}
  - scale: {replicas: 1}
  - scale: {replicas: 2}
`},
	{"acts about pods of every state, and about other things", `kubernetes: "1.37"
steps:
  - {namespace: shop, create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel}}
  - {namespace: shop, setImage: {statefulset: web, image: "app:v2"}}
explore:
  may:
    - {namespace: shop, hang: {pod: "web-*"}}
    - {namespace: shop, fail: {pod: web-1, reason: Evicted}}
    - {namespace: shop, unready: web-0, times: 1}
    - {namespace: shop, delete: "pod/web-0"}
    - {namespace: shop, delete: statefulset/web}
    - {namespace: shop, scale: {statefulset: web, replicas: 1}}
    - {cordon: "node-1"}
  steps: settled
  bounds: {acts: 1}
`},
	{"regimes over what the scenario says", `kubernetes: "1.36"
kubelet: {start: 1s, ready: 3s}
until: 1m
steps:
  - create: {name: web, replicas: 2, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - setImage: {image: "app:v2"}
explore:
  may: [{delete: "pod/web-0"}]
  regimes: [{kubelet: {ready: 1s, stop: 3s}, apiserver: {watch: 2s}}, {kubelet: {stop: 4s}}]
  bounds: {instants: 9, deviations: 2}
`},
	{"writes that fail, beside those that fail anyway", `kubernetes: "1.36"
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
  - scale: {replicas: 1}
faults: [{write: {verb: create, kind: pod, nth: 2}, error: Forbidden}]
explore:
  may: [{write: {verb: delete, kind: pod}, error: NotFound, times: 2}, {write: {verb: create, kind: pod}, error: AlreadyExists}]
  steps: settled
`},
	{"the order of syncs", `kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 1, image: "app:v1"}
  - create: {name: db, replicas: 1, image: "db:1"}
  - setImage: {statefulset: web, image: "app:v2"}
explore: {usual: false, open: [syncs], steps: settled}
`},
	{"at most two things, at the first instants", `kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - setImage: {image: "app:v2"}
explore: {may: [{delete: "pod/web-*", times: 2}], bounds: {acts: 2, instants: 3, deviations: 2}}
`},
}

// TestSearches compares how far small searches get, and what is printed of them, with testdata/searches.txt.
func TestSearches(t *testing.T) {
	var text bytes.Buffer
	for _, s := range searches {
		x, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(s.text)})
		require.NoError(t, err, s.name)
		depth := max(1, x.Deviations())
		part, err := x.Explore(explore.Settings{Deviations: depth, Runs: 60})
		require.NoError(t, err, s.name)
		fmt.Fprintf(&text, "# %s\n\n%d of the scenario; %+v\n", s.name, x.Deviations(), part.Result.First.Plus(part.Result.Rest))
		require.NoError(t, explore.Text(&text, explore.NewReport([]*explore.Part{part}), render.Style{Width: 120},
			func(f *explore.Found) string { return fmt.Sprint(f.Tape) }))
		text.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/searches.txt", text.Bytes())
}

// TestBadSources: what cannot be explored is refused with its place.
func TestBadSources(t *testing.T) {
	for text, says := range map[string]string{
		"steps: [":               "did not find expected node content",
		"steps:\n- creates: x\n": "web.yaml:2:3: unknown key \"creates\"",
		"steps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\nexplore: {may: [{deletes: pod/web-0}]}\n":        "web.yaml:3:",
		"steps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\nexplore: {regimes: [{kubelet: {starts: 1s}}]}\n": "starts",
	} {
		_, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(text)})
		require.ErrorContains(t, err, says, text)
	}
}

// TestIsDump: a stream with a pod that has a status is a dump, wherever in the stream the pod stands.
func TestIsDump(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                false,
		"---\n---\n":                      false,
		"kind: Pod\nstatus: {}\n":         true,
		"kind: Pod\nspec: {}\n":           false,
		"kind: StatefulSet\nstatus: {}\n": false,
		"status: {}\n":                    false,
		"kind: StatefulSet\n---\n---\nkind: Pod\nstatus: {phase: Running}\n":  true,
		"kind: List\nitems: [{kind: StatefulSet}, {kind: Pod, status: {}}]\n": true,
		"kind: List\nitems: [{kind: StatefulSet, status: {}}]\n":              false,
		"- kind: Pod\n": false,
		"kind: [\n":     false,
	} {
		require.Equal(t, want, explore.IsDump([]byte(text)), text)
	}
}

// TestTexts: the scenarios that are written of manifests and dumps.
func TestTexts(t *testing.T) {
	require.Equal(t, "steps:\n  - apply: |+\n      kind: A\n\n  - apply: |+\n      kind: B\n\n", string(explore.Manifests([]byte("kind: A\n"), []byte("kind: B\n"))))
	require.Equal(t, "start: dump.yaml\n", string(explore.Live("dump.yaml")))
	require.Equal(t, "start: dump.yaml\nsteps:\n  - apply: |\n      kind: A\n", string(explore.Live("dump.yaml", []byte("kind: A"))))
}
