package upgrade

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestHazards names the sets that can meet what 1.38 brings about, and none on the way between other versions or back.
func TestHazards(t *testing.T) {
	set := func(name string, policy model.PodManagement, partition int32, most *model.IntOrPercent) *Set {
		of := &model.StatefulSet{Meta: model.Meta{Namespace: "a", Name: name}}
		of.Spec.Replicas, of.Spec.PodManagement = 4, policy
		of.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: partition, MaxUnavailable: most}
		return &Set{Key: of.Key(), object: of}
	}
	half := &model.IntOrPercent{Value: 50, Percent: true}
	sets := []*Set{
		set("plain", model.OrderedReady, 0, nil), set("parallel", model.Parallel, 0, half), set("half", model.OrderedReady, 2, half),
		set("quarter", model.OrderedReady, 2, &model.IntOrPercent{Value: 25, Percent: true}), set("canary", model.Parallel, 3, nil),
	}
	profile := func(version string) statefulset.Profile {
		p, err := statefulset.Lookup(version)
		require.NoError(t, err)
		return p
	}
	list := hazardsOf(sets, profile("1.37"), profile("1.38"))
	require.Len(t, list, 3)
	require.Regexp(t, "^from 1.38 on, with Parallel, a surplus pod .*: a/parallel, a/canary$", list[0])
	require.Regexp(t, "^from 1.38 on, maxUnavailable is a percentage .*: a/half$", list[1])
	require.Regexp(t, "^from 1.38 on, with Parallel and a partition, .*: a/canary$", list[2])
	require.Empty(t, hazardsOf(sets, profile("1.38"), profile("1.37")))
	require.Empty(t, hazardsOf(sets, profile("1.36"), profile("1.37")))
}
