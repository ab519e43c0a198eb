package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestSyncsLeaveTheStack drives worlds in strides that end in the middle of calls, where a sync has to leave the stack
// of the loop, and compares them with worlds whose syncs run on coroutines. The calls of a Parallel set are under way
// together. A controller that dies leaves its calls behind.
func TestSyncsLeaveTheStack(t *testing.T) {
	for _, policy := range []model.PodManagement{model.OrderedReady, model.Parallel} {
		for _, stride := range []time.Duration{time.Millisecond, 3 * time.Millisecond, 7 * time.Millisecond} {
			for _, dies := range []bool{false, true} {
				strides := drive{policy: policy, stride: stride, dies: dies}
				events, prints := strides.play(t)
				strides.coroutines = true
				plain, plainPrints := strides.play(t)
				require.Equal(t, plain, events, "%+v", strides)
				require.Equal(t, plainPrints, prints, "%+v", strides)
			}
		}
	}
}

// TestSyncsOfOtherControllersAreNotRepeated: a controller that does not say that it keeps no objects need not be a
// function of what it sees, so each of its syncs is begun once.
func TestSyncsOfOtherControllersAreNotRepeated(t *testing.T) {
	begun := map[bool]int{}
	for _, coroutines := range []bool{false, true} {
		d := drive{stride: 3 * time.Millisecond, coroutines: coroutines, counts: &counting{}}
		d.play(t)
		begun[coroutines] = d.counts.syncs
	}
	require.NotZero(t, begun[true])
	require.Equal(t, begun[true], begun[false])
}

// drive is how a world is driven: with or without a controller that dies at each scaling, and with one that counts its
// syncs if counts is not nil.
type drive struct {
	counts     *counting
	policy     model.PodManagement
	stride     time.Duration
	dies       bool
	coroutines bool
}

func (d *drive) play(t *testing.T) (digest string, prints []sim.Fingerprint) {
	config := sim.Config{Machinery: slow, Coroutines: d.coroutines, Watch: func(w *sim.World) {
		prints = append(prints, w.Fingerprint())
	}}
	if d.counts != nil {
		config.Controller = d.counts
	}
	w := driven(t, config)
	set := setOfOne()
	set.Spec.PodManagement = d.policy
	creation := creating(set)
	w.Act(&creation)
	for i := range int32(4) {
		for range 40 {
			w.Advance(w.Now().Add(d.stride))
		}
		w.Act(scaling(3*i + 2))
		w.Advance(w.Now().Add(8 * time.Millisecond))
		if d.dies {
			w.Act(step(func(u *sim.User) { u.RestartController(sim.Beginning{After: time.Second}) }))
		}
	}
	w.Settle()
	return timeline.Digest(w.End()), prints
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
