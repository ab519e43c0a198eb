package expect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestBudgetOfOne: a budget of a single pod is judged as one of many is.
func TestBudgetOfOne(t *testing.T) {
	const text = `
steps:
- create: {name: web, replicas: 1, image: "a:1"}
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}
`
	for more, held := range map[string]bool{"expect: [{budget: web}]\n": true, "- delete: pod/web-0\nexpect: [{budget: web}]\n": false} {
		s, err := scenario.Parse("s.yaml", []byte(text+more), nil, scenario.Options{})
		require.NoError(t, err)
		outcome := s.Run(scenario.RunOptions{})
		require.Equal(t, held, outcome.Held(), "%s%v", more, outcome.Failed())
	}
}

// TestReadinessOfTheTime: nothing would say when a readiness that depends on the time is to be evaluated again.
func TestReadinessOfTheTime(t *testing.T) {
	for condition, wrong := range map[string]bool{"now > 3": true, "pods.exists(p, p.age > 3)": true, "pods.exists(p, p.up)": false} {
		text := "kubelet: {ready: {after: 1s, when: \"" + condition + "\"}}\nsteps:\n- create: {name: web, replicas: 1, image: \"a:1\"}\n"
		_, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
		if wrong {
			require.ErrorContains(t, err, "a readiness cannot depend on the time")
		} else {
			require.NoError(t, err)
		}
	}
}

// TestWhatFails: the sentences of what did not hold say what was there instead.
func TestWhatFails(t *testing.T) {
	for _, c := range []struct{ what, text, says string }{
		{
			"a pod that is condemned is not one of those that are wanted",
			`
faults:
- {write: {kind: pod, verb: create, name: web-0, nth: 2}, error: Forbidden, times: always}
kubelet: {rules: [{match: {pod: web-1}, stop: never}]}
until: 1h
steps:
- create: {name: web, replicas: 2, image: "a:1", podManagementPolicy: Parallel}
- {name: down, scale: {replicas: 1}}
- {after: 1s, delete: pod/web-0}
expect: [{completes: {since: down, within: 9s}}]
`,
			"0 of 1 pods; condemned: web-1",
		},
		{
			"what has happened just before is found",
			`
steps:
- create: {name: web, replicas: 2, image: "a:1", podManagementPolicy: Parallel}
expect: [{order: ["web-1 Ready", "web-0 Ready"]}]
`,
			"it happened before that, at 3s",
		},
		{
			"a condition about outdated pods is evaluated again when a template changes",
			`
steps:
- create: {name: web, replicas: 2, image: "a:1", updateStrategy: {type: OnDelete}}
- setImage: {image: "a:2"}
expect: [{always: "outdated == 0"}]
`,
			"outdated = 2",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			failed := s.Run(scenario.RunOptions{}).Failed()
			require.Len(t, failed, 1)
			require.Contains(t, failed[0].Detail, c.says)
		})
	}
}
