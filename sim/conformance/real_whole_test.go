//go:build real

package conformance_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/conformance"
	"github.com/statefulsim/statefulsim/sim/corpus"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestWholeRuns holds the simulator's controller against the real one in whole runs of the same world: first in those of
// earlier disagreements (testdata/earlier), then in random ones.
func TestWholeRuns(t *testing.T) {
	v := tested(t)
	p := player{version: v}
	synctest.Test(t, func(t *testing.T) {
		real := New(v)
		for _, file := range files(t, v.earlier()+runFiles) {
			c, err := conformance.ParseCase(read(t, file))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if difference := p.whole(real, c); difference != "" {
				t.Errorf("%s:\n%s", file, difference)
			}
		}
		if t.Failed() {
			return
		}
		var failing *conformance.Case
		defer func() {
			if failing != nil {
				keep(t, v.earlier()+"/run-new.json", failing.String())
			}
		}()
		n := count()
		checkInChunks(t, max(n/50, min(n, runs)), func(rt *rapid.T) {
			c := conformance.DrawCase(rt, v.Kubernetes)
			if difference := p.whole(real, c); difference != "" {
				failing = c
				rt.Fatalf("%s\n%s", difference, c)
			}
		})
	})
}

// whole plays a case with both controllers and says where they part.
func (p *player) whole(real *Controller, c *conformance.Case) string {
	profile, err := c.Profile()
	if err != nil {
		return err.Error()
	}
	ours, err := c.Play(statefulset.New(profile))
	if err != nil {
		return err.Error()
	}
	theirs, err := p.play(real, c)
	switch {
	case err != nil:
		return err.Error()
	case real.crashed:
		return ""
	}
	return conformance.FirstDifference(conformance.Record(ours), conformance.Record(theirs))
}

// play plays a case with the real code.
func (p *player) play(real *Controller, c *conformance.Case) ([]timeline.Event, error) {
	profile, err := c.Profile()
	if err != nil {
		return nil, err
	}
	p.setGates(profile)
	time.Sleep(time.Millisecond)
	real.Begin(profile, 0)
	return c.Play(real)
}

// TestCases plays recorded cases of a version with the real code, and holds what it does against their truths.
func TestCases(t *testing.T) {
	v := tested(t)
	p := player{version: v}
	synctest.Test(t, func(t *testing.T) {
		real := New(v)
		known, err := corpus.ParseArchive(read(t, casesFile(v)))
		if err != nil || len(known) < recordedCases {
			t.Fatalf("%s has %d cases, at least %d are expected: %v", casesFile(v), len(known), recordedCases, err)
		}
		for _, k := range known {
			c, err := conformance.ParseCase(k.Scenario)
			if err != nil {
				t.Fatalf("%s: %v", k.Name, err)
			}
			events, err := p.play(real, c)
			if err != nil {
				t.Fatalf("%s: %v", k.Name, err)
			}
			want, got := untilLoop(string(k.Truth), conformance.Truth(events))
			if difference := conformance.FirstDifference(want, got); difference != "" {
				t.Errorf("%s: %s", k.Name, difference)
			}
		}
	})
}

// recordedCases is the least number of cases of each version.
const recordedCases = 40

// untilLoop leaves out of the truth of a livelock what comes after the livelock of the other: how often a loop
// goes round before it is taken for one is the limit of whoever runs it.
func untilLoop(truth, other string) (string, string) {
	before, _, both := strings.Cut(other, "LIVELOCK")
	if !both || !strings.Contains(truth, "LIVELOCK") {
		return truth, other
	}
	return truth[:min(len(truth), len(before))], before
}

// casesFile returns the file in which the main module keeps the recorded cases of a version.
func casesFile(v Version) string {
	return "../../scenario/testdata/cases/" + v.Kubernetes + ".txtar"
}
