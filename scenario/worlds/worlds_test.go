// Package worlds_test draws whole scenario files, from all of the format at once and of small numbers, so that things meet
// that nobody has put together. Each is played, and held to what must be true of any: see record, requireFold, requireEnd
// and promises.
package worlds_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// limits keep a world small: one that goes on for ever ends here.
var limits = strict.Limits{Events: 2_000}

// TestWorlds draws scenario files and holds each to all of that.
func TestWorlds(t *testing.T) {
	verdicts := map[timeline.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		verdicts[hold(t, worlds.Draw(t, "world"))]++
	})
	t.Log(verdicts)
	require.NotZero(t, verdicts[timeline.Settled])
	require.NotZero(t, verdicts[timeline.IsStuck])
}

// String is the document, for who looks at a world that was drawn.
func (w world) String() string { return fmt.Sprintf("%+v\n%s", w.question, w.text) }

// GoString is the same.
func (w world) GoString() string { return w.String() }

// hold plays a world and holds it to all promises. It returns how the run ended.
func hold(t require.TestingT, w world) timeline.Verdict {
	s := parse(t, w.text)
	o := witnessed(t, s)
	again := parse(t, w.text).Run(scenario.RunOptions{})
	require.Equal(t, jsonl(t, o.Timeline), jsonl(t, again.Timeline), "the same file and seed, played again")
	expanded, err := scenario.Expand("world.yaml", w.text, nil, scenario.Options{Limits: limits})
	require.NoError(t, err)
	long := parse(t, expanded)
	long.Digest = s.Digest
	require.Equal(t, jsonl(t, o.Timeline), jsonl(t, long.Run(scenario.RunOptions{}).Timeline), "the expanded file")
	requireOutputs(t, s, o)
	requireReading(t, s, o)
	requireExplained(t, s, o.Timeline, w.question)
	return o.Result.Verdict
}

func parse(t require.TestingT, text []byte) *scenario.Scenario {
	s, err := scenario.Parse("world.yaml", text, nil, scenario.Options{Limits: limits})
	require.NoError(t, err, string(text))
	return s
}

// witnessed plays a scenario and looks at it all the time.
func witnessed(t require.TestingT, s *scenario.Scenario) *scenario.Outcome {
	var world *sim.World
	r, fold, next := newRecord(t, s.Machinery.Watch != nil), timeline.Fold{}, 0
	look := func(events []timeline.Event) {
		for ; next < len(events); next++ {
			e := &events[next]
			if broken := promised(&fold, e); broken != "" && prompt(s) && !r.lags {
				r.fail(e, "%s", broken)
			}
			r.see(e)
			fold.Apply(e)
		}
		requireFold(t, world, &fold)
	}
	o := s.Run(scenario.RunOptions{Watch: func(w *sim.World) {
		world = w
		look(w.Events())
	}})
	if o.Result.Verdict != timeline.Livelock {
		look(o.Timeline)
	}
	requireEnd(t, world, r)
	return o
}

// prompt says whether the controller sees everything in time and acts at once, so that nothing changes while it acts.
func prompt(s *scenario.Scenario) bool {
	meanwhile := func(f sim.Fault) bool { return f.Write != nil && f.Act != nil }
	m := &s.Machinery
	return m.Watch == nil && m.Write == nil && m.Sync == nil && m.QPS == 0 && !slices.ContainsFunc(s.Faults, meanwhile)
}
