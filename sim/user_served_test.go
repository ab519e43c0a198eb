package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestAnEndlessWorldGoesOn: a refusal is the answer to a step, and no end.
func TestAnEndlessWorldGoesOn(t *testing.T) {
	w := driven(t, sim.Config{Endless: true})
	creation := creating(setOfOne())
	w.Act(&creation)
	w.Act(&creation)
	require.False(t, w.Over(), "the second creation was refused")
	w.Settle()
	require.True(t, w.Pods()[0].Ready)
	steps := 0
	for _, e := range w.Events() {
		if e.Kind == timeline.KindStep && e.Step.Effect == timeline.Refused {
			require.Contains(t, e.Step.Refusal, "already exists")
			steps++
		}
	}
	require.Equal(t, 1, steps)
}

// TestAnOutsideWatcherHears: of each write of the store, with what kubelets know of a pod by then, and it may ask.
func TestAnOutsideWatcherHears(t *testing.T) {
	var w *sim.World
	var phases []string
	w = driven(t, sim.Config{Endless: true, Wrote: func(change *sim.Change) {
		if change.Pod == nil {
			return
		}
		state, _ := sim.UserOf(w).PodState(change.Pod)
		require.LessOrEqual(t, state.Started, model.Time(0))
		phases = append(phases, state.Phase.String()+" "+state.Node)
	}})
	creation := creating(setOfOne())
	w.Act(&creation)
	w.Settle()
	require.Equal(t, []string{"Pending ", "Pending node-1", "Running node-1", "Running node-1"}, phases)
}

// TestTheGracePeriodOfARequest: it takes the place of the pod's own, and 0 is by force.
func TestTheGracePeriodOfARequest(t *testing.T) {
	long := behaviour.Behaviour{Default: behaviour.Times{Stop: behaviour.Constant(time.Minute)}}
	w := driven(t, sim.Config{Endless: true, Kubelet: long})
	creation := creating(setOfOne())
	w.Act(&creation)
	w.Settle()
	key := w.Pods()[0].Key()
	w.Act(step(func(u *sim.User) { require.Nil(t, u.DeletePodWithin(key, 7*time.Second)) }))
	require.Equal(t, 7*time.Second, w.Pods()[0].Deletion.Grace)
	uid := w.Pods()[0].UID
	// A longer grace period is not heeded, a shorter one is: the pod that would take a minute to stop is killed.
	w.Act(step(func(u *sim.User) { require.Nil(t, u.DeletePodWithin(key, 9*time.Second)) }))
	require.Equal(t, 7*time.Second, w.Pods()[0].Deletion.Grace)
	before := w.Now()
	w.Act(step(func(u *sim.User) { require.Nil(t, u.DeletePodWithin(key, time.Second)) }))
	require.Equal(t, time.Second, w.Pods()[0].Deletion.Grace)
	w.Settle()
	require.NotEqual(t, uid, w.Pods()[0].UID)
	require.Less(t, w.Now().Sub(before), 10*time.Second)
	uid = w.Pods()[0].UID
	w.Act(step(func(u *sim.User) { require.Nil(t, u.DeletePodWithin(key, 0)) }))
	require.NotEqual(t, uid, w.Pods()[0].UID, "it went at once, and the controller made another one")
}

// TestVersionsAreHandedOut: they are in order with those of the store's own writes.
func TestVersionsAreHandedOut(t *testing.T) {
	w := driven(t, sim.Config{Endless: true})
	before := sim.UserOf(w).DrawVersion()
	creation := creating(setOfOne())
	w.Act(&creation)
	require.Greater(t, w.Sets()[0].ResourceVersion, before)
	require.Greater(t, sim.UserOf(w).DrawVersion(), w.Sets()[0].ResourceVersion)
}
