package alarm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
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
		s := &stored.Set{Wanted: &model.StatefulSet{Spec: model.Spec{Replicas: 5, Strategy: model.Strategy{RollingUpdate: c.block}}}}
		require.Equal(t, c.want, s.Wanted.MayBeDown(), "%+v", c.block)
	}
}
