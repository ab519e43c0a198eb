package storage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// withVolumes is a set of two pods with two volumes each.
const withVolumes = `
steps:
- create:
    name: web
    replicas: 2
    image: "app:v1"
    volumeClaimTemplates:
    - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
    - {metadata: {name: logs}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
`

// TestAttachments: a volume stays attached to a node while the process of a pod that is gone may use it there, and the
// next pod of the name starts on another node when it is detached, or at once on the same node.
func TestAttachments(t *testing.T) {
	for _, c := range []struct {
		name, before, steps string
		// web1 are the states of web-1 from the first step on.
		web1 string
	}{
		{"a process that lives on for a minute", "kubelet: {stop: 1m}\n", "- cordon: node-2\n- {at: 10s, delete: pod/web-1, force: true}\n",
			"10s Terminating 10s Gone 10s Pending 1m11s Running 1m13s Ready"},
		{"it comes back to its node", "kubelet: {stop: 1m}\nnodes: {count: 2}\n", "- cordon: node-1\n- {at: 10s, delete: pod/web-1, force: true}\n",
			"10s Terminating 10s Gone 10s Pending 11s Running 13s Ready"},
		{"a node that is silent, and a deletion by force", "until: 1h\nnodes: {count: 2}\n", "- {at: 10s, nodeDown: node-2}\n- {at: 2m, delete: pod/web-1, force: true}\n",
			"1m00s Unready 2m00s Terminating 2m00s Gone 2m00s Pending 8m01s Running 8m03s Ready"},
		{"it is back before the volume is detached by force", "until: 1h\nnodes: {count: 2}\n",
			"- {at: 10s, nodeDown: node-2}\n- {at: 2m, delete: pod/web-1, force: true}\n- {at: 3m, nodeUp: node-2}\n",
			"1m00s Unready 2m00s Terminating 2m00s Gone 2m00s Pending 3m03s Running 3m05s Ready"},
		{"a node that is off is back after another one", "until: 1h\nnodes: {count: 3}\n", "- {at: 10s, nodeDown: {node: node-2, off: true}}\n" +
			"- {at: 2m, delete: pod/web-1, force: true}\n- {at: 130s, nodeDown: node-3}\n- {at: 140s, nodeUp: node-3}\n- {at: 3m, nodeUp: node-2}\n",
			"1m00s Unready 2m00s Terminating 2m00s Gone 2m00s Pending 3m01s Running 3m03s Ready"},
		{"the pod that waits is deleted too", "kubelet: {stop: 1m}\n",
			"- cordon: node-2\n- {at: 10s, delete: pod/web-1, force: true}\n- {at: 20s, delete: pod/web-1}\n",
			"10s Terminating 10s Gone 10s Pending 20s Terminating 1m20s Gone 1m20s Pending 1m21s Running 1m23s Ready"},
	} {
		t.Run(c.name, func(t *testing.T) {
			load := func() *scenario.Scenario {
				s, err := scenario.Parse("test.yaml", []byte(c.before+withVolumes+c.steps), nil, scenario.Options{})
				require.NoError(t, err)
				return s
			}
			whole, stops := played(load())
			var states []string
			for _, e := range whole {
				if e.Kind == timeline.KindPod && e.Pod == "web-1" && e.T > model.Time(8*time.Second) {
					states = append(states, fmt.Sprint(e.T.Clock(), " ", e.State))
				}
			}
			require.Equal(t, c.web1, strings.Join(states, " "))
			for _, from := range stops {
				again := load()
				config := again.Config(scenario.RunOptions{})
				config.Start = from.state
				require.Equal(t, timeline.Digest(whole), timeline.Digest(sim.New(config).Run(again.Steps[from.done:])),
					"begun again at %s", from.at)
			}
		})
	}
}

// stop is the state of a world at a fixed point, when so many steps had acted.
type stop struct {
	state *sim.State
	done  int
	at    string
}

// played plays a scenario, and stops it at each of its fixed points.
func played(s *scenario.Scenario) (events []timeline.Event, stops []stop) {
	done, config := 0, s.Config(scenario.RunOptions{})
	for i := range s.Steps {
		act := s.Steps[i].Act
		s.Steps[i].Act = func(u *sim.User) sim.Outcome {
			done = i + 1
			return act(u)
		}
	}
	config.Watch = func(w *sim.World) { stops = append(stops, stop{w.State(), done, w.Now().Clock()}) }
	return sim.New(config).Run(s.Steps), stops
}
