package dump_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
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
			"web cache db",
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

// TestNearIsNear: what a set has nothing in common with is left out, in a small namespace too. Pods that belong to no
// set stay, with their claims.
func TestNearIsNear(t *testing.T) {
	lone := `
- {apiVersion: v1, kind: Pod, metadata: {name: tool, namespace: %s}, spec: {nodeName: node-1, containers: [{name: tool, image: "tool:1"}],
    volumes: [{name: data, persistentVolumeClaim: {claimName: tape}}]}, status: {phase: Running}}
- {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: tape, namespace: %[1]s}, status: {phase: Bound}}`
	text := "apiVersion: v1\nkind: List\nitems:" + runningSet("web", "", "") + runningSet("db", "", "") +
		fmt.Sprintf(lone, "prod") + fmt.Sprintf(lone, "other")
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
	require.NoError(t, err)
	state := d.Index().Near(model.Key{Namespace: "prod", Name: "web"})
	require.Equal(t, []string{"prod/web"}, keysOf(state.Sets))
	require.Equal(t, []string{"prod/web-0", "prod/tool"}, keysOf(state.Pods))
	require.Equal(t, []string{"prod/tape"}, keysOf(state.Claims))
}

func keysOf[T interface{ Key() model.Key }](list []T) (keys []string) {
	for _, object := range list {
		keys = append(keys, object.Key().String())
	}
	return keys
}

// TestNearInOtherNamespaces: of the sets of other namespaces those are near with whose pods the scheduler compares
// those of the set; the others only take their room.
func TestNearInOtherNamespaces(t *testing.T) {
	apart := func(where string) string {
		return `, affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: ` +
			`kubernetes.io/hostname, labelSelector: {matchLabels: {app: db}}` + where + `}]}}`
	}
	db := strings.ReplaceAll(runningSet("db", "", ""), "namespace: prod", "namespace: other")
	asks := strings.ReplaceAll(db, `image: "app:v1"`, `image: "app:v1", resources: {requests: {cpu: 1500m}}`)
	for name, c := range map[string]struct {
		web, db string
		near    []string
		cpu     string
	}{
		"no constraint":                 {"", asks, []string{"prod/web"}, "2500m"},
		"not beside it, elsewhere":      {apart(", namespaces: [other]"), asks, []string{"prod/web", "other/db"}, "4000m"},
		"not beside it, everywhere":     {apart(", namespaceSelector: {}"), asks, []string{"prod/web", "other/db"}, "4000m"},
		"not beside it, if of its own":  {apart(""), asks, []string{"prod/web"}, "2500m"},
		"not beside it, in a third one": {apart(", namespaces: [third]"), asks, []string{"prod/web"}, "2500m"},
	} {
		state := inCrowd(t, runningSet("web", "", c.web), c.db).Index().Near(model.Key{Namespace: "prod", Name: "web"})
		require.Equal(t, c.near, keysOf(state.Sets), name)
		require.Equal(t, c.cpu, state.Nodes[0].Allocatable["cpu"], name)
	}
}

// TestRivals: sets whose pods wait for a node are near each other, unless they are very many.
func TestRivals(t *testing.T) {
	waits := func(name string) string {
		return strings.Replace(strings.Replace(runningSet(name, "", ""), "nodeName: node-1, ", "", 1), "phase: Running", "phase: Pending", 1)
	}
	for rivals, near := range map[int]int{0: 1, 1: 2, 20: 21, 21: 1} {
		objects := []string{waits("web"), runningSet("db", "", "")}
		for i := range rivals {
			objects = append(objects, waits(fmt.Sprintf("r%d", i)))
		}
		x := inCrowd(t, objects...).Index()
		require.Len(t, x.Near(model.Key{Namespace: "prod", Name: "web"}).Sets, near, rivals)
		require.Len(t, x.Near(model.Key{Namespace: "prod", Name: "db"}).Sets, 1, rivals)
	}
}
