package report

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// sameFailure are tests of one file that failed in the same way, each under a version of its own.
type sameFailure []*Test

// join puts a test that failed among those that failed as it did, or behind all of them.
func join(groups []sameFailure, test *Test) []sameFailure {
	for i := range groups {
		if groups[i][0].failsAs(test) {
			groups[i] = append(groups[i], test)
			return groups
		}
	}
	return append(groups, sameFailure{test})
}

// versions lists the versions of the tests.
func (a sameFailure) versions() string {
	var names []string
	for _, test := range a {
		names = append(names, test.Version)
	}
	return strings.Join(names, ", ")
}

// failsAs says whether two tests of a file under several versions failed in the same way: the same is wrong at the same
// instant. The reasons of the controller have other words in other versions, and may differ.
func (t *Test) failsAs(other *Test) bool {
	return t.Version != "" && t.File == other.File && t.End == other.End && slices.Equal(t.wrong(), other.wrong())
}

// wrong are the lines that say what is wrong with a test that failed.
func (t *Test) wrong() []string {
	if t.Run == nil {
		return []string{t.Problem}
	}
	lines := []string{t.Problem, t.Run.Complaint, string(t.Verdict)}
	for i := range t.Run.Expectations {
		if e := &t.Run.Expectations[i]; e.Verdict == Failed {
			lines = append(append(lines, e.Position, e.wanted(), e.Detail), e.Difference()...)
		}
	}
	if t.Run.result() != nil {
		lines = append(lines, wrongs(t.Run))
	}
	return lines
}

// TellFailures writes why the tests of one file failed: once for all versions in which they failed alike.
// Total does so too: who writes something else before it calls this first.
func (ts *Tests) TellFailures() error {
	p := newSheet(ts.Out, ts.Style)
	for _, group := range ts.failures {
		if ts.ofSeveral {
			p.Text(2, "under "+group.versions()+":", render.Bold)
		}
		p.failedTest(group[0])
	}
	ts.failures, ts.ofSeveral = nil, false
	return p.Flush()
}
