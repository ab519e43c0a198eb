//go:build real

package conformance_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/conformance"
	"github.com/statefulsim/statefulsim/sim/corpus"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestRecord writes down what the real code does, for tests that do without it: where $CONFORMANCE_RECORD is a number,
// so many cases of whole runs, and for each difference between versions that a sync can show one state.
func TestRecord(t *testing.T) {
	v := tested(t)
	cases, err := strconv.Atoi(os.Getenv("CONFORMANCE_RECORD"))
	if err != nil {
		t.Skip("CONFORMANCE_RECORD is not set to a number of cases")
	}
	synctest.Test(t, func(t *testing.T) {
		r := recording{player: player{version: v}, real: New(v)}
		r.syncs(t)
		r.cases(t, cases)
	})
}

type recording struct {
	player
	real *Controller
}

// goldenFolder is where recorded syncs are kept.
const goldenFolder = "testdata/syncs"

// syncs records the states of earlier disagreements, one for each difference in which the profile with that
// difference flipped does something else than the real code, and one for each feature. States that are recorded already
// are only played again.
func (r *recording) syncs(t *testing.T) {
	checks(t, recordedFrom, 0)
	file := filepath.Join(goldenFolder, r.version.Kubernetes+".jsonl")
	var before []*conformance.Golden
	if data, err := os.ReadFile(file); err == nil {
		if before, err = conformance.ReadGoldens(data); err != nil {
			t.Fatal(err)
		}
	}
	var lines strings.Builder
	for _, file := range files(t, r.version.earlier()+syncFiles) {
		state, err := conformance.ParseState(read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		lines.WriteString(conformance.NewGolden("", "", state, r.sync(state)).String())
	}
	for _, difference := range statefulset.Differences {
		lines.WriteString(r.golden(before, difference.Name, "", differs(difference)))
	}
	for _, feature := range conformance.Features {
		lines.WriteString(r.golden(before, "", feature.Name, func(
			state *conformance.State, _ statefulset.Profile, outcome *conformance.Outcome,
		) bool {
			return feature.Shown(state, outcome)
		}))
	}
	keep(t, file, lines.String())
}

// recordedFrom is the number of random states among which one to be recorded is looked for.
const recordedFrom = 2_000

// sought says whether an outcome in a state is what is looked for.
type sought func(*conformance.State, statefulset.Profile, *conformance.Outcome) bool

func differs(d statefulset.Difference) sought {
	return func(state *conformance.State, profile statefulset.Profile, outcome *conformance.Outcome) bool {
		return conformance.Compare(flipped(state, profile, d), outcome) != ""
	}
}

// golden returns the golden of a difference or a feature as a line, or "" if no state has been found for it.
func (r *recording) golden(before []*conformance.Golden, difference, shows string, is sought) string {
	for _, g := range before {
		profile, err := g.State.Profile()
		if err != nil {
			panic(err)
		}
		if g.Difference != difference || g.Shows != shows {
			continue
		}
		if real := r.sync(g.State); real != nil && is(g.State, profile, real) {
			return conformance.NewGolden(difference, shows, g.State, real).String()
		}
	}
	found := r.find(is)
	if found == nil {
		return ""
	}
	line := conformance.NewGolden(difference, shows, found, r.sync(found)).String()
	if shows != "" && len(line) > smallGolden {
		return ""
	}
	return line
}

// smallGolden is the size in bytes above which the state of a feature is not kept: another version has a smaller one.
const smallGolden = 2_600

func flipped(state *conformance.State, profile statefulset.Profile, d statefulset.Difference) *conformance.Outcome {
	return state.Sync(statefulset.New(d.With(profile, !d.On(profile))))
}

// sync returns what the real code does in a state, or nil if it crashes.
func (r *recording) sync(state *conformance.State) *conformance.Outcome {
	profile, err := state.Profile()
	if err != nil {
		panic(err)
	}
	r.setGates(profile)
	r.real.Begin(profile, state.Now)
	outcome := state.Sync(r.real)
	if r.real.crashed {
		return nil
	}
	return outcome
}

// find looks for a small state in which the simulator's own controller does what is looked for, and the real one too;
// or nil.
func (r *recording) find(is sought) (found *conformance.State) {
	defer func() {
		if err := recover(); err != nil && err != errFound {
			panic(err)
		}
	}()
	rapid.Check(&seeker{}, func(rt *rapid.T) {
		state := conformance.DrawState(rt, r.version.Kubernetes)
		profile, err := state.Profile()
		if err != nil {
			rt.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		if !is(state, profile, state.Sync(statefulset.New(profile))) {
			return
		}
		if real := r.sync(state); real != nil && is(state, profile, real) {
			found = state
			rt.FailNow()
		}
	})
	return found
}

// seeker is a rapid.TB whose failure is what is looked for.
type seeker struct {
	rapid.TB
	failed bool
}

var errFound = errors.New("found")

func (s *seeker) Helper()               {}
func (s *seeker) Name() string          { return "search" }
func (s *seeker) Logf(string, ...any)   {}
func (s *seeker) Log(...any)            {}
func (s *seeker) Errorf(string, ...any) { s.failed = true }
func (s *seeker) Failed() bool          { return s.failed }
func (s *seeker) FailNow()              { panic(errFound) }

// smallTruth is the size in bytes above which a run is too long to be kept.
const smallTruth = 6_000

// cases records whole runs, if there is no archive of them yet: the first random worlds in which something happens
// and that are not too long.
func (r *recording) cases(t *testing.T, n int) {
	if len(files(t, casesFile(r.version))) > 0 {
		return
	}
	draw := rapid.Custom(func(rt *rapid.T) *conformance.Case { return conformance.DrawCase(rt, r.version.Kubernetes) })
	var known []corpus.Known
	for seed := 1; len(known) < n; seed++ {
		c := draw.Example(seed)
		events, err := r.play(r.real, c)
		if err != nil {
			t.Fatal(err)
		}
		truth := conformance.Truth(events)
		if len(truth) > smallTruth || strings.Count(truth, "\n") < 6 {
			continue
		}
		c.Name = fmt.Sprintf("case-%s-%04d", r.version.Kubernetes, len(known)+1)
		known = append(known, corpus.Known{Name: c.Name, Scenario: []byte(c.String()), Truth: []byte(truth)})
	}
	keep(t, casesFile(r.version), string(corpus.FormatArchive("", known)))
}
