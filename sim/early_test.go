package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestEarlySyncs: three pods become Ready at one instant. A sync comes after all of them and counts three, or, if the
// chooser says so, after each of them.
func TestEarlySyncs(t *testing.T) {
	require.Equal(t, []int32{3}, readyCounts(t, choose.Dull))
	early := choose.Func(func(kind choose.Kind, n int) int {
		if kind == choose.Sync {
			return n - 1
		}
		return 0
	})
	require.Equal(t, []int32{1, 2, 3}, readyCounts(t, early))
}

// readyCounts are the counts of Ready pods that a Parallel set of three has in its status at the instant at which they
// become Ready.
func readyCounts(t *testing.T, chooser choose.Chooser) []int32 {
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	set := setOfOne()
	set.Spec.Replicas, set.Spec.PodManagement = 3, model.Parallel
	zero := behaviour.Constant(0)
	w := sim.New(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), EarlySyncs: true, Chooser: chooser,
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{
			Schedule: zero, Start: zero, Ready: behaviour.Constant(2 * time.Second),
		}},
	})
	var counts []int32
	for _, e := range w.Run([]sim.Step{creating(set)}) {
		if status := e.Status; status != nil && e.T > 0 {
			counts = append(counts, int32(status.Ready))
		}
	}
	return slices.Compact(counts)
}
