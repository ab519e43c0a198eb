package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// resizable has two pods that ask for half a CPU each. A changed request for memory starts the container again.
const resizable = `until: 5m
nodes: [{name: n1, allocatable: {cpu: "1500m", pods: 10}}]
kubelet: {probes: true}
steps:
- create:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: web}
    spec:
      replicas: 2
      serviceName: web
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          containers:
          - {name: app, image: "app:v1", resources: {requests: {cpu: 500m, memory: 1Gi}},
             resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}]}
`

// resized plays steps after the creation, and returns the end of the world, how often a pod was not Ready, and the refusals.
func resized(t *testing.T, version, steps string) (world *sim.World, unready int, refused []string) {
	t.Helper()
	s, err := scenario.Parse("s.yaml", []byte("kubernetes: \""+version+"\"\n"+resizable+steps), nil, scenario.Options{})
	require.NoError(t, err)
	world = sim.New(s.Config(scenario.RunOptions{}))
	for _, e := range world.Run(s.Steps) {
		switch {
		case e.Kind == timeline.KindPod && e.State == timeline.Unready:
			unready++
		case e.Kind == timeline.KindStep && e.Step.Refusal != "":
			refused = append(refused, e.Step.Refusal)
		}
	}
	return world, unready, refused
}

// TestResize: a pod that is resized keeps what it got until it is gone, and the scheduler counts it. A new pod has the
// resources of its template again. The container starts again if its resizePolicy says so.
func TestResize(t *testing.T) {
	const (
		toOne  = "- resize: {pod: web-0, requests: {cpu: 1}}\n"
		third  = "- scale: {statefulset: web, replicas: 3}\n"
		gone   = "- delete: pod/web-0\n"
		memory = "- resize: {pod: web-0, requests: {memory: 2Gi}}\n"
	)
	for _, c := range []struct {
		name, version, steps string
		// cpu is what web-0 asks for at the end, pending whether web-2 has no node; unready how often a pod was not Ready.
		cpu     string
		pending bool
		unready int
		refused string
	}{
		{"resized", "1.37", toOne, "1", false, 0, ""},
		{"resized, and no room for another pod", "1.37", toOne + third, "1", true, 0, ""},
		{"not resized", "1.37", third, "500m", false, 0, ""},
		{"lost with the pod", "1.37", toOne + gone + third, "500m", false, 0, ""},
		{"the container starts again", "1.37", memory, "500m", false, 1, ""},
		{"before 1.33", "1.32", toOne, "500m", false, 0, "the server could not find the requested resource"},
		{"another QoS class", "1.37", "- resize: {pod: web-0, requests: {memory: 1Gi}, limits: {cpu: 500m, memory: 1Gi}}\n", "500m", false, 0,
			`Pod "web-0" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing`},
	} {
		world, unready, refused := resized(t, c.version, c.steps)
		require.Equal(t, c.refused, strings.Join(refused, "; "), c.name)
		require.Equal(t, c.unready, unready, c.name)
		for _, pod := range world.State().Pods {
			switch pod.Name {
			case "web-0":
				require.Contains(t, pod.Template.Data, `"requests":{"cpu":"`+c.cpu+`"`, c.name)
			case "web-2":
				require.Equal(t, c.pending, pod.Node == "", c.name)
			}
		}
	}
}
