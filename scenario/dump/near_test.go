package dump_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
)

// runningSet is a set of one replica with a pod on node-1, as kubectl prints them; spec is more of its pods' spec.
func runningSet(name, labels, spec string) string {
	return fmt.Sprintf(`
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: %[1]s, namespace: prod, uid: of-%[1]s, generation: 1}
  spec:
    replicas: 1
    serviceName: none
    selector: {matchLabels: {app: %[1]s}}
    template: {metadata: {labels: {app: %[1]s%[2]s}}, spec: {containers: [{name: app, image: "app:v1"}]%[3]s}}
  status: {observedGeneration: 1, replicas: 1, readyReplicas: 1, currentRevision: %[1]s-1, updateRevision: %[1]s-1}
- apiVersion: v1
  kind: Pod
  metadata:
    name: %[1]s-0
    namespace: prod
    labels: {app: %[1]s%[2]s, controller-revision-hash: %[1]s-1}
    ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: %[1]s, uid: of-%[1]s, controller: true}]
  spec: {nodeName: node-1, containers: [{name: app, image: "app:v1"}]%[3]s}
  status: {phase: Running, conditions: [{type: Ready, status: "True"}]}`, name, labels, spec)
}

// inCrowd is a dump of these objects and of 25 sets that concern nobody.
func inCrowd(t *testing.T, objects ...string) *dump.Dump {
	t.Helper()
	objects = append([]string{`
- apiVersion: v1
  kind: Node
  metadata: {name: node-1, labels: {kubernetes.io/hostname: node-1}}
  status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}`}, objects...)
	for i := range 25 {
		objects = append(objects, runningSet(fmt.Sprintf("crowd%d", i), "", ""))
	}
	text := "apiVersion: v1\nkind: List\nitems:" + strings.Join(objects, "")
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
	require.NoError(t, err)
	return d
}

// TestNear says in which worlds a change of the set web is tried, in a namespace with many sets: with those sets that
// it has something in common with, and with those that these have something in common with.
func TestNear(t *testing.T) {
	const (
		budget = `
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: both, namespace: prod}
  spec: {maxUnavailable: 1, selector: {matchLabels: {tier: data}}}`
		volume = `, volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]`
	)
	claim := func(name string) string { return fmt.Sprintf(volume, name) }
	apart := func(app string) string {
		return `, affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: ` +
			`kubernetes.io/hostname, labelSelector: {matchLabels: {app: ` + app + `}}}]}}`
	}
	spread := `, topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, ` +
		`labelSelector: {matchLabels: {tier: data}}}]`
	takes := func(name, port string) string {
		return strings.ReplaceAll(runningSet(name, "", ""), `image: "app:v1"`,
			`image: "app:v1", ports: [{containerPort: `+port+`, hostPort: `+port+`}]`)
	}
	for _, c := range []struct {
		what string
		dump []string
		near string
	}{
		{"nothing in common", []string{runningSet("web", "", ""), runningSet("db", "", "")}, "web"},
		{"a budget of both", []string{runningSet("web", ", tier: data", ""), runningSet("db", ", tier: data", ""), budget}, "web db"},
		{"a budget of one", []string{runningSet("web", ", tier: data", ""), runningSet("db", "", ""), budget}, "web"},
		{"the same claim", []string{runningSet("web", "", claim("disk")), runningSet("db", "", claim("disk"))}, "web db"},
		{"other claims", []string{runningSet("web", "", claim("disk")), runningSet("db", "", claim("tape"))}, "web"},
		{"not beside the other", []string{runningSet("web", "", ""), runningSet("db", "", apart("web"))}, "web db"},
		{"not beside its own", []string{runningSet("web", "", apart("web")), runningSet("db", "", apart("db"))}, "web"},
		{"spread over zones with the other", []string{runningSet("web", "", spread), runningSet("db", ", tier: data", "")}, "web db"},
		{"the same port of a node", []string{takes("web", "80"), takes("db", "80")}, "web db"},
		{"other ports of a node", []string{takes("web", "80"), takes("db", "81")}, "web"},
		{
			"one after the other",
			[]string{runningSet("web", "", apart("db")), runningSet("cache", "", claim("x")), runningSet("db", "", claim("x"))},
			"web db cache",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			state := inCrowd(t, c.dump...).Index().Near(model.Key{Namespace: "prod", Name: "web"})
			var names []string
			for _, set := range state.Sets {
				names = append(names, set.Name)
			}
			require.Equal(t, c.near, strings.Join(names, " "))
			require.Len(t, state.Pods, len(names))
		})
	}
}

// TestNearLeavesRoom: the pods of sets that are left out still take their part of a node.
func TestNearLeavesRoom(t *testing.T) {
	asks := func(name, cpu string) string {
		return strings.ReplaceAll(runningSet(name, "", ""), `image: "app:v1"`, `image: "app:v1", resources: {requests: {cpu: `+cpu+`}}`)
	}
	d := inCrowd(t, asks("web", "1"), asks("db", "1500m"))
	state := d.Index().Near(model.Key{Namespace: "prod", Name: "web"})
	require.Equal(t, map[string]string{"cpu": "2500m", "memory": "8589934592", "pods": "84"}, state.Nodes[0].Allocatable)
	require.Equal(t, map[string]string{"cpu": "4", "memory": "8Gi", "pods": "110"}, d.State.Nodes[0].Allocatable)
}

// TestNearInASmallNamespace: up to 20 sets of a namespace are all near each other.
func TestNearInASmallNamespace(t *testing.T) {
	for _, sets := range []int{20, 21} {
		text := "apiVersion: v1\nkind: List\nitems:"
		for i := range sets {
			text += runningSet(fmt.Sprintf("s%d", i), "", "")
		}
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err)
		near := d.Index().Near(model.Key{Namespace: "prod", Name: "s0"})
		require.Len(t, near.Sets, map[int]int{20: 20, 21: 1}[sets])
	}
}
