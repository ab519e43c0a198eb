package dump_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
)

// TestBudgetsThatAreOutOfDate: evictions go by the status of a budget, and a world counts the pods. Where the two
// differ, that is said.
func TestBudgetsThatAreOutOfDate(t *testing.T) {
	const pod = "---\nkind: Pod\napiVersion: v1\nmetadata: {name: web-%d, namespace: default, uid: p%[1]d, labels: {app: web}%s}\n" +
		"spec: {containers: [{name: app, image: \"app:v1\"}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: %q}]}\n"
	const going = `, deletionTimestamp: "2026-01-01T00:01:00Z", deletionGracePeriodSeconds: 30`
	const spec, counted = "is not that of its newest spec", "web says that 3 of 3 pods are healthy, but in the dump 2 of 3 are."
	ready := fmt.Sprintf(pod, 0, "", "True") + fmt.Sprintf(pod, 1, "", "True")
	for _, c := range []struct {
		name, generation, status, pods string
		want                           string
	}{
		{"up to date", "2", "observedGeneration: 2, currentHealthy: 3", ready + fmt.Sprintf(pod, 2, "", "True"), ""},
		{"a new spec", "2", "observedGeneration: 1, currentHealthy: 3", ready + fmt.Sprintf(pod, 2, "", "True"), spec},
		{"a new budget", "1", "currentHealthy: 0", ready, spec},
		{"a pod that is not Ready any more", "2", "observedGeneration: 2, currentHealthy: 3", ready + fmt.Sprintf(pod, 2, "", "False"), counted},
		{"a pod that is going", "2", "observedGeneration: 2, currentHealthy: 3", ready + fmt.Sprintf(pod, 2, going, "True"), counted},
		{"a pod whose eviction has been granted", "2", "observedGeneration: 2, currentHealthy: 2, disruptedPods: {web-2: \"2026-01-01T00:00:30Z\"}",
			ready + fmt.Sprintf(pod, 2, "", "True"), ""},
		{"a pod of another owner counts", "2", "observedGeneration: 2, currentHealthy: 3", ready +
			strings.Replace(fmt.Sprintf(pod, 2,
				", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, uid: r, controller: true}]", "True"), "web-2", "rs-abcde", 1), ""},
		{"no pods", "2", "observedGeneration: 2, currentHealthy: 3", "", ""},
	} {
		text := "kind: StatefulSet\napiVersion: apps/v1\nmetadata: {name: web, namespace: default, uid: s}\nspec: {serviceName: web, " +
			"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}}\n" +
			"---\nkind: PodDisruptionBudget\napiVersion: policy/v1\nmetadata: {name: web, namespace: default, generation: " + c.generation +
			"}\nspec: {minAvailable: 2, selector: {matchLabels: {app: web}}}\nstatus: {expectedPods: 3, disruptionsAllowed: 1, " + c.status + "}\n" + c.pods
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err, c.name)
		said := strings.Join(d.Assumed, "\n")
		require.Equal(t, c.want != "", strings.Contains(said, "PodDisruptionBudget"), "%s: %s", c.name, said)
		require.Contains(t, said, c.want, c.name)
	}
}

// TestOldestBudgetComesFirst: a world that begins with a dump chooses the older of two budgets, and not the first by
// name.
func TestOldestBudgetComesFirst(t *testing.T) {
	const budget = "---\nkind: PodDisruptionBudget\napiVersion: policy/v1\nmetadata: {name: %s, creationTimestamp: %q}\n" +
		"spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}\n"
	text := "kind: StatefulSet\napiVersion: apps/v1\nmetadata: {name: web, uid: s}\nspec: {serviceName: web, " +
		"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: a}]}}}\n" +
		fmt.Sprintf(budget, "a", "2026-01-03T00:00:00Z") + fmt.Sprintf(budget, "b", "2026-01-02T00:00:00Z") +
		fmt.Sprintf(budget, "c", "2026-01-02T00:00:00Z")
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
	require.NoError(t, err)
	var names []string
	for _, b := range d.State.Budgets {
		names = append(names, b.Name)
	}
	require.Equal(t, []string{"b", "c", "a"}, names)
}
