package scenario_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/sim"
)

// trap is a set in the trap of the reverted image, as kubectl prints it.
func trap(t *testing.T) []byte {
	t.Helper()
	s, err := scenario.Parse("s.yaml", []byte(`kubelet: {rules: [{match: {image: "app:v2"}, ready: never}]}
steps:
- create: {name: web, replicas: 3, image: "app:v1"}
- setImage: {image: "app:v2"}
- undo: web
`), nil, scenario.Options{})
	require.NoError(t, err)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	var printed bytes.Buffer
	epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, printing.Print(&printed, world.State(), epoch))
	return printed.Bytes()
}

// TestStart begins runs with the trap of the reverted image: it stays shut until somebody deletes the pod.
func TestStart(t *testing.T) {
	dir := fstest.MapFS{"live.yaml": {Data: trap(t)}}
	for name, c := range map[string]struct {
		steps string
		held  bool
	}{
		"nobody does anything": {"expect: [{ends: stuck}, {stuck: {pod: web-2, reason: WaitingForReady}}]\n", true},
		"a restart":            {"steps: [restart: web]\nexpect: [{stuck: {pod: web-2}}]\n", true},
		"the pod is deleted":   {"steps: [delete: pod/web-2]\nexpect: [{completes: {within: 1m}}]\n", true},
		"it is not whole":      {"expect: [{check: {that: serving == 3}}]\n", false},
	} {
		s, err := scenario.Parse("s.yaml", []byte("start: live.yaml\n"+c.steps), dir, scenario.Options{})
		require.NoError(t, err, name)
		require.Equal(t, c.held, s.Run(scenario.RunOptions{}).Held(), name)
	}
	_, err := scenario.Parse("s.yaml", []byte("start: none.yaml\n"), dir, scenario.Options{})
	require.ErrorContains(t, err, "s.yaml:1:8: the dump none.yaml cannot be read: there is no such file")
}

// TestStartSaysWhatItAssumes: a run that begins with a dump says what it assumes because the dump does not show it, and
// of a pod that crashes that it is Ready between its crashes.
func TestStartSaysWhatItAssumes(t *testing.T) {
	data := oncall.Of("crash-loop-that-serves")
	without, _, _ := bytes.Cut(data, []byte("- {apiVersion: v1, kind: Node,"))
	dir := fstest.MapFS{"live.yaml": {Data: data}, "nodeless.yaml": {Data: without}}
	crashes := "s.yaml:1:8: start: Assumed: web-2 becomes Ready when its container starts again, and crashes again, as in the " +
		"last run of the container"
	s, err := scenario.Parse("s.yaml", []byte("start: live.yaml\n"), dir, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{crashes}, s.Warnings)
	s, err = scenario.Parse("s.yaml", []byte("start: nodeless.yaml\n"), dir, scenario.Options{})
	require.NoError(t, err)
	require.Contains(t, s.Warnings, "s.yaml:1:8: start: There are no Nodes in the dump. Assumed: all are Ready, except where a pod shows otherwise")
}

// TestStartBetweenCrashes: a pod of the dump that was Ready in the last run of a container that crashes is so again in the
// run when its back-off is over, crashes again, and lets a rollout pass meanwhile. One that never was stays not Ready.
func TestStartBetweenCrashes(t *testing.T) {
	for file, expect := range map[string]string{
		"crash-loop-that-serves":               "order: [web-2@2 Ready, web-2@2 Terminating, web-2@3 Ready, web-1@1 Terminating]",
		"crash-loop-of-an-old-pod-that-serves": "order: [web-1 Ready, web-1 Unready, web-1 Ready]",
		"crash-loop-that-never-serves":         "never: web-2 Ready",
	} {
		data := oncall.Of(file)
		text := "start: live.yaml\nsteps: [{at: 1s, restart: web}]\nuntil: 1h\nexpect: [{" + expect + "}]\n"
		s, err := scenario.Parse("s.yaml", []byte(text), fstest.MapFS{"live.yaml": {Data: data}}, scenario.Options{})
		require.NoError(t, err)
		require.Empty(t, s.Run(scenario.RunOptions{}).Failed(), file)
	}
}

// restored is a pod of which one init container has completed, after which a sidecar has started; a second one runs.
const restored = `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: db, namespace: default, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
  spec:
    replicas: 1
    serviceName: db
    selector: {matchLabels: {app: db}}
    template:
      metadata: {labels: {app: db}}
      spec:
        initContainers:
        - {name: restore, image: "db:1"}
        - {name: proxy, image: "proxy:1", restartPolicy: Always}
        - {name: migrate, image: "db:1"}
        containers: [{name: app, image: "db:1"}]
  status: {observedGeneration: 1, replicas: 1, currentRevision: db-1, updateRevision: db-1}
- apiVersion: v1
  kind: Pod
  metadata:
    {name: db-0, namespace: default, uid: p, creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: db,
      controller-revision-hash: db-1, statefulset.kubernetes.io/pod-name: db-0, apps.kubernetes.io/pod-index: "0"},
      ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: s, controller: true}]}
  spec:
    nodeName: node-1
    initContainers: [{name: restore, image: "db:1"}, {name: proxy, image: "proxy:1", restartPolicy: Always},
      {name: migrate, image: "db:1"}]
    containers: [{name: app, image: "db:1"}]
  status:
    phase: Pending
    startTime: "2026-01-01T00:00:01Z"
    conditions: [{type: PodReadyToStartContainers, status: "True"}, {type: Initialized, status: "False"},
      {type: Ready, status: "False"}, {type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]
    initContainerStatuses:
    - {name: restore, ready: true, started: false, state: {terminated: {exitCode: 0, reason: Completed,
        startedAt: "2026-01-01T00:00:02Z", finishedAt: "2026-01-01T00:00:42Z"}}}
    - {name: proxy, ready: true, started: true, state: {running: {startedAt: "2026-01-01T00:00:42Z"}}}
    - {name: migrate, ready: false, started: true, state: {running: {startedAt: "2026-01-01T00:00:43Z"}}}
    containerStatuses: [{name: app, ready: false, started: false, state: {waiting: {reason: PodInitializing}}}]
- {apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, type: Normal, reason: Started, message: Container started,
    lastTimestamp: "2026-01-01T00:00:53Z", involvedObject: {kind: Pod, namespace: default, name: db-0}}
`

// TestStartAfterInitContainers: an init container of a pod of the dump that has completed does not run again, unless the
// sandbox of the pod is lost: the dump says so, or its node is off for a while. One that runs ends when it would have
// ended.
func TestStartAfterInitContainers(t *testing.T) {
	for name, c := range map[string]struct{ old, new, steps, expect string }{
		"one has completed": {"", "", "", "eventually: serving == 1, within: 30s}, {check: {at: 29s, that: serving == 0}"},
		"the sandbox is lost": {`PodReadyToStartContainers, status: "True"`, `PodReadyToStartContainers, status: "False"`, "",
			"check: {at: 79s, that: serving == 0}}, {eventually: serving == 1, within: 80s"},
		"the node is off": {"", "", "steps: [{at: 10s, nodeDown: {node: node-1, off: true}}, {at: 20s, nodeUp: node-1}]\n",
			"check: {at: 100s, that: serving == 0}}, {eventually: serving == 1, within: 101s"},
	} {
		data := []byte(strings.Replace(restored, c.old, c.new, 1))
		text := "start: live.yaml\nkubelet: {probes: true, init: 40s}\n" + c.steps + "expect: [{" + c.expect + "}]\n"
		s, err := scenario.Parse("s.yaml", []byte(text), fstest.MapFS{"live.yaml": {Data: data}}, scenario.Options{})
		require.NoError(t, err, name)
		require.Empty(t, s.Run(scenario.RunOptions{}).Failed(), name)
	}
}

// TestStartNodes: steps name the nodes of the dump, and a scenario cannot have others; their times it can.
func TestStartNodes(t *testing.T) {
	node := "---\n{apiVersion: v1, kind: Node, metadata: {name: ip-10-0-0-7}, status: {conditions: [{type: Ready, status: \"True\"}]}}\n"
	dir := fstest.MapFS{"live.yaml": {Data: trap(t)}, "node.yaml": {Data: []byte(node)}}
	read := func(text string) (*scenario.Scenario, error) {
		return scenario.Parse("s.yaml", []byte("start: [live.yaml, node.yaml]\n"+text), dir, scenario.Options{})
	}
	s, err := read("nodes: {monitorGrace: 20s}\nsteps: [{delete: pod/web-2}, {drain: ip-10-0-0-7}]\nexpect: [drained: ip-10-0-0-7]\n")
	require.NoError(t, err)
	require.Empty(t, s.Warnings)
	require.True(t, s.Run(scenario.RunOptions{}).Held())
	_, err = read("steps: [{cordon: node-9}]\n")
	require.ErrorContains(t, err, "s.yaml:2:18: there is no node node-9: the nodes are ip-10-0-0-7, node-1, node-2, node-3")
	for _, nodes := range []string{"9", "[node-9]", "{count: 9}"} {
		s, err = read("nodes: " + nodes + "\n")
		require.NoError(t, err)
		require.Equal(t, []string{
			"s.yaml:2:8: nodes: the run has the nodes of the dump instead: only monitorGrace and toleration have an effect",
		}, s.Warnings)
	}
}

// TestStartOnATaintedNode begins with a node whose taint NoExecute is 100s old, so its pod is evicted when it has tolerated
// that for long enough: 300s by default. Where the kubelet says itself that the node is not Ready, the taint is another
// one, which the pod tolerates for 400s, and the pod ends.
func TestStartOnATaintedNode(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte(`steps:
- create: {name: web, replicas: 1, image: "app:v1"}
- patch:
    spec: {template: {spec: {tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 400}]}}}
`), nil, scenario.Options{})
	require.NoError(t, err)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	for _, c := range []struct {
		silent bool
		after  int
		taint  string
		expect string
	}{
		{true, 200, "node.kubernetes.io/unreachable", "exactly: {is: [web-0 Ready, web-0 Terminating]}\n- ends: stuck"},
		{false, 300, "node.kubernetes.io/not-ready", "exactly: {is: [web-0 Ready, web-0 Terminating, web-0 Gone, web-0 Pending, web-0 Running, web-0 Ready]}"},
	} {
		state := world.State()
		n := &state.Nodes[0]
		n.Down, n.NotReady, n.Unreachable, n.Tainted = c.silent, true, true, -model.Time(100*time.Second)
		var printed bytes.Buffer
		require.NoError(t, printing.Print(&printed, state, time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)))
		require.Contains(t, printed.String(), "key: "+c.taint)
		s, err := scenario.Parse("s.yaml", []byte("start: live.yaml\nexpect:\n"+
			"- check: {at: "+strconv.Itoa(c.after-1)+"s, that: '!pods[0].terminating'}\n"+
			"- check: {at: "+strconv.Itoa(c.after)+"s, that: 'pods[0].terminating'}\n- "+c.expect+"\n"),
			fstest.MapFS{"live.yaml": {Data: printed.Bytes()}}, scenario.Options{})
		require.NoError(t, err)
		outcome := s.Run(scenario.RunOptions{})
		require.True(t, outcome.Held(), "%s: %v", c.taint, outcome.Failed())
	}
}
