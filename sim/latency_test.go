package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestAStatusIsWrittenOverTheSetAsItWas changes a set while a sync of it is under way. The status that ends the sync is
// written over the set as it was when the sync began, even though the cache knows better by then: it meets a conflict.
func TestAStatusIsWrittenOverTheSetAsItWas(t *testing.T) {
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	w := sim.New(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(),
		Machinery: sim.Machinery{Write: behaviour.Constant(30 * time.Millisecond)},
	})
	set := setOfOne()
	scaling := sim.Step{Number: 2, When: sim.When{Trigger: sim.After, D: 37 * time.Millisecond}}
	scaling.Act = func(u *sim.User) sim.Outcome {
		wanted := *u.Set(model.Key{Namespace: "default", Name: "web"})
		wanted.Spec.Replicas = 2
		_, err := u.Update(&wanted)
		return sim.Outcome{Effect: timeline.Configured, Err: err}
	}
	for _, e := range w.Run([]sim.Step{creating(set), scaling}) {
		if e.Kind == timeline.KindStatus {
			// A revision, a pod, the status in vain, the pause after a conflict, and the status again.
			require.Equal(t, model.Time(130*time.Millisecond), e.T)
			return
		}
	}
	require.Fail(t, "no status is written")
}
