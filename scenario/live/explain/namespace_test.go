package explain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/judge"
)

// TestNamespaceThatGoes: a set in a namespace that is being deleted goes with it, whether it is at rest or not. What
// keeps the namespace is said, and no fix is offered. Another namespace does not matter.
func TestNamespaceThatGoes(t *testing.T) {
	at := time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)
	const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: prod, uid: s, generation: 1, creationTimestamp: "2026-01-01T08:00:00Z"}
spec: {serviceName: web, replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: b}]}}}
status: {observedGeneration: 1, replicas: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1, currentRevision: web-1, updateRevision: web-1}
---
`
	const pod = `apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: prod, uid: p, creationTimestamp: "2026-01-01T08:00:01Z", labels: {app: web, controller-revision-hash: web-1, statefulset.kubernetes.io/pod-name: web-0}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]}
spec: {nodeName: n, containers: [{name: a, image: b}]}
status: {phase: Running, startTime: "2026-01-01T08:00:01Z", conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T08:00:05Z"}], containerStatuses: [{name: a, ready: true, restartCount: 0, state: {running: {startedAt: "2026-01-01T08:00:02Z"}}}]}
---
`
	const going = `apiVersion: v1
kind: Namespace
metadata: {name: NAME, uid: n, deletionTimestamp: "2026-01-01T10:00:00Z", finalizers: [acme.io/backup]}
spec: {finalizers: [kubernetes]}
status: {phase: Terminating, conditions: [{type: NamespaceContentRemaining, status: "True", message: "Some resources are remaining: pods. has 1 resource instances"}, {type: NamespaceDeletionDiscoveryFailure, status: "False", message: all well}]}
`
	for _, c := range []struct {
		name, dump string
		state      judge.State
	}{
		{"at rest", set + pod + strings.Replace(going, "NAME", "prod", 1), judge.Stuck},
		{"a pod is missing", set + strings.Replace(pod, "name: web-0, namespace: prod", "name: web-7, namespace: other", 1) +
			strings.Replace(going, "NAME", "prod", 1), judge.Stuck},
		{"another namespace", set + pod + strings.Replace(going, "NAME", "other", 1), judge.AtRest},
		{"one that stays", set + pod + "apiVersion: v1\nkind: Namespace\nmetadata: {name: prod, uid: n}\nspec: {finalizers: [kubernetes]}\nstatus: {phase: Active}\n", judge.AtRest},
		{"a kind of somebody else", set + pod + strings.ReplaceAll(strings.Replace(going, "NAME", "prod", 1), "apiVersion: v1", "apiVersion: acme.io/v1"), judge.AtRest},
	} {
		found, says := explained(t, c.dump, at)
		require.Equal(t, c.state, found.Sets[0].State, c.name+": "+says)
		if c.state == judge.AtRest {
			require.True(t, found.Held(), c.name)
			continue
		}
		require.False(t, found.Held(), c.name)
		require.True(t, found.Sets[0].Certain, c.name)
		require.Empty(t, found.Sets[0].WaysOut, c.name)
		for _, words := range []string{
			"it does not continue by itself", "The namespace prod is being deleted, and the StatefulSet with it.", "It has been Terminating for 2h.",
			"Its controller says: Some resources are remaining: pods. has 1 resource instances.",
			"When it is empty, acme.io/backup keeps it: whoever has set that removes it when its work is done.",
			"When the namespace is gone, create it again, and apply the StatefulSet there.",
		} {
			require.Contains(t, strings.Join(strings.Fields(says), " "), words, c.name)
		}
	}
}
