package scenario_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// liveSet is a set as kubectl prints it, liveNode a node of some version.
const (
	liveSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: shop, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {replicas: 1, serviceName: web, podManagementPolicy: OrderedReady, selector: {matchLabels: {app: web}}, revisionHistoryLimit: 10,
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}},
  template: {metadata: {labels: {app: web}}, spec: {initContainers: [{name: init, image: "init:1"}], containers: [{name: app, image: "app:v1"}]}}}
status: {observedGeneration: 1, replicas: 0, currentRevision: web-1, updateRevision: web-1}
`
	liveNode = "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n" +
		"status: {conditions: [{type: Ready, status: \"True\"}], nodeInfo: {kubeletVersion: v1.33.0}}\n"
)

// TestOnlyTheRunIsWritten: the worlds that are asked beforehand what the dump means are in no timeline.
func TestOnlyTheRunIsWritten(t *testing.T) {
	files := fstest.MapFS{"web.yaml": {Data: []byte(liveSet)}}
	s, err := scenario.Parse("s.yaml", []byte("start: web.yaml\nsteps: [{scale: {replicas: 2}}]\n"), files, scenario.Options{})
	require.NoError(t, err)
	for _, noHistory := range []bool{false, true} {
		var headers int
		s.Run(scenario.RunOptions{NoHistory: noHistory, Written: func(events []timeline.Event) {
			for _, e := range events {
				if e.Kind == timeline.KindRun {
					headers++
				}
			}
		}})
		require.Equal(t, 1, headers)
	}
}

// TestStartOfADump: a scenario that begins with a dump acts in the namespace of its sets, if that is one, and plays the version
// of its nodes, unless the scenario or an option names another.
func TestStartOfADump(t *testing.T) {
	files := fstest.MapFS{
		"web.yaml":  {Data: []byte(liveSet)},
		"db.yaml":   {Data: []byte(strings.NewReplacer("name: web", "name: db", "uid: s", "uid: d", "app: web", "app: db").Replace(liveSet))},
		"mq.yaml":   {Data: []byte(strings.NewReplacer("name: web", "name: mq", "uid: s", "uid: m", "namespace: shop", "namespace: bus").Replace(liveSet))},
		"bus.yaml":  {Data: []byte(strings.NewReplacer("uid: s", "uid: m", "namespace: shop", "namespace: bus").Replace(liveSet))},
		"node.yaml": {Data: []byte(liveNode)},
	}
	for _, c := range []struct {
		name, text, option string
		// version is the minor version that is played; problem is in what is wrong.
		version, problem string
	}{
		{"one file", "start: web.yaml\nsteps: [{scale: {replicas: 2}}]", "", "1.37", ""},
		{"two files", "start: [web.yaml, db.yaml]\nsteps: [{scale: {statefulset: db, replicas: 2}}]", "", "1.37", ""},
		{"two sets, of which none is named", "start: [web.yaml, db.yaml]\nsteps: [{scale: {replicas: 2}}]", "", "", "s.yaml:2:10: scale does not name its statefulset: name one of shop/db, shop/web"},
		{"two namespaces", "start: [web.yaml, mq.yaml]\nsteps: [{scale: {statefulset: mq, replicas: 2}, namespace: bus}]", "", "1.37", ""},
		{"two namespaces, of which one has the name", "start: [web.yaml, mq.yaml]\nsteps: [{scale: {statefulset: mq, replicas: 2}}]", "", "1.37", ""},
		{"two namespaces that both have the name", "start: [web.yaml, bus.yaml]\nsteps: [{scale: {statefulset: web, replicas: 2}}]", "", "", "s.yaml:2:31: there is no StatefulSet default/web at this step: it is in the namespaces bus, shop: add namespace: bus or namespace: shop"},
		{"nodes of a version", "start: [web.yaml, node.yaml]\nsteps: [{scale: {replicas: 2}}]", "", "1.33", ""},
		{"nodes of a version, and a gate of it", "start: [web.yaml, node.yaml]\nfeatureGates: {PodIndexLabel: true}\nsteps: [{scale: {replicas: 2}}]", "", "1.33", ""},
		{"nodes of a version, and a gate of another", "start: [web.yaml, node.yaml]\nfeatureGates: {StatefulSetRecreateStrategy: true}\nsteps: [{scale: {replicas: 2}}]", "", "", "s.yaml:2:16: feature gate StatefulSetRecreateStrategy is not known in Kubernetes 1.33"},
		{"a scenario that names another", "kubernetes: \"1.36\"\nstart: [web.yaml, node.yaml]\nsteps: [{scale: {replicas: 2}}]", "", "1.36", ""},
		{"an option that names another", "start: [web.yaml, node.yaml]\nsteps: [{scale: {replicas: 2}}]", "1.35", "1.35", ""},
		{"no file", "start: []\nsteps: [{scale: {replicas: 2}}]", "", "", "s.yaml:1:8: start names no file: write the path of a dump"},
		{"a file that is not there", "start: none.yaml\nsteps: [{scale: {replicas: 2}}]", "", "", "s.yaml:1:8: the dump none.yaml cannot be read: "},
		{"no path", "start: [{a: b}]\nsteps: [{scale: {replicas: 2}}]", "", "", "s.yaml:1:9: start "},
		{"a container of the dump", "kubelet: {probes: true}\nstart: web.yaml\nsteps: [{after: 10s, crash: {pod: web-0, container: init}}]", "", "1.37", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text+"\n"), files, scenario.Options{Kubernetes: c.option})
			if c.problem != "" {
				require.ErrorContains(t, err, c.problem)
				return
			}
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(s.Profile.Version(), c.version), s.Profile.Version())
			require.NotEqual(t, timeline.WasRefused, s.Run(scenario.RunOptions{}).Result.Verdict)
		})
	}
	_, err := scenario.Parse("s.yaml", []byte("start: web.yaml\nsteps: [{scale: {replicas: 2}}]\n"), nil, scenario.Options{})
	require.ErrorContains(t, err, "s.yaml:1:8: the dump web.yaml cannot be read: a scenario that is not a file has no folder to look in")
}

// TestWithoutAHistory: of a run that keeps no history there are the header, the steps and the result, and what happened
// is handed on as it does.
func TestWithoutAHistory(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("steps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n- scale: {replicas: 2}\n"), nil, scenario.Options{})
	require.NoError(t, err)
	require.Nil(t, s.NeedsHistory())
	whole := s.Run(scenario.RunOptions{})
	var written []timeline.Event
	outline := s.Run(scenario.RunOptions{NoHistory: true, Written: func(events []timeline.Event) { written = append(written, events...) }})
	require.Equal(t, timeline.Digest(whole.Timeline), timeline.Digest(written))
	var kinds []timeline.Kind
	for _, e := range outline.Timeline {
		kinds = append(kinds, e.Kind)
	}
	require.Equal(t, []timeline.Kind{timeline.KindRun, timeline.KindStep, timeline.KindStep, timeline.KindResult}, kinds)
	require.Len(t, s.Run(scenario.RunOptions{NoHistory: true}).Timeline, 4)

	s, err = scenario.Parse("s.yaml", []byte("steps:\n- create: {name: web, image: \"app:v1\"}\nexpect:\n- completes: {}\n"), nil, scenario.Options{})
	require.NoError(t, err)
	require.Same(t, s.Expectations[0], s.NeedsHistory())
}
