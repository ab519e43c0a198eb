package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// played plays a scenario.
func played(t *testing.T, text string) timeline.Event {
	s, err := scenario.Parse("test.yaml", []byte(text), nil, scenario.Options{Limits: strict.Limits{Events: 3000}})
	require.NoError(t, err)
	events := s.Run(scenario.RunOptions{}).Timeline
	return events[len(events)-1]
}

// inNamespace is a step that creates web with two pods in a namespace.
func inNamespace(name string) string {
	return "- at: 1s\n  apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web, namespace: " + name + "}, " +
		"spec: {serviceName: web, replicas: 2, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}}}\n"
}

// TestCycle: a run that does the same again and again ends after a few rounds, and says what it does; one that changes
// from round to round, because chance or a back-off plays a part, goes on, and so does one that is wanted until an
// instant.
func TestCycle(t *testing.T) {
	for _, test := range []struct {
		name, text string
		at         time.Duration
		message    string
	}{
		{"for ever", "kubelet: {rules: [{match: {pod: web-1}, fail: 5s}]}\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n",
			51 * time.Second, "it repeats itself every 6s, and never ends: web-1 is Running, Ready, Failed, Terminating, Gone, Pending; " +
				"--until plays it on to an instant"},
		{"until an instant", "until: 20m\nkubelet: {rules: [{match: {pod: web-1}, fail: 5s}]}\nsteps:\n" +
			"- create: {name: web, replicas: 3, image: \"app:v1\"}\n", 20 * time.Minute, ""},
		{"in two namespaces", "kubelet: {rules: [{match: {pod: web-1}, fail: 5s}]}\nsteps:\n" +
			inNamespace("b") + inNamespace("a"), 52 * time.Second,
			": a/web-1 is Running, Ready, Failed, Terminating, Gone, Pending, b/web-1 is Running, "},
		{"a fault to come", "kubelet: {rules: [{match: {pod: web-1}, fail: 5s}]}\nsteps:\n" +
			"- create: {name: web, replicas: 3, image: \"app:v1\"}\nfaults:\n- {at: 2m, delete: pod/web-2}\n", 0, "it repeats itself every 6s"},
		{"by chance", "kubelet: {rules: [{match: {pod: web-1}, fail: {uniform: [1s, 9s]}}]}\nsteps:\n" +
			"- create: {name: web, replicas: 3, image: \"app:v1\"}\n", 0, "events: --max-events raises the limit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			last := played(t, test.text)
			require.Equal(t, timeline.Limit, last.Result.Verdict)
			require.Contains(t, last.Message, test.message)
			if test.at > 0 {
				require.Equal(t, model.Time(test.at), last.T)
			} else {
				require.Greater(t, last.T, model.Time(2*time.Minute), "what is still to come is waited for")
			}
		})
	}
}

// TestCyclesWithoutAChooser: a run that is watched for cycles needs none, also where something is to be drawn.
func TestCyclesWithoutAChooser(t *testing.T) {
	config := plainConfig(t)
	config.Cycles = true
	config.Kubelet.Default.Ready = behaviour.Uniform(time.Second, 3*time.Second)
	require.Equal(t, timeline.Settled, ending(sim.New(config)).Result.Verdict)
}
