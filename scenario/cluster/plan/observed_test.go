package plan

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/recording"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// pod is what kubectl prints of a pod that took 7 s to run and 11 s more to become Ready.
const pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "db-0", "namespace": "shop", "uid": "u",
 "creationTimestamp": "2026-01-01T00:00:00Z", "ownerReferences": [{"kind": "StatefulSet", "name": "db",
 "apiVersion": "apps/v1", "uid": "s", "controller": true}]}, "status": {"phase": "Running",
 "startTime": "2026-01-01T00:00:00Z", "conditions": [{"type": "Ready", "status": "True",
 "lastTransitionTime": "2026-01-01T00:00:18Z"}], "containerStatuses": [{"name": "app", "ready": true, "restartCount": 0,
 "state": {"running": {"startedAt": "2026-01-01T00:00:07Z"}}}]}}`

// TestObserved: the pods of a dump take what was recorded of those of their set, unless a time was asked for. Those of
// other sets, and what goes wrong, stay as they are.
func TestObserved(t *testing.T) {
	data, err := os.ReadFile("../../../docs/stuck.yaml")
	require.NoError(t, err)
	d, err := dump.Read([]dump.Source{{Name: "stuck.yaml", Data: data}}, dump.Options{})
	require.NoError(t, err)
	seen, err := recording.Read("pods.json", []byte(pod))
	require.NoError(t, err)
	// db-1 goes and comes back, and then db-0; web-2 never becomes Ready.
	ends := func(recordings []*recording.Recording, given behaviour.Times) time.Duration {
		profile := profiles(t, "1.37")[0]
		config := sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Kubelet: behaviour.Behaviour{Default: given},
		}
		lab := play.Lab{Profile: profile, World: recording.Observed(d.Begin(config), recordings, given)}
		last := time.Duration(0)
		events := lab.Run(play.Script{{Verb: "wait", Does: "wait", When: sim.When{Trigger: sim.At}}})
		for i := range events {
			e := &events[i]
			web := e.Set == (model.Key{Namespace: "shop", Name: "web"})
			if e.Kind == timeline.KindPod && e.State == timeline.Ready && e.Actor != timeline.Dump {
				require.False(t, web, "web-2 stays as it is")
				last = time.Duration(e.T)
			}
		}
		return last
	}
	plain := ends(nil, behaviour.Times{})
	with := ends([]*recording.Recording{seen}, behaviour.Times{})
	require.Equal(t, [2]time.Duration{10 * time.Second, 40 * time.Second}, [2]time.Duration{plain, with})
	require.Equal(t, 20*time.Second, with-ends([]*recording.Recording{seen}, behaviour.Times{
		Ready: behaviour.Constant(time.Second),
	}))
}
