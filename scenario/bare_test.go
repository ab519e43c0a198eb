package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
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
