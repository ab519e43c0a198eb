package worlds_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestVersions plays random worlds that keep all versions of their objects, that write over those that nobody holds any
// more, and that fill these with garbage: the timelines are the same to the last byte, so nobody looks at a version
// that was let go, nor takes one for another because of its place in memory.
func TestVersions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worlds.Draw(t, "world")
		kept := jsonl(t, playedWith(t, w, sim.Kept))
		require.Equal(t, kept, jsonl(t, playedWith(t, w, sim.Spoiled)), "somebody looks at a version that was let go")
		require.Equal(t, kept, jsonl(t, playedWith(t, w, sim.Reused)), "somebody takes one version for another")
	})
}

func playedWith(t require.TestingT, w world, versions sim.Versions) []timeline.Event {
	s := parse(t, w.text)
	config := s.Config(w.options())
	config.Versions = versions
	return sim.New(config).Run(s.Steps)
}
