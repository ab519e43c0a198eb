// Package worlds_test draws whole scenario files, from all of the format at once and of small numbers, so that things
// meet that nobody has put together. Each is played, and held to what must be true of any: see record, requireFold,
// requireEnd and promises.
package worlds_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// limits keep a world small: one that goes on for ever ends here.
var limits = strict.Limits{Events: 2_000}

// TestMain gives the tests a seed where nobody has: then they say of the same commit the same each time. With another
// one, or with -rapid.seed=0, they look further.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.seed" })
	if !given {
		if err := flag.Set("rapid.seed", "1"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// TestWorlds draws scenario files and holds each to all of that.
func TestWorlds(t *testing.T) {
	verdicts := map[timeline.Verdict]int{}
	total := 0
	rapid.Check(t, func(t *rapid.T) {
		verdicts[hold(t, worlds.Draw(t, "world"))]++
		total++
	})
	t.Log(verdicts)
	if total >= 1000 {
		// Only where there are many worlds: with few of them, chance decides.
		for _, verdict := range []timeline.Verdict{timeline.Settled, timeline.IsStuck, timeline.Limit, timeline.WasRefused} {
			require.NotZero(t, verdicts[verdict], "no world ended %s", verdict)
		}
	}
}

// String is the document, for who looks at a world that was drawn.
func (w world) String() string { return fmt.Sprintf("%+v, sweep %d\n%s", w.question, w.sweep, w.text) }

// GoString is the same.
func (w world) GoString() string { return w.String() }

// options are how a world is played: as the file says, or with every tie and every order drawn.
func (w world) options() scenario.RunOptions {
	if w.sweep == 0 {
		return scenario.RunOptions{}
	}
	return scenario.RunOptions{Chooser: choose.Sweep(uint64(w.sweep))}
}

// hold plays a world and holds it to all promises. It returns how the run ended.
func hold(t require.TestingT, w world) timeline.Verdict {
	s := parse(t, w.text)
	o := witnessed(t, s, w.options())
	again := parse(t, w.text).Run(w.options())
	require.Equal(t, jsonl(t, o.Timeline), jsonl(t, again.Timeline), "the same file and seed, played again")
	expanded, err := scenario.Expand("world.yaml", w.text, nil, scenario.Options{Limits: limits})
	require.NoError(t, err)
	long := parse(t, expanded)
	long.Digest = s.Digest
	require.Equal(t, jsonl(t, o.Timeline), jsonl(t, long.Run(w.options()).Timeline), "the expanded file")
	requireOutputs(t, s, o)
	requireReading(t, s, o)
	requireExplained(t, s, o.Timeline, w)
	requireHistory(t, s, w)
	if w.other != "" {
		requireCompared(t, o, w)
	}
	return o.Result.Verdict
}

func parse(t require.TestingT, text []byte) *scenario.Scenario {
	s, err := scenario.Parse("world.yaml", text, nil, scenario.Options{Limits: limits})
	require.NoError(t, err, string(text))
	return s
}

// witnessed plays a scenario and looks at it all the time.
func witnessed(t require.TestingT, s *scenario.Scenario, options scenario.RunOptions) *scenario.Outcome {
	var world *sim.World
	r, fold, next, n := newRecord(t, s), timeline.Fold{}, 0, newNumbers()
	look := func(events []timeline.Event) {
		for ; next < len(events); next++ {
			e := &events[next]
			if broken := promised(&fold, e); broken != "" && prompt(s, r) {
				r.fail(e, "%s", broken)
			}
			r.see(e)
			fold.Apply(e)
		}
		requireFold(t, world, &fold)
		n.look(world, events)
	}
	options.Watch = func(w *sim.World) {
		world = w
		look(w.Events())
	}
	o := s.Run(options)
	if o.Result.Verdict != timeline.Livelock {
		look(o.Timeline)
		requireNumbers(t, n, o.Timeline)
	}
	requireEnd(t, world, r)
	return o
}

// requireHistory plays once more with a step behind the others, which sees the revisions that the sets own: what the
// timeline says of them is the same.
func requireHistory(t require.TestingT, s *scenario.Scenario, w world) {
	owned := map[model.Key][]timeline.Revision{}
	look := sim.Step{Verb: "look", When: sim.When{Trigger: sim.After}, Act: func(u *sim.User) sim.Outcome {
		for _, set := range u.Sets() {
			for _, r := range u.Revisions(set.Key()) {
				owned[set.Key()] = append(owned[set.Key()], timeline.Revision{
					Name: r.Name, Number: r.Number, Template: r.Template.ID, Cause: r.Annotations[model.AnnotationChangeCause],
				})
			}
		}
		return sim.Outcome{Effect: timeline.None}
	}}
	var fold timeline.Fold
	events := sim.New(s.Config(w.options())).Run(append(s.Steps[:len(s.Steps):len(s.Steps)], look))
	for i := range events {
		if events[i].Step != nil && events[i].Step.Verb == look.Verb {
			for _, set := range fold.Sets() {
				var told []timeline.Revision
				for _, r := range set.History() {
					r.Made = 0
					told = append(told, r)
				}
				require.Equal(t, owned[set.Key], told, "the history of %s, at %ss", set.Key, events[i].T.Seconds())
			}
		}
		fold.Apply(&events[i])
	}
}

// prompt says whether the controller sees everything in time and acts at once, so that nothing changes while it acts.
func prompt(s *scenario.Scenario, r *record) bool {
	meanwhile := func(f sim.Fault) bool { return f.Write != nil && f.Act != nil }
	return !r.lags && !r.slow && !slices.ContainsFunc(s.Faults, meanwhile)
}
