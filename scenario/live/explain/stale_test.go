package explain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
)

// TestStale: a status that counts other pods than there are is out of date, once nothing has happened for a minute.
func TestStale(t *testing.T) {
	const minute = model.Time(time.Minute)
	const says = "its status still counts 2 Ready: kube-controller-manager has not looked at it since (kubectl -n kube-system get lease kube-controller-manager)"
	for name, c := range map[string]struct {
		observed int64
		counts   int32
		ready    bool
		since    model.Time
		want     string
	}{
		"it counts two, and one is":   {1, 2, true, -2 * minute, says},
		"it counts one, and one is":   {1, 1, true, -2 * minute, ""},
		"it counts two, and none is":  {1, 2, false, -2 * minute, says},
		"the pod is so for a minute":  {1, 2, true, -minute, ""},
		"the controller never looked": {0, 2, true, -2 * minute, ""},
	} {
		set := &model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web", UID: 1}, Status: model.Status{ObservedGeneration: c.observed, Ready: c.counts}}
		p := dump.Pod{Pod: &model.Pod{Meta: model.Meta{Namespace: "prod", Name: "web-0", Owners: []model.Owner{{UID: 1, Controller: true}}}, Ready: c.ready}}
		d := &dump.Dump{State: &sim.State{Pods: []dump.Pod{p}}, Facts: map[model.Key]*dump.Facts{p.Key(): {Since: c.since}}}
		require.Equal(t, c.want, stale(d, set), name)
	}
}
