package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// mostGrowth is how many times as much twice the input may cost.
const mostGrowth = 2.3

// growing are commands whose input can be of any size, each with a size that is large enough to tell.
// docs/performance.md has a row for each.
var growing = []struct {
	what string
	n    int
	// write writes the files of an input of size n into the working directory, which is empty.
	write func(t *testing.T, n int)
	args  string
}{
	{"a run with a budget, one replica after the other", 300, runOf(oneBudget, "OrderedReady"), "run -o table in.yaml"},
	{"a run with a budget, all replicas at once", 300, runOf(oneBudget, "Parallel"), "run -o table in.yaml"},
	{"a set that is deleted and leaves its budget", 300, runOf(deletedSet, "OrderedReady"), "run -o table in.yaml"},
	{"a plan of many sets as text", 20, changedSets, "plan old.yaml new.yaml"},
	{"a plan of many sets as a page", 20, changedSets, "plan -o html old.yaml new.yaml"},
	{"a plan of a dump with many stuck sets as text", 20, stuckSets, "plan old.yaml new.yaml"},
	{"a plan of a dump with many stuck sets as a page", 100, stuckSets, "plan -o html old.yaml new.yaml"},
	{"an explanation of many stuck sets as text", 50, stuckSets, "explain old.yaml"},
	{"an explanation of many stuck sets as a page", 50, stuckSets, "explain -o html old.yaml"},
	{"an explanation of many stuck sets as JSON", 50, stuckSets, "explain -o json old.yaml"},
	{"a page of a run", 300, runOf(oneBudget, "OrderedReady"), "run -o html in.yaml"},
	{"the JSON of a run", 300, runOf(oneBudget, "Parallel"), "run -o json in.yaml"},
	{"a run of many sets, each with a budget and a Service", 200, manySets, "run -o table in.yaml"},
	{"a fleet of sets that are created one after the other", 200, fleet, "run -o table in.yaml"},
	{"a fleet on nodes, whose sets are replaced and deleted", 100, replacedFleet, "run -o table in.yaml"},
	{"a drain that a budget holds up", 150, drained(""), "run -o table in.yaml"},
	{"a drain of pods that ask for room", 150, drained("room"), "run -o table in.yaml"},
	{"conditions over all pods, the one within the other", 6, nested, "run -o table in.yaml"},
}

// TestGrowth counts what the commands allocate with an input of one size, and of twice the size.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	for _, c := range growing {
		t.Run(c.what, func(t *testing.T) {
			allocs, bytes := costOf(t, c.n, c.write, c.args)
			twiceAllocs, twiceBytes := costOf(t, 2*c.n, c.write, c.args)
			t.Logf("%.2f times the allocations, %.2f times the bytes", twiceAllocs/allocs, twiceBytes/bytes)
			require.LessOrEqual(t, twiceAllocs, mostGrowth*allocs, "allocations")
			require.LessOrEqual(t, twiceBytes, mostGrowth*bytes, "bytes")
		})
	}
}

// costOf returns what a command allocates with an input of size n, without what it allocates with the smallest input.
func costOf(t *testing.T, n int, write func(*testing.T, int), args string) (allocs, bytes float64) {
	count := func(n int) (allocs, bytes float64) {
		t.Chdir(t.TempDir())
		write(t, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, _, err := call(t, command.Simulator, "", strings.Fields(args)...)
		runtime.ReadMemStats(&after)
		require.Less(t, code, cli.ExitUsage, err)
		return float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)
	}
	count(1)
	baseAllocs, baseBytes := count(1)
	allocs, bytes = count(n)
	return allocs - baseAllocs, bytes - baseBytes
}

// runOf returns what writes a scenario of one set with n replicas.
func runOf(scenario func(n int, policy string) string, policy string) func(*testing.T, int) {
	return func(t *testing.T, n int) {
		require.NoError(t, os.WriteFile("in.yaml", []byte(scenario(n, policy)), 0o600))
	}
}

const growingBudget = `
  - apply: {kind: PodDisruptionBudget, apiVersion: policy/v1, metadata: {name: web},
      spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}}`

func oneBudget(n int, policy string) string {
	return fmt.Sprintf("steps:\n  - create: {name: web, replicas: %d, image: \"app:v1\", podManagementPolicy: %s}", n, policy) +
		growingBudget + "\n  - setImage: {image: \"app:v2\"}\n"
}

func deletedSet(n int, policy string) string {
	return oneBudget(n, policy) + "  - delete: statefulset/web\n" +
		"kubelet: {stop: {uniform: [1s, 100s]}}\n"
}

// manySets writes a scenario of n sets in one namespace. Their pods become Ready at different instants.
func manySets(t *testing.T, n int) {
	var b strings.Builder
	b.WriteString("kubelet: {start: {uniform: [1s, 100s]}}\nsteps:\n  - apply:\n")
	for i := range n {
		fmt.Fprintf(&b, `      - {kind: StatefulSet, apiVersion: apps/v1, metadata: {name: web%d},
          spec: {replicas: 2, serviceName: web%[1]d, selector: {matchLabels: {release: web, app: web%[1]d}},
            template: {metadata: {labels: {release: web, app: web%[1]d}}, spec: {containers: [{name: c, image: "app:v1"}]}}}}
      - {kind: PodDisruptionBudget, apiVersion: policy/v1, metadata: {name: web%[1]d},
          spec: {maxUnavailable: 1, selector: {matchLabels: {release: web, app: web%[1]d}}}}
      - {kind: Service, apiVersion: v1, metadata: {name: web%[1]d},
          spec: {clusterIP: None, selector: {release: web, app: web%[1]d}}}
`, i)
	}
	require.NoError(t, os.WriteFile("in.yaml", []byte(b.String()), 0o600))
}

// fleet writes a scenario that creates n sets, each in a step of its own.
func fleet(t *testing.T, n int) {
	require.NoError(t, os.WriteFile("in.yaml", []byte("steps:\n"+eachSet(n, `  - create: {name: web%d, image: "app:v1"}`)), 0o600))
}

// replacedFleet writes a scenario of n sets on four nodes: all are created, deleted without their pods, created again
// and deleted.
func replacedFleet(t *testing.T, n int) {
	const create = `  - apply: {kind: StatefulSet, apiVersion: apps/v1, metadata: {name: web%d}, spec: {replicas: 2, serviceName: web,
      selector: {matchLabels: {app: web%[1]d}}, template: {metadata: {labels: {app: web%[1]d}},
        spec: {containers: [{name: c, image: "app:v1", resources: {requests: {cpu: 100m}}}]}}}}`
	text := "nodes:\n" + eachSet(4, `  - {name: n%d, allocatable: {cpu: "1000", pods: "100000"}}`) + "steps:\n" +
		eachSet(n, create) + eachSet(n, "  - {delete: statefulset/web%d, cascade: orphan}") +
		eachSet(n, create) + eachSet(n, "  - delete: statefulset/web%d")
	require.NoError(t, os.WriteFile("in.yaml", []byte(text), 0o600))
}

// drained returns what writes a scenario of a set with n replicas on two nodes. One is drained, as fast as a budget
// lets it. The pods may ask for room.
func drained(room string) func(*testing.T, int) {
	return func(t *testing.T, n int) {
		spec := ""
		if room != "" {
			spec = ", resources: {requests: {cpu: 10m, memory: 1Mi}}, ports: [{containerPort: 80}]"
		}
		text := "nodes:\n" + eachSet(2, `  - {name: n%d, allocatable: {cpu: "1000", memory: 1Ti, pods: "100000"}}`) + "steps:" +
			fmt.Sprintf(`
  - apply: {kind: StatefulSet, apiVersion: apps/v1, metadata: {name: web}, spec: {replicas: %d, serviceName: web, podManagementPolicy: Parallel,
      selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "app:v1"%s}]}}}}`, n, spec) +
			growingBudget + "\n  - drain: n0\n"
		require.NoError(t, os.WriteFile("in.yaml", []byte(text), 0o600))
	}
}

// nested writes a scenario whose condition asks for pods that have others beside them, n deep.
func nested(t *testing.T, n int) {
	condition := "true"
	for i := range n {
		condition = fmt.Sprintf("pods.exists(p%d, p%[1]d.ready && %s)", i, condition)
	}
	require.NoError(t, os.WriteFile("in.yaml", []byte(fmt.Sprintf(`steps:
  - create: {name: web, replicas: 20, image: "app:v1"}
  - setImage: {image: "app:v2"}
expect: [{always: "serving == 0 || %s"}]
`, condition)), 0o600))
}

// eachSet repeats a line for n sets.
func eachSet(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

// changedSets writes n sets and a new image for each. No two are alike.
func changedSets(t *testing.T, n int) {
	for file, image := range map[string]string{"old.yaml": "app:v1", "new.yaml": "app:v2"} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `---
{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: web%d}, spec: {replicas: 3, serviceName: web%[1]d,
  selector: {matchLabels: {app: web%[1]d}}, template: {metadata: {labels: {app: web%[1]d}},
    spec: {terminationGracePeriodSeconds: %[2]d, containers: [{name: c, image: "%[3]s"}]}}}}
`, i, 10+i, image)
		}
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	}
}

// stuckSets writes a dump of n sets whose pods cannot pull their images, each another one, and a new image for each.
func stuckSets(t *testing.T, n int) {
	changedSets(t, n)
	text, err := os.ReadFile("old.yaml")
	require.NoError(t, err)
	const server = `, uid: "%s", creationTimestamp: "2026-01-01T00:00:00Z"}, spec`
	var b strings.Builder
	for i, set := range strings.Split(string(text), "---\n")[1:] {
		set = strings.ReplaceAll(set, "app:v1", fmt.Sprintf("app:bad-%d", i))
		b.WriteString("---\n" + strings.Replace(set, "}, spec", fmt.Sprintf(server, fmt.Sprintf("set-%d", i)), 1))
		for pod := range 3 {
			fmt.Fprintf(&b, `---
{apiVersion: v1, kind: Pod, metadata: {name: web%d-%d, labels: {app: web%[1]d}, uid: "%[1]d-%[2]d",
    creationTimestamp: "2026-01-01T00:00:00Z",
    ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web%[1]d, uid: "set-%[1]d", controller: true}]},
  spec: {nodeName: n1, terminationGracePeriodSeconds: %[3]d, containers: [{name: c, image: "app:bad-%[1]d"}]},
  status: {phase: Pending, startTime: "2026-01-01T00:00:00Z", containerStatuses: [
    {name: c, image: "app:bad-%[1]d", ready: false, restartCount: 0, state: {waiting: {reason: ImagePullBackOff}}}]}}
`, i, pod, 10+i)
		}
	}
	require.NoError(t, os.WriteFile("old.yaml", []byte(b.String()), 0o600))
}
