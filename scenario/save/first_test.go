package save_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/save"
)

// TestFirstScenario is the text of a first scenario, for each thing that it may be made of.
func TestFirstScenario(t *testing.T) {
	const head = "# A scenario, written by sim init. Change it as you like.\n"
	const version = "kubernetes: \"1.36\"      # sim versions lists them\n"
	const kubelet = `kubelet:                # how long a pod takes
  start: 1s             # bound to a node -> Running
  ready: 2s             # Running -> Ready
  stop: 2s              # deletion -> gone
`
	const steps = "steps:                  # each acts when all is at rest; at: 90s or after: 5s beside it says otherwise\n"
	const tail = "# What the run did, as tests: each item of a list is one instant. A change of the manifest that changes what\n" +
		"# happens to the pods fails here. After one that is wanted, sim test --update records the run again.\n"
	const copied = "  # This is a copy: the test does not see what changes in the manifest later.\n"
	web := model.Key{Namespace: "default", Name: "web"}
	for _, c := range []struct {
		name  string
		first save.First
		want  string
	}{
		{"an example", save.First{Kubernetes: "1.36"}, version + kubelet + steps +
			"  - create: {name: web, replicas: 3, image: \"app:v1\"}     # or apply: web.yaml, a manifest\n" +
			"  - setImage: {statefulset: web, image: \"app:v2\"}\n"},
		{"an example, whatever is to be restarted", save.First{Restart: []model.Key{web}}, kubelet + steps +
			"  - create: {name: web, replicas: 3, image: \"app:v1\"}     # or apply: web.yaml, a manifest\n" +
			"  - setImage: {statefulset: web, image: \"app:v2\"}\n"},
		{"two manifests of one set, the second of which changes it", save.First{Apply: []save.Manifest{{Path: "a.yaml"}},
			Change: []save.Manifest{{Text: "kind: X\n"}}}, kubelet + steps + "  - apply: a.yaml\n" +
			copied + "  - apply: |\n      kind: X\n"},
		{"the version of a dump", save.First{Start: []string{"live.yaml"}, Restart: []model.Key{web}},
			"start: live.yaml        # the state of the cluster at the beginning\n" + steps +
				"  - name: change\n    restart: {statefulset: web}   # or another change, like setImage: {statefulset: web, image: \"app:v2\"}\n"},
		{"several dumps", save.First{Start: []string{"a.yaml", "b: 1.yaml"}},
			"start: [a.yaml, \"b: 1.yaml\"] # the state of the cluster at the beginning\n" + steps},
		{"a manifest, and sets of several namespaces", save.First{
			Kubernetes: "1.36", Apply: []save.Manifest{{Path: "web.yaml"}},
			Restart: []model.Key{web, {Namespace: "other", Name: "db"}, {Name: "true"}},
		}, version + kubelet + steps + "  - apply: web.yaml\n" +
			"  - restart: {statefulset: web}   # or another change, like setImage: {statefulset: web, image: \"app:v2\"}\n" +
			"  - restart: {statefulset: db}\n    namespace: other\n" +
			"  - restart: {statefulset: \"true\"}\n"},
		{"a text", save.First{Kubernetes: "1.36", Apply: []save.Manifest{{Text: "\ufeff\r\nkind: A\r\nspec:\r\n  a: 1\r\n \n"}}},
			version + kubelet + steps + copied + "  - apply: |\n      kind: A\n      spec:\n        a: 1\n"},
		{"a text that begins with an indent", save.First{
			Kubernetes: "1.36", Apply: []save.Manifest{{Path: "a.yaml"}, {Text: "\n  kind: A\n  spec: {}\n"}},
		}, version + kubelet + steps + copied + "  - apply:\n      - a.yaml\n      - |2\n          kind: A\n          spec: {}\n"},
	} {
		require.Equal(t, head+c.want+tail, string(c.first.Scenario()), c.name)
	}
}
