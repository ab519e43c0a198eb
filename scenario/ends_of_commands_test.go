package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
)

// verdict plays steps and judges one expectation on them: "held", or what came instead.
func verdict(t *testing.T, text, expectation string) string {
	t.Helper()
	s, err := scenario.Parse("s.yaml", []byte(text+"expect:\n- "+expectation+"\n"), nil, scenario.Options{})
	require.NoError(t, err, expectation)
	v := s.Run(scenario.RunOptions{}).Verdicts[0]
	if v.Outcome == expect.Held {
		return "held"
	}
	return v.Detail
}

const drains = `
kubernetes: "1.37"
nodes: 2
steps:
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}}
- create: {name: web, replicas: 4, image: "app:v1", podManagementPolicy: Parallel}
- %s
- drain: node-2
  name: maintenance
`

// TestDrained: a drain that ends in time holds, one that a budget refuses for ever does not, and says why.
func TestDrained(t *testing.T) {
	well, blocked := fmt.Sprintf(drains, "wait: {}"), fmt.Sprintf(drains, "unready: {pod: web-0}")
	well = strings.Replace(well, "- wait: {}\n", "", 1)
	for _, c := range []struct{ steps, expectation, want string }{
		{well, "drained: node-2", "held"},
		{well, "drained:", "held"},
		{well, "drained: node-*", "held"},
		{well, "drained: {node: node-2, within: 12s}", "held"},
		{well, "drained: {node: node-2, since: maintenance}", "held"},
		{well, "drained: {node: node-2, within: 11s}", "node-2 was drained only after 12s"},
		{well, "drained: node-1", "no step drains a node node-1: those drained are node-2"},
		{blocked, "drained: node-2", "the drain of node-2, begun at 3s, has not ended: the run ended at 3s with the verdict " +
			"stuck; error when evicting pods/\"web-1\" -n \"default\" (will retry after 5s): Cannot evict pod as it would " +
			"violate the pod's disruption budget."},
		{blocked, "budget: web", "held"},
	} {
		require.Equal(t, c.want, verdict(t, c.steps, c.expectation), c.expectation)
	}
	given := strings.Replace(blocked, "- drain: node-2", "- drain: {node: node-2, timeout: 12s}", 1)
	require.Contains(t, verdict(t, given, "drained: node-2"), "global timeout reached: 12s")
	_, err := scenario.Parse("s.yaml", []byte(well+"expect:\n- drained: {node: \"[\"}\n- budget: web\n  within: 3s\n"), nil,
		scenario.Options{})
	require.ErrorContains(t, err, "node is")
	require.ErrorContains(t, err, `"within" does not go with budget`)
}

// TestHelmWait holds what is taken to be ready to the rules of Helm 3 and Helm 4.
func TestHelmWait(t *testing.T) {
	const steps = "\nkubernetes: \"1.36\"\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\"%s}\n%s"
	const rolls = "- setImage: {image: \"app:v2\"}\n"
	broken := "- setImage: {image: \"app:broken\"}\n"
	kubelet := "kubelet: {rules: [{match: {image: \"app:broken\"}, start: never}]}\n"
	for _, c := range []struct{ name, more, steps, expectation, want string }{
		{"a rollout", "", rolls, "helmWait:", "held"},
		{"in its time", "", rolls, "helmWait: 15s", "held"},
		{"not in its time", "", rolls, "helmWait: {within: 14s, helm: 3}", "helm --wait would not have returned from 9s " +
			"to 23s; StatefulSet is not ready: default/web. 2 out of 3 expected pods are ready"},
		{"as Helm 4 says it", "", rolls, "helmWait: {within: 14s}", "helm --wait would not have returned from 9s to 23s; " +
			"resource StatefulSet/default/web not ready. status: InProgress, message: Ready: 2/3"},
		{"OnDelete is never waited for", ", updateStrategy: {type: OnDelete}", rolls, "helmWait: {within: 1s, helm: 3}", "held"},
		{"nor by Helm 4", ", updateStrategy: {type: OnDelete}", rolls, "helmWait: {within: 1s}", "held"},
		{"pods above a partition", ", updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}", rolls,
			"helmWait: {within: 5s, helm: 3}", "held"},
		{"a partition above all pods", ", updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 9}}", broken,
			"helmWait: {within: 1s, helm: 3}", "held"},
		{"a broken revision", "", broken, "helmWait: {helm: 3}", "helm --wait would not have returned from 9s until the run " +
			"ended at 11s with the verdict stuck; StatefulSet is not ready: default/web. 1 out of 3 expected pods have been " +
			"scheduled"},
		{"a scale-down: Helm 4 waits for the pods to be gone", "", "- scale: {replicas: 1}\n", "helmWait: {within: 3s}",
			"helm --wait would not have returned from 9s to 12s; resource StatefulSet/default/web not ready. status: " +
				"InProgress, message: Pending termination: 1"},
		{"the set's creation", "", "", "helmWait: {within: 9s}", "held"},
	} {
		text := kubelet + fmt.Sprintf(steps, c.more, c.steps)
		require.Equal(t, c.want, verdict(t, text, c.expectation), c.name)
	}
	_, err := scenario.Parse("s.yaml", []byte(fmt.Sprintf(steps, "", "")+"expect: [{helmWait: {helm: 2}}]\n"), nil,
		scenario.Options{})
	require.ErrorContains(t, err, "helm is 2: write 3 or 4")
}

// TestBudget: a rollout does not ask a budget, an eviction does; a budget that says nothing about any pod holds nothing.
func TestBudget(t *testing.T) {
	const steps = `
kubernetes: "1.37"
nodes: 2
steps:
- create: {name: web, replicas: 3, image: "app:v1"}
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {%s, selector: {matchLabels: {app: %s}}}}
- setImage: {image: "app:v2"}
- drain: node-2
`
	for _, c := range []struct{ promises, of, expectation, want string }{
		{"minAvailable: 2", "web", "budget: web", "held"},
		{"minAvailable: 2", "web", "budget: {name: default/web, since: drain}", "held"},
		{"maxUnavailable: 1", "web", "budget:", "held"},
		{"minAvailable: 3", "web", "budget: web",
			"at 9s 2 of 3 pods are healthy, but PodDisruptionBudget web promises 3"},
		{"minAvailable: 3", "web", "budget: {since: drain}", "held"},
		{"minAvailable: 2", "web", "budget: wbe",
			"it checks nothing: the run has no PodDisruptionBudget wbe with pods: it has default/web"},
		{"minAvailable: 2", "wbe", "budget: web", "it checks nothing: the run has no PodDisruptionBudget that selects a pod"},
		{"minAvailable: 4", "web", "budget: web", "it checks nothing: there were never as many healthy pods as the " +
			"PodDisruptionBudget promises; add since: STEP to check from that step on"},
	} {
		require.Equal(t, c.want, verdict(t, fmt.Sprintf(steps, c.promises, c.of), c.expectation), "%v", c)
	}
}
