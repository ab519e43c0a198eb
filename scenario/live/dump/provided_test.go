package dump

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// TestWhatMustBeTrue: a pod of a set that completes has to stay Ready where the dump shows that it has lost that
// before, and pods that others have preempted have to end as long as it has no node.
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
		// scheduler is the scheduler that the pod asks for, scheduled says that one has looked at it.
		scheduler string
		scheduled bool
		created   model.Time
	}{
		"a pod that has just started":      {running: -20 * minute, ready: -minute / 2, node: "node-1"},
		"a pod that is available":          {running: -40 * minute, ready: -minute, node: "node-1", event: failed},
		"a pod that is not quite so":       {running: -40 * minute, ready: -minute + 1, node: "node-1", want: "provided that web-0 stays Ready: it has been Running for 40m, and Ready only for the last 59s"},
		"a pod that took a long time":      {running: -40 * minute, ready: -minute / 2, node: "node-1", want: "provided that web-0 stays Ready: it has been Running for 40m, and Ready only for the last 30s"},
		"a pod whose probe has failed":     {running: -2 * minute, ready: -minute / 2, node: "node-1", event: failed, want: "provided that web-0 stays Ready: it has been Running for 2m, and Ready only for the last 30s (" + failed + ")"},
		"a pod for which room was made":    {nominated: "node-1", want: "provided that the pods that web-0 has preempted on node-1 end"},
		"a pod that has the room made":     {nominated: "node-1", node: "node-1"},
		"a pod of which nothing is wanted": {},
		"a pod that no scheduler looks at": {scheduler: "volcano", created: -2 * minute, want: "provided that the scheduler volcano works: it has not looked at web-0, which was created 2m ago"},
		"a pod that is too young for that": {scheduler: "volcano", created: -minute},
		"a pod that a scheduler looked at": {scheduler: "volcano", scheduled: true, created: -2 * minute},
		"a pod that has its node":          {scheduler: "volcano", node: "node-1", created: -2 * minute},
		"a pod of which it is not known":   {created: -2 * minute},
	} {
		p := Pod{Pod: &model.Pod{
			Meta: model.Meta{Namespace: "prod", Name: "web-0", UID: 2, Created: c.created, Owners: []model.Owner{{UID: 1, Controller: true}}},
			Node: c.node, Phase: model.Running, Ready: c.ready != 0, ReadySince: c.ready,
		}, Started: c.running}
		d := &Dump{State: &sim.State{Pods: []Pod{p}}, Facts: map[model.Key]*Facts{p.Key(): {
			Event: c.event, Nominated: c.nominated, Scheduler: c.scheduler, Scheduled: c.scheduled,
		}}}
		require.Equal(t, c.want, d.Provided(set), name)
	}
}
