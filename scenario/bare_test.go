package scenario_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestBarePods: a condition sees the pods that no set owns: those of a deleted set, also while there is no set of that
// name (field report, question 36), those that somebody has made, and those that a set has released.
func TestBarePods(t *testing.T) {
	const text = `
steps:
  - create: {name: db, replicas: 2, image: "db:1"}
  - createPod: {name: lonely, image: "tool:1", labels: {app: tool}}
  - delete: statefulset/db
    cascade: orphan
  - create: {name: db, replicas: 2, image: "db:1"}
  - label: {pod: db-1, labels: {app: aside}}
expect:
  - check: {at: 1, that: "bare.size() == 0"}
  - check: {at: 2, that: "bare.map(p, p.name) == ['lonely'] && bare[0].image == 'tool:1'"}
  - check:
      at: 3
      that: "bare.map(p, p.name) == ['lonely', 'db-0', 'db-1'] && bare.all(p, p.serving && p.namespace == 'default')"
  - check: {at: 4, that: "bare.map(p, p.name) == ['lonely'] && pods.size() == 2"}
  - check: {at: settled, that: "bare.map(p, p.name) == ['lonely', 'db-1']"}
  - always: "bare.all(p, p.name != 'db-0' || p.serving)"
`
	s, err := scenario.Parse("bare.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	require.Empty(t, s.Run(scenario.RunOptions{}).Failed())
}

// TestBarePodsOfAnyName: a step may name a pod that an earlier one has created, whatever its name is.
func TestBarePodsOfAnyName(t *testing.T) {
	const text = `
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - createPod: {name: debug, labels: {app: web}, image: "tool:1"}
  - label: {pod: debug, labels: {app: other}}
  - createPod: {name: shell, image: "tool:1"}
  - evict: debug
  - delete: pod/shell
    when: {wait: pod/shell, for: condition=Ready}
expect:
  - check: {at: 4, that: "bare.map(p, p.name) == ['debug', 'shell']"}
  - check: {at: settled, that: "bare.size() == 0"}
`
	s, err := scenario.Parse("bare.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	require.Empty(t, s.Run(scenario.RunOptions{}).Failed())
}

// TestLabelsOfBarePods: a condition sees the labels of the pods that no set owns as they are at that instant, whoever
// has given them: the step that has created the pod, the template of the set that it came from, or a dump.
func TestLabelsOfBarePods(t *testing.T) {
	const text = `
start: dump.yaml
steps:
  - createPod: {name: tool, image: "tool:1", labels: {app: tool, team: a}}
  - label: {pod: tool, labels: {team: null, tier: back}}
  - create: {name: db, replicas: 2, image: "db:1"}
  - label: {pod: db-1, labels: {app: aside}}
  - delete: pod/tool
  - createPod: {name: tool, image: "tool:1"}
  - label: {pod: db-7, labels: {app: none}}
faults:
  - {pod: "tool Ready", times: always, label: {pod: tool, labels: {seen: "yes"}}}
kubelet: {start: 1s, ready: 1s, stop: 1s}
expect:
  - check: {at: 1, that: "bare.map(p, p.name) == ['lonely', 'tool'] && bare[0].labels == {'app': 'lonely'}"}
  - check: {at: 1, that: "bare[1].labels == {'app': 'tool', 'team': 'a'}"}
  - check: {at: 2, that: "bare[1].labels == {'app': 'tool', 'tier': 'back', 'seen': 'yes'}"}
  - check: {at: 4, that: "bare.exists(p, p.name == 'db-1' && p.labels['app'] == 'aside' && size(p.labels) == 4)"}
  - check: {at: 6, that: "bare.exists_one(p, p.name == 'tool' && p.labels.size() == 0)"}
  - check: {at: settled, that: "bare.exists_one(p, p.name == 'tool' && p.labels == {'seen': 'yes'})"}
`
	const dump = `{apiVersion: v1, kind: Pod, metadata: {name: lonely, namespace: default, uid: u, creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: lonely}},
  spec: {nodeName: n, containers: [{name: c, image: "c:1"}]}, status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}
`
	s, err := scenario.Parse("bare.yaml", []byte(text), fstest.MapFS{"dump.yaml": {Data: []byte(dump)}}, scenario.Options{})
	require.NoError(t, err)
	o := s.Run(scenario.RunOptions{})
	for _, v := range o.Failed() {
		t.Error(v.Position(), v.Detail)
	}

	_, problems := expect.Load("s.yaml", []byte("- check: {at: settled, that: \"bare[0].labels.size() == 0\"}\n"), strict.Limits{}, o.Timeline)
	require.EqualError(t, problems.Err(), "s.yaml:1:30: the labels of pods that no StatefulSet owns are not in a timeline: "+
		"ask for them in the expectations of a scenario, which sim run and sim test play")
}
