package sim_test

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// stops is the number of fixed points of a run at which goesOn begins another world.
const stops = 3

// beside plays scenarios of the library: each run is its golden, and the same events are
// handed on where the world forgets them.
func beside(t *testing.T, globs ...string) {
	library(t, globs, func(name string, load func() *scenario.Scenario) {
		whole := &run{unseen: true}
		whole.play(load())
		whole.isAsBeside(t, name)
		s, handed := load(), []timeline.Event(nil)
		config := s.Config(scenario.RunOptions{NoHistory: true, Written: func(events []timeline.Event) {
			handed = append(handed, events...)
		}})
		sim.New(config).Run(s.Steps)
		require.Equal(t, lines(whole.events), lines(handed), "%s without a history", name)
	})
}

// goesOn plays scenarios of the library: each run is its golden. Where the world is stopped at
// one of its fixed points, two others that begin with its state go on as it does, to the last byte of the timeline and
// with the same fingerprint at each fixed point. It is the same run where nobody looks at the world, so that versions
// of objects are used again.
//
// If slow, calls, watches and syncs take time, each another one: a sync is suspended at most of the fixed points, and
// changes are on their way. The library has no golden of such a run.
func goesOn(t *testing.T, slow bool, globs []string) {
	library(t, globs, func(name string, load func() *scenario.Scenario) {
		whole := &run{slow: slow}
		whole.play(load())
		if !slow {
			whole.isAsBeside(t, name)
		}
		for _, versions := range []sim.Versions{sim.Reused, sim.Spoiled} {
			unseen := &run{slow: slow, unseen: true, versions: versions}
			unseen.play(load())
			require.Equal(t, lines(whole.events), lines(unseen.events), "%s: somebody looks at a version that was let go", name)
		}
		first := &run{slow: slow, every: max(1, len(whole.prints)/stops)}
		first.play(load())
		require.Equal(t, lines(whole.events), lines(first.events), "%s goes on as if its state were not taken", name)
		for i, from := range first.taken {
			for range 2 {
				again := &run{slow: slow, start: &first.taken[i]}
				again.play(load())
				require.Equal(t, lines(whole.events), lines(again.events), "%s begun again at fixed point %d", name, from.at)
				// A fixed point that nothing has changed since is looked at more than once.
				require.Equal(t, slices.Compact(slices.Clone(whole.prints[from.at:])), slices.Compact(again.prints),
					"%s begun again at fixed point %d: fingerprints", name, from.at)
			}
		}
	})
}

// taken is the state of a world at one of its fixed points, at an instant, when so many steps had acted.
type taken struct {
	state    *sim.State
	now      model.Time
	at, done int
}

// run is a run of a scenario.
type run struct {
	// every is after how many fixed points a state is taken, 0 for never; start is one that the world begins with, or nil.
	every int
	start *taken
	// slow says that calls, watches and syncs take time.
	slow bool
	// unseen says that nobody looks at the world while it runs, so that versions of objects that are replaced are let go.
	unseen   bool
	versions sim.Versions

	scenario *scenario.Scenario
	prints   []sim.Fingerprint
	taken    []taken
	events   []timeline.Event
}

func (r *run) play(s *scenario.Scenario) {
	r.scenario = s
	config := s.Config(scenario.RunOptions{})
	if r.slow {
		config.Machinery = sim.Machinery{
			Write: behaviour.Uniform(0, 20*time.Millisecond), Watch: behaviour.Uniform(0, 100*time.Millisecond),
			Sync: behaviour.Constant(time.Millisecond),
		}
	}
	done := 0
	config.Versions = r.versions
	config.Watch = func(w *sim.World) {
		if at := len(r.prints); r.every > 0 && at%r.every == r.every-1 {
			r.taken = append(r.taken, taken{w.State(), w.Now(), at, done})
		}
		r.prints = append(r.prints, w.Fingerprint())
	}
	if r.unseen {
		config.Watch = nil
	}
	for i := range s.Steps {
		act := s.Steps[i].Act
		s.Steps[i].Act = func(u *sim.User) sim.Outcome {
			done = i + 1
			return act(u)
		}
	}
	steps := s.Steps
	if r.start != nil {
		config.Start, steps = r.start.state, steps[r.start.done:]
	}
	r.events = sim.New(config).Run(steps)
}

// isAsBeside compares the run with the one beside the file of its scenario, but for what the scenario expects of it.
func (r *run) isAsBeside(t *testing.T, name string) {
	golden, err := fs.ReadFile(scenarios.FS, name+".txt")
	require.NoError(t, err)
	var out bytes.Buffer
	of := &report.Run{Name: r.scenario.Name, Description: r.scenario.Description, Events: r.events}
	require.NoError(t, report.Text(&out, of, render.Style{}))
	text := strings.TrimSpace(strings.Replace(out.String(), ", sim \n", "\n", 1))
	require.True(t, strings.HasPrefix(string(golden), text), "%s is not what is beside it:\n%s", name, text)
}

// lines are the events as JSON lines.
func lines(events []timeline.Event) string {
	var text []byte
	for i := range events {
		text = append(timeline.AppendJSON(text, &events[i]), '\n')
	}
	return string(text)
}
