package adapter

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
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Record writes down what the real code does, for tests that do without it: where $CONFORMANCE_RECORD is a number,
// so many cases of whole runs, and for each difference between versions that a sync can show one state.
func Record(t *testing.T, v Version) {
	t.Helper()
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

// goldenFolder is where the main module keeps recorded syncs.
const goldenFolder = "../testdata/syncs"

// syncs records the states of earlier disagreements, and one for each difference in which the profile with that
// difference flipped does something else than the real code.
func (r *recording) syncs(t *testing.T) {
	checks(t, syncs, 0)
	var lines strings.Builder
	for _, file := range files(t, syncFiles) {
		state, err := conformance.ParseState(read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		lines.WriteString(conformance.NewGolden("", state, r.sync(state)).String())
	}
	for _, difference := range statefulset.Differences {
		if state, outcome := r.find(difference); state != nil {
			lines.WriteString(conformance.NewGolden(difference.Name, state, outcome).String())
		}
	}
	keep(t, filepath.Join(goldenFolder, r.version.Kubernetes+".jsonl"), lines.String())
}

// sync returns what the real code does in a state, or nil where it crashes.
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

// find looks for a small state that shows a difference, and returns it with what the real code does; or nil.
func (r *recording) find(d statefulset.Difference) (found *conformance.State, outcome *conformance.Outcome) {
	defer func() {
		if err := recover(); err != nil && err != errFound {
			panic(err)
		}
	}()
	rapid.Check(&search{}, func(rt *rapid.T) {
		state := conformance.DrawState(rt, r.version.Kubernetes)
		profile, err := state.Profile()
		if err != nil {
			rt.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		flipped := state.Sync(statefulset.New(d.With(profile, !d.On(profile))))
		if conformance.Compare(flipped, state.Sync(statefulset.New(profile))) == "" {
			return
		}
		if real := r.sync(state); real != nil && conformance.Compare(flipped, real) != "" {
			found, outcome = state, real
			rt.FailNow()
		}
	})
	return found, outcome
}

// search is a rapid.TB whose failure is what is looked for.
type search struct {
	rapid.TB
	failed bool
}

var errFound = errors.New("found")

func (s *search) Helper()               {}
func (s *search) Name() string          { return "search" }
func (s *search) Logf(string, ...any)   {}
func (s *search) Log(...any)            {}
func (s *search) Errorf(string, ...any) { s.failed = true }
func (s *search) Failed() bool          { return s.failed }
func (s *search) FailNow()              { panic(errFound) }

// smallTruth is the size in bytes above which a run is too long to be kept.
const smallTruth = 6_000

// cases records whole runs, if there is no folder of them yet: the first random worlds in which something happens
// and that are not too long.
func (r *recording) cases(t *testing.T, n int) {
	folder := filepath.Join(casesFolder, r.version.Kubernetes)
	if len(files(t, filepath.Join(folder, "*.yaml"))) > 0 {
		return
	}
	draw := rapid.Custom(func(rt *rapid.T) *conformance.Case { return conformance.DrawCase(rt, r.version.Kubernetes) })
	for seed, kept := 1, 0; kept < n; seed++ {
		c := draw.Example(seed)
		events, err := r.play(r.real, c)
		if err != nil {
			t.Fatal(err)
		}
		truth := conformance.Truth(events)
		if len(truth) > smallTruth || strings.Count(truth, "\n") < 6 {
			continue
		}
		kept++
		c.Name = fmt.Sprintf("case-%s-%04d", r.version.Kubernetes, kept)
		keep(t, filepath.Join(folder, c.Name+".yaml"), c.String())
		keep(t, filepath.Join(folder, c.Name+".truth"), truth)
	}
}
