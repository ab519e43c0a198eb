package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestARuleThatMatchesNothingIsTold: a typo in the pattern of a rule or of a fault is told at the end of the run, in
// the words of an expectation that checks nothing. A rule that can match says nothing, although the run may not get to
// its pod.
func TestARuleThatMatchesNothingIsTold(t *testing.T) {
	const steps = `
steps:
- create: {name: web, replicas: 3, image: "app:v1"}
- setImage: {image: "app:v2"}
`
	const kubelet = "rule 1 of the kubelet matches no pod: "
	for _, c := range []struct{ rule, told string }{
		{"kubelet: {rules: [{match: {pod: web-1, image: app-v2}, ready: never}]}",
			kubelet + "web never has the image app-v2: it has app:v1, app:v2"},
		{"kubelet: {rules: [{match: {pod: web1}, ready: never}]}", kubelet + "the run has no pod web1: it has web-0 to web-2"},
		{"kubelet: {rules: [{match: {ordinal: 5}, ready: never}]}",
			kubelet + "the run has no pod with the ordinal 5: it has web-0 to web-2"},
		{"kubelet: {rules: [{match: {statefulset: db}, ready: never}]}",
			kubelet + "the run has no StatefulSet db: it has default/web"},
		{"kubelet: {rules: [{match: {namespace: prod}, ready: never}]}",
			kubelet + "the run has no StatefulSet prod/*: it has default/web"},
		{"kubelet: {rules: [{match: {node: worker-*}, ready: never}]}",
			kubelet + "none of the pods was on a node worker-*: they were on node-1, node-2, node-3"},
		{"kubelet: {rules: [{match: {pod: web-1, nth: 3}, ready: never}]}",
			kubelet + "nth is 3, and no pod was created more than 2 times"},
		{"kubelet: {probes: true, rules: [{match: {container: sidecar}, healthy: 5s}]}",
			kubelet + "the pods have no container sidecar: they have app"},
		{"volumes: {rules: [{match: {claim: data-*}, bind: 4s}]}",
			"rule 1 of the volumes matches no claim: the run has no claims"},
		{"faults: [{pod: web-7 Ready, delete: pod/web-0}]",
			"fault 1 never happened: it waits for web-7 Ready: the run has no pod web-7: it has web-0 to web-2"},
		{"faults: [{pod: web-0 Failed, delete: pod/web-0}]", "fault 1 never happened: it waits for web-0 Failed"},
		{"faults: [{write: {verb: create, kind: pod, name: web-9}, error: Conflict}]",
			"fault 1 never happened: it waits for a write: create pod web-9"},

		{"kubelet: {rules: [{match: {pod: web-0}, ready: never}, {match: {pod: web-2}, ready: 3s}]}", ""},
		{"kubelet: {rules: [{match: {pod: web-1, nth: 2}, ready: 3s}, {match: {image: '*:v2'}, ready: 3s}]}", ""},
	} {
		s, err := scenario.Parse("s.yaml", []byte(c.rule+steps), nil, scenario.Options{})
		require.NoError(t, err, c.rule)
		var want []string
		if c.told != "" {
			want = []string{c.told}
		}
		require.Equal(t, want, s.Run(scenario.RunOptions{}).Result.Warnings, c.rule)
	}
}
