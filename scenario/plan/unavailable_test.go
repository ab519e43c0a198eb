package plan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// TestMayBeDown: maxUnavailable is a number of pods, or a percentage of the replicas that is rounded down; it is at
// least one, which is also what it is where it is not given.
func TestMayBeDown(t *testing.T) {
	for _, c := range []struct {
		block *model.RollingUpdate
		want  int
	}{
		{nil, 1}, {&model.RollingUpdate{}, 1}, {&model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Value: 3}}, 3},
		{&model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{}}, 1},
		{&model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Value: 39, Percent: true}}, 1},
		{&model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Value: 40, Percent: true}}, 2},
		{&model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Value: 100, Percent: true}}, 5},
		{&model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Value: 1, Percent: true}}, 1},
	} {
		e := &edit{wanted: &model.StatefulSet{Spec: model.Spec{Replicas: 5, Strategy: model.Strategy{RollingUpdate: c.block}}}}
		require.Equal(t, c.want, e.mayBeDown(), "%+v", c.block)
	}
}

// TestNotesOnce: what is assumed of an object is said once, however often the object stands in the files.
func TestNotesOnce(t *testing.T) {
	const quota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: all}\n"
	const limits = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: small}\n"
	plan := plans(t, probed(web("2", "a:1"))+quota, probed(web("2", "a:2"))+quota+quota+limits, &Options{})
	require.Equal(t, []string{
		"The ResourceQuota all is not modelled. Assumed: it refuses nothing.",
		"The LimitRange small is not modelled. Assumed: it changes and refuses no pod.",
	}, plan.Notes)
}
