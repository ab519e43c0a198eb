package explain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// manyStuck is a dump of so many stuck sets, with 20 sets in a namespace and a node for each 10 sets. Each set has two
// pods that serve and one of a new template that does not: its image cannot be pulled, it crashes, it finds no node, or
// it waits for a Secret.
func manyStuck(sets int) []byte {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range max(1, sets/10) {
		fmt.Fprintf(&b, `- {apiVersion: v1, kind: Node, metadata: {name: n%d, labels: {kubernetes.io/hostname: n%[1]d}},
   status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}}
`, i)
	}
	for i := range sets {
		writeStuck(&b, i, max(1, sets/10))
	}
	return []byte(b.String())
}

// sick are the states of the third pod of a set.
var sick = []string{
	`phase: Pending, containerStatuses: [{name: app, image: "app:v2", imageID: "", ready: false, restartCount: 0,
    state: {waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image "app:v2"'}}}],
   conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"}]`,
	`phase: Running, containerStatuses: [{name: app, image: "app:v2", imageID: "", ready: false, restartCount: 7,
    state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s}},
    lastState: {terminated: {exitCode: 1, reason: Error, startedAt: "2026-01-01T00:58:00Z", finishedAt: "2026-01-01T00:59:00Z"}}}],
   conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"}]`,
	`phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable,
    message: '0/9 nodes are available: 9 Insufficient cpu. preemption: 0/9 nodes are available.'}]`,
	`phase: Pending, containerStatuses: [{name: app, image: "app:v2", imageID: "", ready: false, restartCount: 0,
    state: {waiting: {reason: CreateContainerConfigError, message: 'secret "web-tls" not found'}}}],
   conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"}]`,
}

// writeStuck writes the i-th set, its revisions and its pods.
func writeStuck(b *strings.Builder, i, nodes int) {
	meta := func(name, more string) string {
		return fmt.Sprintf(`{name: %s, namespace: ns%d, creationTimestamp: "2026-01-01T00:00:00Z"%s}`, name, i/20, more)
	}
	name := fmt.Sprintf("web%d", i)
	owner := fmt.Sprintf(`, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: %s, uid: of-%[1]s, controller: true}]`, name)
	template := func(version string) string {
		return fmt.Sprintf(`{metadata: {labels: {app: %s}}, spec: {containers: [{name: app, image: "app:%s"}]}}`, name, version)
	}
	fmt.Fprintf(b, `- apiVersion: apps/v1
  kind: StatefulSet
  metadata: %s
  spec: {replicas: 3, serviceName: %s, selector: {matchLabels: {app: %[2]s}}, template: %s}
  status: {observedGeneration: 2, replicas: 3, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 1,
    currentRevision: %[2]s-1, updateRevision: %[2]s-2}
`, meta(name, fmt.Sprintf(`, uid: of-%s, generation: 2`, name)), name, template("v2"))
	for r := 1; r <= 2; r++ {
		fmt.Fprintf(b, "- {apiVersion: apps/v1, kind: ControllerRevision, metadata: %s, revision: %d, data: {spec: {template: %s}}}\n",
			meta(fmt.Sprintf("%s-%d", name, r), owner), r,
			strings.Replace(template(fmt.Sprintf("v%d", r)), "{metadata", `{$patch: replace, metadata`, 1))
	}
	for p := range 3 {
		status, revision := `phase: Running, containerStatuses: [{name: app, image: "app:v1", imageID: "", ready: true, restartCount: 0,
    state: {running: {startedAt: "2026-01-01T00:00:02Z"}}}], conditions: [{type: PodScheduled, status: "True"},
    {type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:05Z"}]`, 1
		node := fmt.Sprintf("nodeName: n%d, ", (3*i+p)%nodes)
		if p == 2 {
			status, revision = sick[i%len(sick)], 2
			if i%len(sick) == 2 {
				node = ""
			}
		}
		fmt.Fprintf(b, "- apiVersion: v1\n  kind: Pod\n  metadata: %s\n  spec: {%scontainers: [{name: app, image: \"app:v%d\"}]}\n"+
			"  status: {startTime: \"2026-01-01T00:00:01Z\", %s}\n",
			meta(fmt.Sprintf("%s-%d", name, p), fmt.Sprintf(", uid: p%d-%d, labels: {app: %s, controller-revision-hash: %[3]s-%[4]d}%s", i, p, name, revision, owner)),
			node, revision, status)
	}
}

// explainedMany explains a dump of so many stuck sets.
func explainedMany(t testing.TB, sets int) *Dumped { return begunMany(t, sets).All(nil) }

// begunMany begins to explain a dump of so many stuck sets.
func begunMany(t testing.TB, sets int) *Begun { return begunFrom(t, manyStuck(sets)) }

func begunFrom(t testing.TB, data []byte) *Begun {
	t.Helper()
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: data}}, dump.Options{})
	require.NoError(t, err)
	profile, err := statefulset.Lookup(d.Version())
	require.NoError(t, err)
	return Begin(d, &play.Lab{Profile: profile, World: d.Begin(sim.Config{Controller: statefulset.New(profile), API: profile.API()})}, "")
}

// TestManyIsLinear: twice as many stuck sets cost at most 2.3 times as many allocations.
func TestManyIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	cost := func(sets int) float64 {
		return testing.AllocsPerRun(1, func() { require.Len(t, explainedMany(t, sets).Sets, sets) })
	}
	few, many := cost(60), cost(120)
	require.Less(t, many, 2.3*few)
}

// TestNearSeesItself: what is passed on for a set has what the sets near it are stuck for, and not what all others are.
func TestNearSeesItself(t *testing.T) {
	begun := begunMany(t, 8)
	for _, set := range begun.Sets {
		near, events := begun.view.near(&set.of, begun.view.run)
		stuck := map[string]bool{}
		for _, s := range events[len(events)-1].Result.Stuck {
			stuck[s.Set.Name] = true
		}
		for _, s := range near.World.Start.Sets {
			require.True(t, stuck[s.Name])
			delete(stuck, s.Name)
		}
		require.Empty(t, stuck)
	}
}

// TestAGracePeriodOfCenturies: what a fix takes at most is never less than what it takes, however long pods may stop.
func TestAGracePeriodOfCenturies(t *testing.T) {
	bounded := 0
	for _, seconds := range []string{"9000000000", "9223372036", "4000000000"} {
		data := strings.ReplaceAll(string(manyStuck(4)), "spec: {containers", "spec: {terminationGracePeriodSeconds: "+seconds+", containers")
		for _, set := range begunFrom(t, []byte(data)).All(nil).Sets {
			for _, way := range set.WaysOut {
				require.GreaterOrEqual(t, way.Most, way.Way.Takes, way.Commands)
				if way.Most > way.Way.Takes {
					bounded++
					require.Greater(t, way.Most, 3_000_000_000*time.Second, way.Commands)
				}
			}
		}
	}
	require.Positive(t, bounded)
}

func BenchmarkMany(b *testing.B) {
	for b.Loop() {
		explainedMany(b, 2000)
	}
}
