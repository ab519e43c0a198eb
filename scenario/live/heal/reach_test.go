package heal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
)

// healing returns what the healing ways are, with their commands.
func healing(s *heal.Stuck) string {
	var b strings.Builder
	for _, way := range s.All() {
		if way.Heals {
			fmt.Fprintf(&b, "%s: %s\n", way.What, strings.Join(way.Commands, "; "))
		}
	}
	return b.String()
}

// TestBelowThePartition: a pod that is made from the old revision is not reached by a new template. What that revision
// lacks is created again, or the rollout goes on to the pod: with a lower partition, or with a rollingUpdate block
// where there is none and status.currentReplicas counts.
func TestBelowThePartition(t *testing.T) {
	const apply = "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web, " +
		"selector: {matchLabels: {app: web}}, updateStrategy: {type: RollingUpdate%s}, template: {metadata: {labels: {app: web}}, " +
		"spec: {serviceAccountName: %s, containers: [{name: app, image: \"app:v1\"}]}}}}\n"
	for name, c := range map[string]struct{ block, lower string }{
		"a partition": {", rollingUpdate: {partition: 2}", "lowering the partition to 0: "},
		"no block":    {"", "adding a rollingUpdate block with the partition 0: "},
	} {
		t.Run(name, func(t *testing.T) {
			change := fmt.Sprintf(apply, c.block, "new")
			cluster := "kubelet: {stop: 1s, rules: [{match: {ordinal: 2, nth: 2}, ready: 10s}]}\nfaults: [{write: {verb: create, " +
				"kind: pod, name: web-0, nth: 2}, error: Forbidden, times: always}]\n"
			s := stuckIn(t, cluster, fmt.Sprintf(apply, c.block, "old")+change+"- after: 5s\n  delete: pod/web-0\n")
			s.State = s.Lab.State(nil)
			s.Lab.World.Start, s.Lab.Before, s.Lab.World.Faults = s.State, nil, nil
			s.State.Rest = nil
			s.Lab.World.Admit = func(pod *model.Pod) *model.APIError {
				if !strings.Contains(pod.Template.Data, `"old"`) {
					return nil
				}
				return &model.APIError{Reason: model.Forbidden, Message: "pods \"web-0\" is refused by something"}
			}
			s.Events, s.Asleep = s.Lab.Run(nil), true
			require.False(t, heal.Whole(s.Events, key))
			ways := healing(s)
			require.Contains(t, ways, c.lower)
			require.Contains(t, ways, "creating the ServiceAccount old: kubectl -n default create serviceaccount old")
			require.NotContains(t, ways, "fixing the template")
			require.NotContains(t, ways, "undoing")
		})
	}
}

// TestPodOfThePredecessor: what is in the way of a set is looked at although a set owns it that is long gone.
func TestPodOfThePredecessor(t *testing.T) {
	const again = three + "- nodeDown: node-2\n- delete: statefulset/web\n- after: 10m\n" +
		"  create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	s := stuck(t, "", again)
	ways := healing(s)
	require.Contains(t, ways, "confirming with a taint that node-2 is off: kubectl taint nodes node-2 node.kubernetes.io/out-of-service")
	require.Contains(t, ways, "deleting the node node-2: kubectl delete node node-2")
	require.Contains(t, ways, "deleting web-1 by force: kubectl -n default delete pod web-1 --force")

	s = stuck(t, "rules: [{match: {pod: web-1, nth: 1}, stop: never}]", three+"- delete: statefulset/web\n"+three)
	s.State = s.Lab.State(nil)
	for i := range s.State.Pods {
		if p := s.State.Pods[i].Pod; p.Terminating() {
			p.Finalizers = []string{"example.com/hold"}
		}
	}
	require.Contains(t, attempts(s), "removing the finalizers of web-1: DANGER only if the work behind the finalizer example.com/hold")
}

// attempts returns all ways, with their dangers.
func attempts(s *heal.Stuck) string {
	var b strings.Builder
	for _, way := range s.All() {
		fmt.Fprintf(&b, "%s: DANGER %s\n", way.What, way.Danger)
	}
	return b.String()
}

// TestRelief: where the lowest pod keeps the others from starting, they are started without it; the set is not whole
// then, and its data stays.
func TestRelief(t *testing.T) {
	const lost = three + "- delete: pod/web-2\n- after: 0s\n  delete: pod/web-1\n- after: 0s\n  delete: pod/web-0\n"
	s := stuck(t, "rules: [{match: {pod: web-0, nth: 2}, start: never}]", lost)
	var reliefs []string
	for _, way := range s.All() {
		if way.Relieves {
			require.False(t, way.Heals)
			require.Empty(t, way.Loses)
			reliefs = append(reliefs, fmt.Sprintf("%s: %d of %d, without %s", way.What, way.ServesAfter, way.Replicas, way.Stays))
		}
	}
	require.Equal(t, []string{"letting the StatefulSet begin with web-1: 2 of 3, without [web-0]",
		"recreating the StatefulSet with Parallel: 2 of 3, without [web-0]"}, reliefs)
	best, _ := s.Best()
	require.True(t, best == nil || best.Heals, "a relief is no fix")

	s = stuck(t, "rules: [{match: {pod: web-1, nth: 2}, start: never}]", lost)
	require.NotContains(t, attempts(s), "begin with", "web-0 serves, and would go")
	require.Contains(t, attempts(s), "Parallel")
}
