package explain

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDrains: a drain that a budget refuses is named with its node, its pods and its budget, although the controller
// waits for nothing; also after kubectl has given up, and no longer once the pod has gone.
func TestDrains(t *testing.T) {
	const (
		drain = "nodes: {count: 2}\nsteps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n" +
			"- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
			"spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}\n- drain: node-1\n"
		refused = "The drain of node-1 has been blocked since 3s: web-0 cannot be evicted"
		why     = "A PodDisruptionBudget that allows no disruption: web (1 of 1 healthy, 1 wanted)."
		ends    = "In this run it never ends."
		other   = "- create: {name: db, replicas: 1, image: \"app:v1\"}\n- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, " +
			"metadata: {name: db}, spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}}\n" +
			"- unready: {pod: db-0}\n"
	)
	cases := []struct {
		name, text     string
		at             time.Duration
		contains, lack []string
	}{
		{"for ever", drain, time.Hour, []string{refused, why, ends}, []string{"kubectl gave up"}},
		{"given up", strings.Replace(drain, "drain: node-1", "drain: {node: node-1, timeout: 5m}", 1), time.Hour, []string{"waits for nothing", refused, "kubectl gave up at 5m03s", why},
			[]string{ends}},
		{"given up, and given up again", strings.Replace(drain, "drain: node-1", "drain: {node: node-1, timeout: 30s}", 1) +
			"- after: 2m\n  drain: {node: node-1, timeout: 1m}\n", time.Hour, []string{"gave up at 33s", "gave up at 3m03s"}, nil},
		{"beside a budget for other pods, which needs one more", strings.Replace(drain, "- drain", other+"- drain", 1), time.Hour, []string{why, "when it covers one more healthy pod, or"},
			[]string{"db (", "when a pod of the budget becomes healthy"}},
		{"with two budgets for the pod", strings.Replace(drain, "- drain", strings.ReplaceAll(other, "app: db", "app: web")+"- drain", 1), time.Hour,
			[]string{"web-0 cannot be evicted: more than one PodDisruptionBudget selects it", "; kubectl ended with this error at 6s",
				"It ends when a single PodDisruptionBudget selects web-0 and allows a disruption, and the node is drained again",
				". Deleting the budget db, so that only web selects web-0, letting that one allow one disruption, and draining again: takes 5s",
				"kubectl -n default delete pdb db\n", "kubectl drain node-1 --ignore-daemonsets --delete-emptydir-data\n", "Not enough (simulated): adding a replica; letting the budget web allow"},
			[]string{"allows no more disruptions", "kubectl gave up"}},
		{"before it", drain, time.Second, nil, []string{"The drain of"}},
		{"the pod is being deleted", drain + "- after: 10s\n  delete: pod/web-0\n", 14 * time.Second, []string{"web-0: Terminating"}, []string{"The drain of"}},
		{"the pod has been deleted", drain + "- after: 10s\n  delete: pod/web-0\n", time.Hour, nil, []string{"The drain of"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			played := lab(t, c.text)
			e, err := Explain(played.Run(nil), Options{At: &c.at, Lab: played})
			require.NoError(t, err)
			for _, text := range c.contains {
				require.Contains(t, told(e), text)
			}
			for _, text := range c.lack {
				require.NotContains(t, told(e), text)
			}
		})
	}
}

// TestStrangers: a pod that has the name of one of the set's, and is not the set's, is not one that does not exist.
func TestStrangers(t *testing.T) {
	e, err := Explain(lab(t, "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n"+
		"- label: {pod: web-1, labels: {app: tool}}\n").Run(nil), Options{})
	require.NoError(t, err)
	require.Contains(t, told(e), "web-1 exists, but does not belong to the StatefulSet")
	require.NotContains(t, told(e), "does not exist")
}

// TestMissing: pods that do not exist are named, and so is the error for which the controller does not create them.
func TestMissing(t *testing.T) {
	played := lab(t, "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n"+
		"faults: [{write: {verb: create, kind: pod, name: web-1}, error: Forbidden, message: exceeded quota, times: 20}]\n")
	at := 10 * time.Second
	e, err := Explain(played.Run(nil), Options{At: &at})
	require.NoError(t, err)
	require.Contains(t, told(e), "web-1, web-2: do not exist")
	require.Contains(t, told(e), "The error was: exceeded quota")
	e, err = Explain(played.Run(nil), Options{At: &at, Pod: "web-1"})
	require.NoError(t, err)
	require.Contains(t, told(e), "web-1: does not exist")
	require.NotContains(t, told(e), "web-2: ")
}
