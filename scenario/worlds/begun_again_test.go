package worlds_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestBegunAgain stops random worlds at one of their fixed points, begins others with their states, and lets these play
// the steps that are left: their timelines are the same to the last byte, with syncs suspended, changes on their way,
// faults half used up and all. So is the fingerprint at that point.
func TestBegunAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worlds.Draw(t, "world")
		whole, stops := stopped(t, w, -1)
		if len(stops) == 0 {
			return
		}
		at := rapid.IntRange(0, len(stops)-1).Draw(t, "fixed point")
		again, stops := stopped(t, w, at)
		require.Equal(t, jsonl(t, whole), jsonl(t, again), "a world whose state is taken goes on as if it were not")
		require.Equal(t, jsonl(t, whole), jsonl(t, goOn(t, w, stops[at])), "begun again at fixed point %d", at)
	})
}

// stop is a fixed point of a world: how many steps have acted.
type stop struct {
	done  int
	state *sim.State
	print sim.Fingerprint
}

// stopped plays a world and returns its timeline and its fixed points, with the state of one of them.
func stopped(t require.TestingT, w world, at int) ([]timeline.Event, []stop) {
	s := parse(t, w.text)
	var stops []stop
	now := stop{}
	config := s.Config(w.options())
	config.Watch = func(world *sim.World) {
		stops = append(stops, now)
		if len(stops) == at+1 {
			stops[at].state, stops[at].print = world.State(), world.Fingerprint()
		}
	}
	world := sim.New(config)
	for i := range s.Steps {
		act := s.Steps[i].Act
		s.Steps[i].Act = func(u *sim.User) sim.Outcome {
			now.done = i + 1
			return act(u)
		}
	}
	return world.Run(s.Steps), stops
}

// goOn begins a world with a state and plays the steps that are left.
func goOn(t require.TestingT, w world, from stop) []timeline.Event {
	s := parse(t, w.text)
	config := s.Config(w.options())
	config.Start = from.state
	looked := false
	config.Watch = func(world *sim.World) {
		if !looked {
			require.Equal(t, from.print, world.Fingerprint(), "the fingerprint of a world that has just begun again")
		}
		looked = true
	}
	return sim.New(config).Run(s.Steps[from.done:])
}
