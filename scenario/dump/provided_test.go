package dump

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// TestWhatMustBeTrue: a pod of a set that completes has to stay Ready where the dump shows that it has lost that before,
// and pods that others have preempted have to end as long as it has no node.
func TestWhatMustBeTrue(t *testing.T) {
	const minute = model.Time(time.Minute)
	const failed = "Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503"
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web", UID: 1, Created: -minute}, Spec: model.Spec{
		Replicas: 1, MinReadySeconds: 60, PodManagement: model.OrderedReady,
	}, Status: model.Status{Replicas: 1, Ready: 1, ObservedGeneration: 1}}
	for name, c := range map[string]struct {
		running, ready model.Time
		event          string
		nominated      string
		node           string
		want           string
	}{
		"a pod that has just started":      {running: -20 * minute, ready: -minute / 2, node: "node-1"},
		"a pod that is available":          {running: -40 * minute, ready: -minute, node: "node-1", event: failed},
		"a pod that is not quite so":       {running: -40 * minute, ready: -minute + 1, node: "node-1", want: "provided that web-0 stays Ready: it has been Running for 40m, and Ready only for the last 59s"},
		"a pod that took a long time":      {running: -40 * minute, ready: -minute / 2, node: "node-1", want: "provided that web-0 stays Ready: it has been Running for 40m, and Ready only for the last 30s"},
		"a pod whose probe has failed":     {running: -2 * minute, ready: -minute / 2, node: "node-1", event: failed, want: "provided that web-0 stays Ready: it has been Running for 2m, and Ready only for the last 30s (" + failed + ")"},
		"a pod for which room was made":    {nominated: "node-1", want: "provided that the pods that web-0 has preempted on node-1 end"},
		"a pod that has the room made":     {nominated: "node-1", node: "node-1"},
		"a pod of which nothing is wanted": {},
	} {
		p := Pod{Pod: &model.Pod{
			Meta: model.Meta{Namespace: "prod", Name: "web-0", UID: 2, Owners: []model.Owner{{UID: 1, Controller: true}}},
			Node: c.node, Phase: model.Running, Ready: c.ready != 0, ReadySince: c.ready,
		}, Started: c.running}
		d := &Dump{State: &sim.State{Pods: []Pod{p}}, Facts: map[model.Key]*Facts{p.Key(): {Event: c.event, Nominated: c.nominated}}}
		require.Equal(t, c.want, d.Provided(set), name)
	}
}
