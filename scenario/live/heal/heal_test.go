package heal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// withClaim is a manifest of a set whose claims go with their pods when it is scaled down.
func withClaim(replicas int) string {
	return fmt.Sprintf(`{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: %d, serviceName: web,
    persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}, selector: {matchLabels: {app: web}},
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}},
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}
`, replicas)
}

var key = model.Key{Namespace: "default", Name: "web"}

// stuck is the set at the end of a scenario.
func stuck(t *testing.T, kubelet, steps string) *heal.Stuck {
	t.Helper()
	return stuckIn(t, "kubelet: {"+kubelet+"}\n", steps)
}

// stuckIn is the set at the end of a scenario in a cluster that is described.
func stuckIn(t *testing.T, cluster, steps string) *heal.Stuck {
	t.Helper()
	text := "kubernetes: \"1.37\"\n" + cluster + "steps:\n" + steps
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	lab := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
	return &heal.Stuck{Key: key, Lab: lab, Events: lab.Run(nil)}
}

// dangerous says whether commands can do harm that nothing undoes.
func dangerous(commands []string) bool {
	return slices.ContainsFunc(commands, func(command string) bool {
		return strings.Contains(command, "--force") || strings.Contains(command, "out-of-service") ||
			strings.Contains(command, "delete node") || strings.Contains(command, `"finalizers":null`)
	})
}

// TestBest: the best way out is the first of all, each is played as it is printed, and what can do harm says what must
// be true first.
func TestBest(t *testing.T) {
	const create = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	const undo, remove = "kubectl -n default rollout undo statefulset/web", "kubectl -n default delete pod web-2"
	const touch = "kubectl -n default annotate --overwrite statefulset web touched=yes"
	cases := []struct {
		name, kubelet, steps string
		want                 []string
	}{
		{"a broken image", "rules: [{match: {image: \"app:bad\"}, start: never}]",
			create + "- setImage: {image: \"app:bad\"}\n", []string{undo, remove}},
		{"reverted already", "rules: [{match: {image: \"app:bad\"}, start: never}]",
			create + "- setImage: {image: \"app:bad\"}\n- setImage: {image: \"app:v1\"}\n", []string{remove}},
		{"an unready pod", "start: 1s",
			create + "- unready: {pod: web-2}\n- setImage: {image: \"app:v2\"}\n", []string{remove}},
		{"a pod that does not stop", "rules: [{match: {pod: web-2, nth: 1}, stop: never}]",
			create + "- delete: pod/web-2\n", []string{remove + " --force --grace-period=0"}},
		{"a claim that gets no storage", "",
			"- apply: " + withClaim(3) + "volumes: {rules: [{match: {claim: data-web-2, nth: 1}, bind: never}]}\n",
			[]string{"kubectl -n default delete pvc data-web-2 --wait=false", remove}},
		{"a claim that does not go", "",
			"- apply: " + withClaim(3) + "- delete: pvc/data-web-2\n- delete: pod/web-2\nvolumes: {release: never}\n",
			[]string{`kubectl -n default patch pvc data-web-2 --type merge -p '{"metadata":{"finalizers":null}}'`}},
		{"a stale claim that is gone", "",
			"- apply: " + withClaim(3) + "- scale: {replicas: 1}\n- after: 1s\n  scale: {replicas: 3}\ncollector: {delay: 50ms}\n",
			[]string{touch}},
		{"a pod that came and went unseen", "",
			create + "- delete: pod/web-1\n- after: 10s\n  delete: pod/web-1\nfaults:\n" +
				"- {write: {verb: create, kind: pod, name: web-1, nth: 2}, error: Forbidden, times: 4}\n" +
				"- {pod: web-1 Gone, watch: {break: 30s, kind: pod}}\n", []string{touch}},
		{"a pod that is taken for gone", "",
			create + "- scale: {replicas: 2}\nfaults: [{write: {verb: delete, kind: pod}, error: NotFound, times: 2}]\n",
			[]string{touch}},
		{"nothing helps", "ready: never", create, nil},
		{"pods that need each other", `ready: {after: 1s, when: "self.nth == 1 || pods.filter(p, p.up).size() > 1"}`,
			create + "- delete: pod/web-0\n- after: 0s\n  delete: pod/web-1\n- after: 0s\n  delete: pod/web-2\n",
			[]string{"kubectl -n default get statefulset web -o yaml | sed 's/OrderedReady/Parallel/' | " +
				"kubectl replace --force --cascade=orphan -f -"}},
		{"a stranger of its name", "", "- createPod: {name: web-1, image: \"tool:1\", labels: {app: tool}}\n" + create,
			[]string{"kubectl -n default label --overwrite pod web-1 app=web"}},
		{"a pod that is taken for gone every time", "", create + "- scale: {replicas: 2}\n" +
			"faults: [{write: {verb: delete, kind: pod}, error: NotFound, times: always}]\n", []string{remove}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			stuck := stuck(t, c.kubelet, c.steps)
			require.False(t, heal.Whole(stuck.Events, key))
			best, others := stuck.Best()
			if c.want == nil {
				require.Nil(t, best)
				require.NotEmpty(t, others)
				return
			}
			require.Equal(t, c.want, best.Commands)
			require.True(t, heal.Whole(best.Events, key))
			require.Positive(t, best.Takes)
			all := stuck.All()
			require.Equal(t, best.Way, all[0].Way, "the best is the first of all")
			for _, way := range all {
				require.Equal(t, way.Heals, heal.Whole(way.Events, key) && !way.Relieves, way.What)
				require.True(t, way.Danger != "" || !dangerous(way.Commands), way.What)
			}
		})
	}
}

func TestBestForADeletionThatDoesNotEnd(t *testing.T) {
	const remove = "- delete: statefulset/web\n  cascade: foreground\n"
	cases := []struct{ name, kubelet, steps, want string }{
		{"a pod that does not stop", "rules: [{match: {pod: web-2}, stop: never}]",
			"- create: {name: web, replicas: 3, image: \"app:v1\"}\n" + remove, "kubectl -n default delete statefulset web"},
		{"a pod that waits for the claim that it owns", "",
			"- apply: " + withClaim(3) + "- scale: {replicas: 1}\n" + remove + "  after: 1s\n",
			"kubectl -n default delete pod web-1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			best, _ := stuck(t, c.kubelet, c.steps).Best()
			require.NotNil(t, best)
			require.Equal(t, []string{c.want}, best.Commands)
			require.Nil(t, timeline.EndOf(best.Events).Set(key))
		})
	}
}

// TestInterrupted: once the user has interrupted, no further attempt is made; each would begin a whole world first.
func TestInterrupted(t *testing.T) {
	s := stuck(t, `rules: [{match: {image: "app:bad"}, start: never}]`, `
- create: {name: web, replicas: 2, image: "app:v1"}
- setImage: {image: "app:bad"}`)
	require.Greater(t, len(s.All()), 3)
	s.Lab.World.Interrupted = func() bool { return true }
	require.Empty(t, s.All())
	best, others := s.Best()
	require.Nil(t, best)
	require.Empty(t, others)
}
