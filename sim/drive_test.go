package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// driven begins a world whose pods start within a second and are Ready a second later, on one node.
func driven(t *testing.T, config sim.Config) *sim.World {
	t.Helper()
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	config.Controller = statefulset.New(profile)
	config.API = profile.API()
	config.Kubelet.Default = behaviour.Times{Schedule: behaviour.Constant(0), Start: behaviour.Constant(time.Second),
		Ready: behaviour.Constant(time.Second), Stop: behaviour.Constant(time.Second)}
	config.Cluster.Nodes = []nodes.Spec{{Name: "node-1"}}
	w := sim.New(config)
	w.Begin()
	return w
}

// step is a step that does something to a world.
func step(do func(*sim.User)) *sim.Step {
	return &sim.Step{Number: 2, Verb: "do", Act: func(u *sim.User) sim.Outcome {
		do(u)
		return sim.Outcome{Effect: timeline.Done}
	}}
}

func scaling(replicas int32) *sim.Step {
	return step(func(u *sim.User) {
		wanted := *u.Set(setOfOne().Key())
		wanted.Spec.Replicas = replicas
		u.Update(&wanted)
	})
}

// TestTheClockStopsWhereItIsAsked: all that is due by then has happened, what comes later has not, and the clock is there
// also where nothing happens.
func TestTheClockStopsWhereItIsAsked(t *testing.T) {
	w := driven(t, sim.Config{})
	creation := creating(setOfOne())
	w.Act(&creation)
	for _, c := range []struct {
		until time.Duration
		phase model.Phase
		ready bool
	}{
		{0, model.Pending, false}, {time.Second - 1, model.Pending, false}, {time.Second, model.Running, false},
		{1500 * time.Millisecond, model.Running, false}, {2 * time.Second, model.Running, true}, {time.Hour, model.Running, true},
	} {
		w.Advance(model.Time(c.until))
		require.Equal(t, model.Time(c.until), w.Now())
		pods := w.Pods()
		require.Len(t, pods, 1)
		require.Equal(t, c.phase, pods[0].Phase, c.until)
		require.Equal(t, c.ready, pods[0].Ready, c.until)
	}
}

// TestWhatIsLookedAtStaysAsItWas: sets and pods that somebody has been given do not change while the world goes on.
func TestWhatIsLookedAtStaysAsItWas(t *testing.T) {
	w := driven(t, sim.Config{})
	creation := creating(setOfOne())
	w.Act(&creation)
	sets, pods := w.Sets(), w.Pods()
	require.Len(t, sets, 1)
	require.Len(t, pods, 1)
	set, pod := *sets[0], *pods[0]
	for i := range int32(5) {
		w.Act(scaling(i + 2))
		w.Advance(w.Now().Add(time.Minute))
	}
	require.Equal(t, set, *sets[0])
	require.Equal(t, pod, *pods[0])
	require.Len(t, w.Pods(), 6)
}

// TestNothingIsDoneAfterTheEnd: a step that comes after the end of the run does nothing, and nothing is noted.
func TestNothingIsDoneAfterTheEnd(t *testing.T) {
	w := driven(t, sim.Config{Until: time.Minute})
	creation := creating(setOfOne())
	w.Act(&creation)
	w.Advance(model.Time(time.Hour))
	require.True(t, w.Over())
	events := len(w.Events())
	w.Act(scaling(3))
	require.Len(t, w.Events(), events)
	require.EqualValues(t, 1, w.Sets()[0].Spec.Replicas)
}

// TestANodeThatIsInServiceAgain gets the pods that have waited for it.
func TestANodeThatIsInServiceAgain(t *testing.T) {
	w := driven(t, sim.Config{})
	service := func(out bool) (changed bool) {
		w.Act(step(func(u *sim.User) { changed = u.OutOfService("node-1", out) }))
		return changed
	}
	require.True(t, service(true))
	require.False(t, service(true))
	creation := creating(setOfOne())
	w.Act(&creation)
	w.Advance(model.Time(time.Minute))
	require.Empty(t, w.Pods()[0].Node)
	require.True(t, service(false))
	w.Advance(model.Time(time.Minute + 2*time.Second))
	require.Equal(t, "node-1", w.Pods()[0].Node)
	require.True(t, w.Pods()[0].Ready)
}

// TestWhatAStepHasWaitedFor: the timeline says why a step comes when it does, if no time was asked for.
func TestWhatAStepHasWaitedFor(t *testing.T) {
	w := driven(t, sim.Config{})
	creation := creating(setOfOne())
	w.Act(&creation)
	w.Settle()
	w.Act(scaling(2))
	timed := scaling(3)
	timed.When = sim.When{Trigger: sim.At, D: time.Minute}
	w.Advance(model.Time(time.Minute))
	w.Act(timed)
	var said []string
	for _, e := range w.Events() {
		if e.Kind == timeline.KindStep {
			said = append(said, e.Message)
		}
	}
	require.Equal(t, []string{"", "waited until all was settled; the last change was web-0 Ready at 2s", ""}, said)
}

// TestAStepDoesNotMoveTheClock: syncs take time, and what a user does after the world has settled, or has come to an
// instant, is answered at that instant. Only then does the world go on.
func TestAStepDoesNotMoveTheClock(t *testing.T) {
	for name, goOn := range map[string]func(*sim.World){
		"settled": (*sim.World).Settle, "advanced": func(w *sim.World) { w.Advance(w.Now().Add(time.Minute)) },
	} {
		w := driven(t, sim.Config{Machinery: slow})
		creation := creating(setOfOne())
		w.Act(&creation)
		goOn(w)
		at := w.Now()
		w.Act(scaling(3))
		require.Equal(t, at, w.Now(), name)
		require.Len(t, w.Pods(), 1, name)
		goOn(w)
		require.Greater(t, w.Now(), at, name)
		require.Len(t, w.Pods(), 3, name)
	}
}
