package explain_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
)

const (
	three    = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	parallel = "- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n"
	claimed  = `- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web,
    persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}, selector: {matchLabels: {app: web}},
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}},
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast,
      resources: {requests: {storage: 1Gi}}}}]}}
`
	alone = `- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web,
    podManagementPolicy: %s, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {
      containers: [{name: app, image: "app:v1"}], affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:
        [{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}]}}}}}}
`
	bad     = "kubelet: {rules: [{match: {image: \"app:bad\"}, ready: never}]}\n"
	toBad   = "- setImage: {image: \"app:bad\"}\n"
	back    = "- setImage: {image: \"app:v1\"}\n"
	undo    = "rollout undo statefulset/web"
	deletes = "delete pod web-"
)

// stuckSets are live sets that get nowhere: what led there, the pod that each is stuck on, what its cause says, and
// what the best way out does.
var stuckSets = []struct{ name, text, on, cause, way string }{
	{"a new image that cannot be pulled", "kubelet: {rules: [{match: {image: \"app:bad\"}, pull: never}]}\nuntil: 10m\n" +
		"steps:\n" + three + toBad, "web-2", "is not Running and Ready", undo},
	{"a new image that never gets Ready", bad + "steps:\n" + three + toBad, "web-2", "is not Running and Ready", undo},
	{"reverted, and still stuck", bad + "steps:\n" + three + toBad + back, "web-2", "is not Running and Ready", "delete pod web-2"},
	{"a new image that crashes", "kubelet: {rules: [{match: {image: \"app:bad\"}, crash: 1s}]}\nuntil: 10m\nsteps:\n" +
		three + toBad, "web-2", "is not Running and Ready", undo},
	{"a first image that is broken", bad + "steps:\n- create: {name: web, replicas: 3, image: \"app:bad\"}\n", "web-0",
		"is not Running and Ready", "set image statefulset/web app=IMAGE"},
	{"an unready pod below an update", "steps:\n" + three + "- unready: {pod: web-0}\n- setImage: {image: \"app:v2\"}\n", "web-0",
		"is not Running and Ready", "delete pod web-0"},
	{"an unready pod below a scale-up", "steps:\n" + three + "- unready: {pod: web-1}\n- scale: {replicas: 5}\n", "web-1",
		"is not Running and Ready", "delete pod web-1"},
	{"an unready pod below a scale-down", "steps:\n" + three + "- unready: {pod: web-0}\n- scale: {replicas: 1}\n", "web-0",
		"is not Running and Ready", "delete pod web-0"},
	{"a broken update of a Parallel set", bad + "steps:\n" + parallel + toBad, "web-2", "", undo},
	{"the same, reverted, with maxUnavailable", "kubernetes: \"1.36\"\nfeatureGates: {MaxUnavailableStatefulSet: true}\n" + bad + "steps:\n" + parallel + toBad + back, "web-2", "",
		"delete pod web-2"},
	{"a pod that its kubelet does not end", "kubelet: {rules: [{match: {pod: web-1, nth: 1}, stop: never}]}\nsteps:\n" + three +
		"- delete: pod/web-1\n", "web-1", "is still terminating", "delete pod web-1 --force"},
	{"a node that is off", "nodes: {count: 3}\nsteps:\n" + three + "- nodeDown: {node: node-2, off: true}\n", "web-1", "is still terminating",
		"taint nodes node-2"},
	{"all nodes cordoned", "nodes: {count: 1}\nsteps:\n" + three + "- cordon: node-1\n- delete: pod/web-1\n", "web-1",
		"is not Running and Ready", "uncordon node-1"},
	{"a claim that gets no volume", "volumes: {rules: [{match: {claim: data-web-2, nth: 1}, bind: never}]}\nsteps:\n" + claimed, "web-2",
		"is not Running and Ready", "delete pvc data-web-2"},
	{"a claim that does not go", "volumes: {release: never}\nsteps:\n" + claimed + "- delete: pvc/data-web-2\n- delete: pod/web-2\n",
		"web-2", "is being deleted", "patch pvc data-web-2"},
	{"a claim that went with its pod", "collector: {delay: 50ms}\nsteps:\n" + claimed +
		"- scale: {replicas: 1}\n- after: 1s\n  scale: {replicas: 3}\n", "web-2", "", "annotate --overwrite statefulset web"},
	{"a name that is taken", "steps:\n- createPod: {name: web-1, image: \"tool:1\", labels: {app: tool}}\n" + three, "web-1", "",
		"label --overwrite pod web-1 app=web"},
	{"a deletion that does not end", "kubelet: {rules: [{match: {pod: web-2}, stop: never}]}\nsteps:\n" + three +
		"- delete: statefulset/web\n  cascade: foreground\n", "web-2", "foreground deletion", "delete statefulset web"},
	{"a quorum that is lost", "kubelet: {ready: {after: 1s, when: \"self.nth == 1 || pods.filter(p, p.up).size() > 1\"}}\nsteps:\n" + three +
		"- delete: pod/web-0\n- after: 0s\n  delete: pod/web-1\n- after: 0s\n  delete: pod/web-2\n", "web-0", "is not Running and Ready",
		"sed 's/OrderedReady/Parallel/'"},
	{"a failed pod above an unready one", "steps:\n" + three + "- unready: {pod: web-0}\n- fail: {pod: web-2, reason: Evicted}\n", "web-0",
		"is not Running and Ready", "delete pod web-0"},
	{"a partition that stops at a broken pod", bad + "steps:\n- create: {name: web, replicas: 4, image: \"app:v1\", " +
		"updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}}\n" + toBad, "web-3", "is not Running and Ready", undo},
	{"pods that keep each other from too few nodes", "nodes: {count: 2}\nsteps:\n" + fmt.Sprintf(alone, "OrderedReady"), "web-2",
		"is not Running and Ready", "scale statefulset/web --replicas=2"},
	{"the same with Parallel", "nodes: {count: 2}\nsteps:\n" + fmt.Sprintf(alone, "Parallel"), "web-2", "is not Running and Ready",
		"scale statefulset/web --replicas=2"},
	{"a broken image by hand under OnDelete", bad + "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\", " +
		"updateStrategy: {type: OnDelete}}\n" + toBad + "- delete: pod/web-1\n", "web-1", "is not Running and Ready", undo},
}

// TestTwentyStuckSets dumps stuck sets as kubectl prints them, ten minutes later. With nothing else known the cause is
// named, and the first way out heals: in the world that was made from the dump, and in the one that was dumped.
func TestTwentyStuckSets(t *testing.T) {
	for _, c := range stuckSets {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
			d := dumpedAfter(t, real.State(nil), 10*time.Minute)
			dumped := explain.Begin(d, labOf(s, d), "").All(nil)
			require.Len(t, dumped.Sets, 1)
			set := dumped.Sets[0]
			require.True(t, set.Stuck(), "%+v", set)
			require.Equal(t, c.on, set.StuckOn)
			require.Contains(t, set.Why, c.cause)
			require.NotEmpty(t, set.WaysOut)
			best := set.WaysOut[0]
			require.True(t, best.Heals, "%+v", set.WaysOut)
			require.Contains(t, strings.Join(best.Commands, "\n"), c.way)
			require.True(t, best.Danger != "" || !dangerous(best.Commands), best.Commands)
			require.True(t, safestFirst(set.WaysOut), "%+v", set.WaysOut)

			stuck := heal.Stuck{Key: model.Key{Namespace: "default", Name: "web"}, Lab: real, Events: real.Run(nil)}
			at := slices.IndexFunc(stuck.All(), func(way heal.Way) bool { return slices.Equal(way.Commands, best.Commands) })
			require.GreaterOrEqual(t, at, 0, "%v", best.Commands)
			require.True(t, stuck.All()[at].Heals, "in the world that was dumped %v does not heal", best.Commands)
		})
	}
}

// dumpedAfter prints a state as kubectl does and reads it, some time later.
func dumpedAfter(t *testing.T, state *sim.State, later time.Duration) *dump.Dump {
	t.Helper()
	epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, state, epoch))
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: printed.Bytes()}}, dump.Options{At: epoch.Add(later)})
	require.NoError(t, err)
	return d
}

// safestFirst says whether those of the ways that heal and can do harm come after those that heal and cannot.
func safestFirst(ways []explain.WayOut) bool {
	return slices.IsSortedFunc(ways, func(a, b explain.WayOut) int {
		if a.Heals && b.Heals && (a.Danger == "") != (b.Danger == "") {
			return cmp.Compare(len(a.Danger), len(b.Danger))
		}
		return 0
	})
}

// dangerous says whether commands can do harm that nothing undoes.
func dangerous(commands []string) bool {
	return slices.ContainsFunc(commands, func(command string) bool {
		return strings.Contains(command, "--force") || strings.Contains(command, "out-of-service") ||
			strings.Contains(command, "delete node") || strings.Contains(command, `"finalizers":null`)
	})
}
