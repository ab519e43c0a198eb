package kubelet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestRestartsByVersion: 1.34 stores no restart policies of containers, so a container that ends is started again. From
// 1.36 on its rules count (1.35 refuses to start all containers again), and the pod, its UID with it, is another one only
// if no rule matches.
func TestRestartsByVersion(t *testing.T) {
	for _, test := range []struct{ version, code, want string }{
		{"1.34", "88", "Pending Running Ready Unready Ready"},
		{"1.34", "1", "Pending Running Ready Unready Ready"},
		{"1.36", "42", "Pending Running Ready Unready Ready"},
		{"1.36", "88", "Pending Running Ready Unready RestartingAllContainers PodInitializing Ready"},
		{"1.37", "88", "Pending Running Ready Unready RestartingAllContainers PodInitializing Ready"},
		{"1.37", "0", "Pending Running Ready Unready"},
	} {
		s := load(t, test.version, "kubernetes: \""+test.version+"\"\nkubelet: {probes: true, start: 0s, init: 1s}\n",
			ruled+"- {at: 1m, crash: {pod: web-0, container: app, exitCode: "+test.code+"}}\n")
		states, uids := "", map[model.UID]bool{}
		for _, e := range s.Run(scenario.RunOptions{}).Timeline {
			switch {
			case e.Kind == timeline.KindPod:
				uids[e.UID] = true
				states += " " + e.State.String()
			case e.Kind == timeline.KindContainer && e.Reason != "" && e.T > 10e9:
				states += " " + e.Reason
			}
		}
		require.Equal(t, " "+test.want, states, "%s: exit %s", test.version, test.code)
		require.Len(t, uids, 1, "%s: exit %s", test.version, test.code)
	}
}
