package explain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
)

// TestADumpWithoutPods: what kubectl get sts -o yaml prints shows no pods. A set that its status does not show at rest
// is unknown then: it is not said to continue, as it would in a world in which its pods are yet to be created.
func TestADumpWithoutPods(t *testing.T) {
	const set = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: NAME, namespace: prod, generation: 2}
spec:
  replicas: 3
  selector: {matchLabels: {app: a}}
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: "a:2"}]}}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: PARTITION}}
status: {observedGeneration: SEEN, replicas: 3, readyReplicas: READY, updatedReplicas: 1, currentRevision: a-1, updateRevision: a-2}
---`
	of := func(name, partition, seen, ready string) string {
		return strings.NewReplacer("NAME", name, "PARTITION", partition, "SEEN", seen, "READY", ready).Replace(set)
	}
	pod := strings.NewReplacer("prod", "other", "StatefulSet", "Pod", "apps/v1", "v1").Replace(of("b", "0", "2", "3"))
	gone := strings.Replace(of("gone", "2", "2", "3"), "generation: 2",
		`generation: 2, deletionTimestamp: "2026-01-31T11:00:00Z", finalizers: [foregroundDeletion]`, 1)
	text := of("unready", "2", "2", "2") + of("rolling", "0", "2", "3") + of("held", "2", "2", "3") + of("new", "2", "1", "3") + gone
	for _, dumped := range []string{text, text + pod} {
		d, err := dump.Read([]dump.Source{{Name: "sts.yaml", Data: []byte(dumped)}}, dump.Options{})
		require.NoError(t, err)
		require.Contains(t, strings.Join(d.Assumed, "\n"), "only what the statuses say is known")
		s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
		require.NoError(t, err)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil)
		unknown := map[string]string{}
		for _, s := range dumped.Sets {
			unknown[s.Name] = s.Unknown
			require.Equal(t, s.Unknown == "", s.AtRest, s.Name)
			require.False(t, s.GoesOn || s.Stuck(), s.Name)
		}
		require.Equal(t, map[string]string{
			"unready": "2 of 3 pods are Ready", "rolling": "2 of 3 pods run an older template", "held": "",
			"new": "the controller has not seen its newest spec yet", "gone": "it is being deleted",
		}, unknown)
		require.False(t, dumped.Held())
		require.False(t, dumped.Whole())
		require.Contains(t, dumped.Heading(), "0 stuck, 0 in progress, 1 at rest, 4 unknown.")
	}
}

// TestPodsWithoutTheirSet: a dump of the pods alone explains nothing, and does not hold.
func TestPodsWithoutTheirSet(t *testing.T) {
	d, err := dump.Read([]dump.Source{{Name: "pods.yaml", Data: []byte(`
apiVersion: v1
kind: Pod
metadata:
  name: web-0
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: u, controller: true}]
spec: {containers: [{name: a, image: a}]}
`)}}, dump.Options{})
	require.NoError(t, err)
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil)
	require.Empty(t, dumped.Sets)
	require.False(t, dumped.Held())
}

// TestOrphans: a pod without an owner is told, since a set may adopt it; not one that is being deleted, which none does.
func TestOrphans(t *testing.T) {
	for steps, told := range map[string]bool{"": true, "- delete: pod/web-0\n": false} {
		s, err := scenario.Parse("s.yaml", []byte("kubelet: {stop: never}\nsteps:\n- create: {name: web, replicas: 1, image: \"app:1\"}\n"+
			"- delete: statefulset/web\n  cascade: orphan\n"+steps), nil, scenario.Options{})
		require.NoError(t, err)
		state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
		require.Len(t, state.Pods, 1)
		d := dumpedAfter(t, state, time.Minute)
		require.Equal(t, told, strings.Contains(strings.Join(explain.Begin(d, labOf(s, d), "").All(nil).Notes, "\n"), "web-0 has no owner"), steps)
	}
}

// TestTheFirstPod: where the first pod keeps all others from starting, the fixes are about what the dump shows of it. A
// readiness gate is no wait for peers, and an init container that crashes there may not crash elsewhere.
func TestTheFirstPod(t *testing.T) {
	const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: NAME, namespace: prod, uid: s, generation: 1, creationTimestamp: "2026-01-01T08:00:00Z"}
spec: {serviceName: web, replicas: 3, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {SPECcontainers: [{name: a, image: b}]}}}
status: {observedGeneration: 1, replicas: PODS, currentReplicas: PODS, updatedReplicas: PODS, currentRevision: NAME-5d8c6f7b9c, updateRevision: NAME-5d8c6f7b9c}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod}
spec: {clusterIP: None, selector: {app: web}}
---
`
	const pod = `apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: prod, uid: p, creationTimestamp: "2026-01-01T09:00:00Z", labels: {app: web, controller-revision-hash: web-5d8c6f7b9c}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]}
spec: {nodeName: n, SPECcontainers: [{name: a, image: b}]}
status: {startTime: "2026-01-01T09:00:00Z", conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T09:00:00Z"}, {type: Ready, status: "False", lastTransitionTime: "2026-01-01T09:00:00Z"READY}], STATUS}
`
	for _, c := range []struct {
		name, set, pods, spec, ready, status string
		says, never                          []string
	}{
		{"a readiness gate", "web", "1", "readinessGates: [{conditionType: x/in}], ",
			`, reason: ReadinessGatesNotReady, message: 'corresponding condition of pod readiness gate "x/in" does not exist.'`,
			`phase: Running, containerStatuses: [{name: a, ready: true, restartCount: 0, state: {running: {startedAt: "2026-01-01T09:00:01Z"}}}]`,
			[]string{"Its containers are ready.", "Fixing the template and deleting web-0"}, []string{"publish", "peers"}},
		{"an init container that crashes", "web", "1", "initContainers: [{name: i, image: b}], ", "", `phase: Pending, initContainerStatuses: ` +
			`[{name: i, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}}], containerStatuses: [{name: a, restartCount: 0, state: {waiting: {reason: PodInitializing}}}]`,
			[]string{"Letting the StatefulSet begin with web-1: 2 of 3 serve again"}, nil},
		{"a name that is too long, without events", strings.Repeat("w", 58), "0", "", "", "",
			[]string{`-5d8c6f7b9c": must be no more than 63 characters`}, []string{"ResourceQuota", "webhook"}},
	} {
		text := strings.NewReplacer("NAME", c.set, "PODS", c.pods, "SPEC", c.spec).Replace(set)
		if c.status != "" {
			text += strings.NewReplacer("SPEC", c.spec, "READY", c.ready, "STATUS", c.status).Replace(pod)
		}
		_, says := explained(t, text, time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC))
		for _, words := range c.says {
			require.Contains(t, says, words, c.name)
		}
		for _, words := range c.never {
			require.NotContains(t, says, words, c.name)
		}
	}
}
