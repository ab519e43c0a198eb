package worlds_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim"
)

// TestSyncsOnTheStack plays random worlds twice: with syncs that wait on the stack of the world's loop, and with each
// of them on a coroutine. The timelines are the same to the last byte, and so are the worlds at each fixed point: that
// a sync is in the middle of its calls can be seen there, and where it waits cannot.
func TestSyncsOnTheStack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worlds.Draw(t, "world")
		onStack, fixedPoints := onCoroutines(t, w, false)
		plain, plainPoints := onCoroutines(t, w, true)
		require.Equal(t, plain, onStack)
		require.Equal(t, plainPoints, fixedPoints)
	})
}

func onCoroutines(t require.TestingT, w world, coroutines bool) (lines string, prints []sim.Fingerprint) {
	s := parse(t, w.text)
	config := s.Config(w.options())
	config.Coroutines = coroutines
	config.Watch = func(w *sim.World) { prints = append(prints, w.Fingerprint()) }
	return jsonl(t, sim.New(config).Run(s.Steps)), prints
}
