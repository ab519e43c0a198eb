package scenario_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/corpus"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestCases plays scenarios of which it is known what Kubernetes' own control code does in them (testdata/cases), and
// scenarios that were recorded on a real control plane (testdata/recordings/traces.txtar), and compares every instant.
func TestCases(t *testing.T) {
	all := known(t)
	require.Len(t, all, 739)
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			want, livelock := readTruth(c.Truth)
			s, err := scenario.Parse(c.Name, c.Scenario, nil, scenario.Options{})
			require.NoError(t, err)
			events := s.Run(scenario.RunOptions{}).Timeline
			verdict := events[len(events)-1].Result.Verdict
			require.Equal(t, livelock != "", verdict == timeline.Livelock, "the verdict is %s", verdict)
			var claims knownClaims
			if strings.Contains(string(c.Truth), ":claim:") {
				claims = knownClaims{}
			}
			got := instants(events, livelock, claims)
			if livelock != "" {
				want, got = onceEach(want), onceEach(got)
			}
			require.True(t, slices.Equal(want, got), difference(want, got))
		})
	}
}

// onceEach leaves out the repetitions within an instant. How often a loop goes round before a run is ended is the limit of
// whoever runs it: one truth (1.37-0037) has an instant of 3,000 rounds, where this simulator ends the run after 1,070.
func onceEach(lines []string) []string {
	var kept []string
	for _, line := range lines {
		kept = append(kept, strings.Join(slices.Compact(strings.Fields(line)), " "))
	}
	return kept
}

// difference shows the first instant at which two timelines differ.
func difference(want, got []string) string {
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	at := func(lines []string) string {
		if i >= len(lines) {
			return "(the end)"
		}
		return lines[i][:min(len(lines[i]), 500)]
	}
	return fmt.Sprintf("want %s\n got %s", at(want), at(got))
}

func glob(t testing.TB, pattern string) []string {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	return files
}

// known returns the cases of all archives, each with the name of its archive before its own.
func known(t testing.TB) []corpus.Known {
	var all []corpus.Known
	for _, file := range append(glob(t, "testdata/cases/*.txtar"), "testdata/recordings/traces.txtar") {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		of, err := corpus.ParseArchive(data)
		require.NoError(t, err, file)
		for _, c := range of {
			c.Name = strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + c.Name
			all = append(all, c)
		}
	}
	return all
}

// readTruth returns the lines of a truth, and the instant at which the real code finds no fixed point, or "".
func readTruth(data []byte) (lines []string, livelock string) {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if at, is := strings.CutPrefix(line, "LIVELOCK "); is {
			livelock = at
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines, livelock
}

// knownClaims are the claims so far, by name.
type knownClaims map[string]*timeline.Claim

// changes renders an event about a claim as truths do, which pass over what binds it: NAME=:claim:added, :owners=KIND/NAME,
// :Terminating and :deleted.
func (k knownClaims) changes(claim *timeline.Claim) []string {
	var changed []string
	add := func(what string) { changed = append(changed, claim.Name+"=:claim:"+what) }
	old := k[claim.Name]
	if old == nil {
		old = &timeline.Claim{}
	}
	k[claim.Name] = claim
	switch claim.Type {
	case model.Deleted:
		add("deleted")
		delete(k, claim.Name)
		return changed
	case model.Added:
		add("added")
	}
	if !slices.Equal(old.Owners, claim.Owners) {
		add("owners=" + strings.Join(claim.Owners, ","))
	}
	if claim.Phase == timeline.PhaseTerminating && old.Phase != timeline.PhaseTerminating {
		add("Terminating")
	}
	return changed
}

// instants renders a timeline as truths do: a line an instant, its changes of state sorted, and those of claims unless
// claims is nil. It leaves out what happens from the instant until on, if that is given.
func instants(events []timeline.Event, until string, claims knownClaims) []string {
	var lines, changes []string
	flush := func(at model.Time) {
		if len(changes) > 0 && (until == "" || at.Seconds() != until) {
			slices.Sort(changes)
			lines = append(lines, at.Seconds()+" "+strings.Join(changes, " "))
		}
		changes = nil
	}
	for i, e := range events {
		if i > 0 && e.T != events[i-1].T {
			flush(events[i-1].T)
		}
		switch e.Kind {
		case timeline.KindPod:
			changes = append(changes, fmt.Sprintf("%s=%s:%s", e.Pod, e.Image, e.State))
		case timeline.KindClaim:
			if claims != nil {
				changes = append(changes, claims.changes(e.Claim)...)
			}
		}
	}
	flush(events[len(events)-1].T)
	return lines
}
