package heal_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim"
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

func player(t *testing.T, kubelet, steps string) heal.Play {
	text := "kubernetes: \"1.37\"\nkubelet: {" + kubelet + "}\nsteps:\n" + steps
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	return func(more []sim.Step) []timeline.Event {
		return sim.New(s.Config(scenario.RunOptions{})).Run(slices.Concat(s.Steps, more))
	}
}

func TestFind(t *testing.T) {
	const create = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	const undo, remove = "kubectl -n default rollout undo statefulset/web", "kubectl -n default delete pod web-2"
	const touch = "kubectl -n default annotate statefulset web touched=yes"
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
			[]string{"kubectl -n default delete pod web-1"}},
		{"a pod that is taken for gone every time", "", create + "- scale: {replicas: 2}\n" +
			"faults: [{write: {verb: delete, kind: pod}, error: NotFound, times: always}]\n", []string{remove}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			play := player(t, c.kubelet, c.steps)
			events := play(nil)
			require.False(t, heal.Whole(events, key))
			cure, tried := heal.Find(events, key, play)
			if c.want == nil {
				require.Nil(t, cure)
				require.NotEmpty(t, tried)
				return
			}
			require.Equal(t, c.want, cure.Commands)
			require.True(t, heal.Whole(cure.Events, key))
			require.Positive(t, cure.Takes)
		})
	}
}

func TestFindForADeletionThatDoesNotEnd(t *testing.T) {
	const remove = "- delete: statefulset/web\n  cascade: foreground\n"
	cases := []struct{ name, kubelet, steps, want string }{
		{"a pod that does not stop", "rules: [{match: {pod: web-2}, stop: never}]",
			"- create: {name: web, replicas: 3, image: \"app:v1\"}\n" + remove,
			"kubectl -n default delete pod web-2 --force --grace-period=0"},
		{"a pod that waits for the claim that it owns", "",
			"- apply: " + withClaim(3) + "- scale: {replicas: 1}\n" + remove + "  after: 1s\n",
			"kubectl -n default delete pod web-1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			play := player(t, c.kubelet, c.steps)
			cure, _ := heal.Find(play(nil), key, play)
			require.NotNil(t, cure)
			require.Equal(t, []string{c.want}, cure.Commands)
			require.Nil(t, heal.End(cure.Events).Set(key))
		})
	}
}
