package gated_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
)

// set is a step that applies a set of three pods with some more fields.
func set(image, more string) string {
	return "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web" + more +
		", selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"" +
		image + "\"}]}}}}\n"
}

// TestVerdicts: what is said of a tool about the last step of a scenario, and what waits rightly in its place.
func TestVerdicts(t *testing.T) {
	const replicas = "kubectl -n default wait statefulset/web --for='jsonpath={.status.replicas}=1' --timeout=10m"
	rollout := "kubectl -n default rollout status statefulset/web"
	for _, c := range []struct {
		what, steps string
		tool        *gate.Gate
		verdict     string
		instead     []string
	}{
		{"a rollout", set("a:1", "") + set("a:2", ""), gate.Helm4, "says done after 15s", nil},
		{"pods that must prove themselves", set("a:1", ", minReadySeconds: 20") + set("a:2", ", minReadySeconds: 20"), gate.Helm3,
			"says done after 55s, which is too early: web-0 has been Ready for less than minReadySeconds (20s). It is true after 1m15s",
			[]string{rollout, "kubectl -n default wait statefulset/web --for='jsonpath={.status.availableReplicas}=3' --timeout=10m"}},
		{"pods that must prove themselves for long", set("a:1", ", minReadySeconds: 1500") + set("a:2", ", minReadySeconds: 1500"), gate.Flux,
			"says done after 50m15s, which is too early: web-0 has been Ready for less than minReadySeconds (1500s). It is true after 1h15m15s",
			[]string{rollout, "kubectl -n default wait statefulset/web --for='jsonpath={.status.availableReplicas}=3' --timeout=51m"}},
		{"OnDelete to 0", set("a:1", ", updateStrategy: {type: OnDelete}") + "- scale: {replicas: 0}\n", gate.ArgoCD,
			"says done after 0s, which is too early: web-0, web-1 and web-2 are surplus and still there. It is true after 6s",
			[]string{"kubectl -n default wait statefulset/web --for=jsonpath='{.status.observedGeneration}'=" +
				"\"$(kubectl -n default get statefulset/web -o 'jsonpath={.metadata.generation}')\" --timeout=10m",
				"kubectl -n default wait statefulset/web --for='jsonpath={.status.replicas}=0' --timeout=10m"}},
		{"a scale-down", set("a:1", "") + "- scale: {replicas: 1}\n", gate.ArgoCD,
			"says done after 0s, which is too early: web-1 and web-2 are surplus and still there. It is true after 4s",
			[]string{rollout, replicas}},
		{"OnDelete", set("a:1", ", updateStrategy: {type: OnDelete}") + set("a:2", ", updateStrategy: {type: OnDelete}"), gate.ArgoCD,
			"says done after 0s, and it is not: web-0, web-1 and web-2 are of an old template", nil},
		{"a canary", set("a:1", ", updateStrategy: {rollingUpdate: {partition: 2}}") + set("a:2", ", updateStrategy: {rollingUpdate: {partition: 2}}"),
			gate.Pulumi, "fails at its timeout, after 10m00s, though the change completes after 5s", []string{rollout}},
		{"a crash loop that heals", "- create: {name: web, replicas: 2, image: \"a:1\", podManagementPolicy: Parallel}\n" +
			"kubelet: {rules: [{match: {pod: web-0}, ready: 20s}, {match: {pod: web-1}, crash: 3s, crashes: 3, ready: 5s}]}\n", gate.Helm4,
			"fails after 21s, though the change completes after 45s", []string{"helm upgrade --wait=legacy"}},
		{"a change that never completes", set("a:1", "") + set("a:bad", "") + "kubelet: {rules: [{match: {image: \"a:bad\"}, ready: never}]}\n",
			gate.KStatus, "never ends", nil},
	} {
		s, err := scenario.Parse("s.yaml", []byte("steps:\n"+c.steps), nil, scenario.Options{})
		require.NoError(t, err, c.what)
		events := s.Run(scenario.RunOptions{}).Timeline
		step := strings.Count(c.steps, "\n- ") + 1
		answers := gated.Of(events, play.StepAt(events, step), model.Key{Namespace: "default", Name: "web"}, gate.All())
		for _, a := range answers {
			if a.Gate != c.tool.Name {
				continue
			}
			require.Equal(t, c.verdict, a.Verdict(), c.what)
			require.Equal(t, append([]string{}, c.instead...), a.Instead, c.what)
		}
	}
}
