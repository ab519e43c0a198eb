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

func TestFind(t *testing.T) {
	const create = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	const undo, remove = "kubectl -n default rollout undo statefulset/web", "kubectl -n default delete pod web-2"
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
			[]string{"kubectl -n default annotate statefulset web touched=yes"}},
		{"nothing helps", "ready: never", create, nil},
		{"pods that need each other", `ready: {after: 1s, when: "self.nth == 1 || pods.filter(p, p.up).size() > 1"}`,
			create + "- delete: pod/web-0\n- after: 0s\n  delete: pod/web-1\n- after: 0s\n  delete: pod/web-2\n",
			[]string{"kubectl -n default get statefulset web -o yaml | sed 's/OrderedReady/Parallel/' | " +
				"kubectl replace --force --cascade=orphan -f -"}},
		{"a stranger of its name", "", "- createPod: {name: web-1, image: \"tool:1\", labels: {app: tool}}\n" + create,
			[]string{"kubectl -n default delete pod web-1"}},
		{"a pod that is taken for gone", "", create + "- scale: {replicas: 2}\n" +
			"faults: [{write: {verb: delete, kind: pod}, error: NotFound, times: always}]\n", []string{remove}},
		{"a deletion that does not end", "rules: [{match: {pod: web-2}, stop: never}]", create +
			"- delete: statefulset/web\n  cascade: foreground\n", []string{remove + " --force --grace-period=0"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := "kubernetes: \"1.37\"\nkubelet: {" + c.kubelet + "}\nsteps:\n" + c.steps
			s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
			require.NoError(t, err)
			play := func(more []sim.Step) []timeline.Event {
				return sim.New(s.Config(scenario.RunOptions{})).Run(slices.Concat(s.Steps, more))
			}
			key := model.Key{Namespace: "default", Name: "web"}
			events := play(nil)
			require.False(t, heal.Whole(events, key))
			cure, tried := heal.Find(events, key, play)
			if c.want == nil {
				require.Nil(t, cure)
				require.NotEmpty(t, tried)
				return
			}
			require.Equal(t, c.want, cure.Commands)
			if c.name == "a deletion that does not end" {
				require.Nil(t, heal.End(cure.Events).Set(key))
				return
			}
			require.True(t, heal.Whole(cure.Events, key))
			require.Positive(t, cure.Takes)
		})
	}
}
