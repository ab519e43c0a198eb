// Package judged_test draws small worlds with troubles of all kinds, dumps them at random instants, whole or in parts, and
// holds what is said of the dumps to what then comes.
package judged_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

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

// TestCertain: what is said of a dump with certainty comes true in all worlds, and what is said as likely in at least 90
// of 100. A world is played on for three hours behind its dump, and nobody does anything in it. Then it came true that a
// set
//
//   - is at rest, if no pod of it comes, goes or changes;
//   - continues, if it is complete at the end;
//   - is stuck, if it is complete at no instant from the dump on.
//
// "Too early" and "unknown" claim nothing, and are only counted. Nor does "stuck" of a pod that may only need more time,
// in a dump without a clock: it may be of this instant, as all dumps are here, or hours old, and the output says so. A trouble that has not shown itself anywhere by the time
// of the dump, like a container that ends for the first time, or a node that Kubernetes itself takes for Ready, is a change
// like that of a user: such worlds count only for sets that are said to be stuck for certain. Of the sets that continue and
// of which the dump shows a Ready pod, those are counted that are complete by the time that is named, or by half as much
// again and a few seconds. JUDGED_WRONG=1 prints what did not come true.
func TestCertain(t *testing.T) {
	said, worlds, wrong := sayings{}, 0, []string(nil)
	rapid.Check(t, func(t *rapid.T) {
		w := judgedWorlds.Draw(t, "world")
		data, futures := w.played(t)
		if data == nil {
			// A step was refused before the dump.
			return
		}
		worlds++
		timeless := w.read(t, data).Timeless
		for key, j := range judgedBy(t, &w, data) {
			f := futures[key]
			if f.fresh && !(j.Certain && j.State == judge.Stuck) {
				continue
			}
			is := f.is(j.State)
			if timeless && j.State == judge.Stuck && j.Early != nil {
				said.count("is stuck unless the dump is fresh: it has no clock", is)
				continue
			}
			said.add(j, f, is)
			if j.Certain && !is {
				t.Fatalf("%s is said to be %s for certain: %v\nThen its pods first change after %s, and it is complete after %s\n%s\n%s",
					key, j.State, j.Causes, f.changed, f.completed, w, data)
			}
			if !is {
				wrong = append(wrong, fmt.Sprintf("%s is said to be %s: %v\n%s\n%s", key, j.State, j.Causes, w, data))
			}
		}
	})
	t.Logf("%d worlds\n%s", worlds, said)
	if os.Getenv("JUDGED_WRONG") != "" {
		t.Log(strings.Join(wrong, "\n"))
	}
	// With few worlds, chance decides.
	if n := said["likely"]; n.all >= 300 {
		require.GreaterOrEqual(t, 10*n.is, 9*n.all, "what is likely came true in %d of %d", n.is, n.all)
	}
}

// is says whether it came true that a set is in a state.
func (f *future) is(state judge.State) bool {
	switch state {
	case judge.AtRest:
		return f.changed < 0
	case judge.Continues:
		return f.complete
	case judge.Stuck:
		return f.completed < 0
	}
	return true
}

// sayings count what is said, and how often it came true.
type sayings map[string]struct{ all, is int }

func (s sayings) add(j *judge.Set, f *future, is bool) {
	sure := "likely"
	switch {
	case j.State == judge.TooEarly || j.State == judge.Unknown:
		s.count("nothing is said: "+string(j.State), true)
		return
	case j.Certain:
		sure = "certain"
	}
	s.count(sure, is)
	s.count(sure+" "+map[judge.State]string{judge.AtRest: "is at rest", judge.Continues: "continues", judge.Stuck: "is stuck"}[j.State], is)
	if j.State == judge.Continues && f.complete && f.ready {
		s.count("in the time that is named, of those that continue", f.settled <= time.Duration(j.Until)*3/2+5*time.Second)
	}
}

func (s sayings) count(what string, is bool) {
	n := s[what]
	n.all++
	if is {
		n.is++
	}
	s[what] = n
}

// String prints the counts, one a line.
func (s sayings) String() (text string) {
	for _, what := range slices.Sorted(maps.Keys(s)) {
		text += fmt.Sprintf("%-52s %8d of %8d (%5.1f of 100)\n", what, s[what].is, s[what].all, 100*float64(s[what].is)/float64(s[what].all))
	}
	return text
}

// judgedBy judges the sets of a dump.
func judgedBy(t require.TestingT, w *judged, data []byte) map[model.Key]*judge.Set {
	d := w.read(t, data)
	sets, _ := judge.Of(d, w.lab(t, d))
	return judge.ByKey(sets)
}

// read reads a dump of the world.
func (w *judged) read(t require.TestingT, data []byte) *dump.Dump {
	options := dump.Options{}
	if w.given {
		options.At = taken
	}
	d, err := dump.Read([]dump.Source{{Name: "dump.json", Data: data}}, options)
	require.NoError(t, err)
	return d
}

// lab is the laboratory in which a dump is explained, of the version of the world.
func (w *judged) lab(t require.TestingT, d *dump.Dump) *play.Lab {
	profile, err := statefulset.Lookup(w.version)
	require.NoError(t, err)
	return &play.Lab{Profile: profile, World: d.Begin(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), MaxEvents: 20_000,
	})}
}
