package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestATerminatingPodOfAMachineThatWasOff ends as soon as its kubelet is back: no container of it runs, and a kubelet
// stops running containers only (SyncTerminatingPod, ConvertPodStatusToRunningPod). If the machine ran on, the kubelet
// stops them then, or waits for what it has begun.
func TestATerminatingPodOfAMachineThatWasOff(t *testing.T) {
	for _, c := range []struct{ name, steps, want string }{
		{"deleted while off", "- {at: 10s, nodeDown: {node: node-1, off: true}}\n- {at: 20s, delete: pod/web-0}", "1m00s"},
		{"deleted before", "- {at: 5s, delete: pod/web-0}\n- {at: 10s, nodeDown: {node: node-1, off: true}}", "1m00s"},
		{"deleted while cut off", "- {at: 10s, nodeDown: node-1}\n- {at: 20s, delete: pod/web-0}", "1m40s"},
		{"deleted before, and cut off", "- {at: 5s, delete: pod/web-0}\n- {at: 10s, nodeDown: node-1}", "1m35s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(`
kubernetes: "1.36"
kubelet: {stop: 40s}
nodes: {count: 1}
steps:
- {create: {name: web, replicas: 1, image: "app:v1"}}
`+c.steps+"\n- {at: 60s, nodeUp: node-1}\n"), nil, scenario.Options{})
			require.NoError(t, err)
			for _, e := range s.Run(scenario.RunOptions{}).Timeline {
				if e.Kind == timeline.KindPod && e.State == timeline.Gone {
					require.Equal(t, c.want, e.T.Clock())
					return
				}
			}
			t.Fatal("the pod is not gone")
		})
	}
}
