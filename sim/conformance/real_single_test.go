//go:build real

package conformance_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/conformance"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// syncFiles and the others are the disagreements that were found earlier, in the folder of a version.
const (
	syncFiles    = "/sync-*.json"
	runFiles     = "/run-*.json"
	managerFiles = "/manager-*.json"
)

// TestSingleSyncs holds the simulator's controller against the real one in single syncs from arbitrary states: first in
// those of earlier disagreements (testdata/earlier), then in random ones.
func TestSingleSyncs(t *testing.T) {
	v := tested(t)
	p := player{version: v}
	synctest.Test(t, func(t *testing.T) {
		real := New(v)
		for _, file := range files(t, v.earlier()+syncFiles) {
			state, err := conformance.ParseState(read(t, file))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if difference := p.single(real, state); difference != "" {
				t.Errorf("%s:\n%s", file, difference)
			}
		}
		if t.Failed() {
			return
		}
		var failing *conformance.State
		defer func() {
			if failing != nil {
				keep(t, v.earlier()+"/sync-new.json", failing.String())
			}
		}()
		checkInChunks(t, count(), func(rt *rapid.T) {
			state := conformance.DrawState(rt, v.Kubernetes)
			if difference := p.single(real, state); difference != "" {
				failing = state
				rt.Fatalf("%s\n%s", difference, state)
			}
		})
	})
}

// player plays with the controllers of a version.
type player struct {
	version Version
	gates   map[string]bool
}

func (p *player) single(real *Controller, state *conformance.State) string {
	profile, err := state.Profile()
	if err != nil {
		return err.Error()
	}
	p.setGates(profile)
	// A shrinking search ends by the clock, which only moves where somebody sleeps.
	time.Sleep(time.Millisecond)
	real.Begin(profile, state.Now)
	theirs := state.Sync(real)
	if real.crashed {
		return ""
	}
	return conformance.Compare(state.Sync(statefulset.New(profile)), theirs)
}

// SetGates gives the real code the feature gates of a profile.
func SetGates(profile statefulset.Profile) { (&player{}).setGates(profile) }

// setGates gives the real code the feature gates of a profile.
func (p *player) setGates(profile statefulset.Profile) {
	if p.gates == nil {
		p.gates = map[string]bool{}
	}
	var changed []string
	for _, gate := range profile.Gates() {
		on := profile.Gate(gate)
		was, known := p.gates[gate]
		if _, err := profile.WithGates(map[string]bool{gate: !on}); err != nil || known && was == on {
			continue
		}
		changed = append(changed, fmt.Sprintf("%s=%t", gate, on))
		p.gates[gate] = on
	}
	if len(changed) == 0 {
		return
	}
	if err := utilfeature.DefaultMutableFeatureGate.Set(strings.Join(changed, ",")); err != nil {
		panic(err)
	}
}

// noDeadline hides that a test has a deadline, which may not be asked for in a bubble.
type noDeadline struct{ *testing.T }

// The numbers of checks where $CONFORMANCE_N does not say otherwise.
const (
	syncs = 10_000
	runs  = 500
)

// count returns $CONFORMANCE_N, the number of single syncs to check, or the bounded number.
func count() int {
	n, err := strconv.Atoi(os.Getenv("CONFORMANCE_N"))
	if err != nil || n <= 0 {
		return syncs
	}
	return n
}

// checkInChunks checks a property n times. Rapid ends after a day, and in a bubble the runs of a thousand worlds
// last one.
func checkInChunks(t *testing.T, n int, property func(*rapid.T)) {
	for first := 0; first < n; first += chunk {
		checks(t, min(chunk, n-first), first)
		rapid.Check(noDeadline{t}, property)
	}
}

const chunk = 1000

// checks tells rapid how many checks are to be made, after the first ones. The seed is always given: rapid would
// take it from the clock, which stands still in a bubble. $CONFORMANCE_SEED chooses other examples than those of
// every other run.
func checks(t *testing.T, n, first int) {
	seed := 1
	if text := os.Getenv("CONFORMANCE_SEED"); text != "" {
		var err error
		if seed, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{
		"rapid.checks": strconv.Itoa(n), "rapid.nofailfile": "true", "rapid.seed": strconv.Itoa(seed*seedStep + first*chunk),
	} {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
}

// seedStep keeps the examples of one seed apart from those of the next. Rapid's own seeds within a chunk grow by
// up to half a million.
const seedStep = 10_000_000_000

func files(t *testing.T, pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func read(t *testing.T, file string) []byte {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// keep writes a disagreement to a file, so that it is tried first from now on.
func keep(t *testing.T, file, text string) {
	if err := os.MkdirAll(filepath.Dir(file), fs.FileMode(0o755)); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("kept as %s", file)
}
