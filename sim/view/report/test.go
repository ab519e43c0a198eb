package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Test is one scenario that was played as a test.
type Test struct {
	Name, File string
	// Version is the Kubernetes version as the user wrote it where the scenario was played under several, else "".
	Version string
	// Kubernetes, Seed and Sim are copied from the run, "" if it could not be played.
	Kubernetes, Sim string
	// PreRelease is the exact version that Kubernetes was compared with, if it is not out yet.
	PreRelease string
	Seed       uint64
	Passed     bool
	// Verdict says how the run ended and End when, in virtual time; Verdict is "" if it could not be played.
	Verdict timeline.Verdict
	End     model.Time
	// Expectations counts the scenario's expectations by their verdict.
	Expectations [3]int
	// Warnings are the warnings of the run's result, such as steps that were not played.
	Warnings []string
	// Problem says why the scenario could not be played: what is wrong in its file, or a defect of sim. Then it has no
	// Run, and has not passed.
	Problem string
	// Run is the run in full where the test failed; it may be nil if it passed. NewTest leaves it out then, so that a
	// long list of tests does not hold all of their timelines.
	Run *Run
}

// NewTest sums up a run that was played as a test. Passed is the judgement of the caller.
func NewTest(run *Run, passed bool) Test {
	header := run.header()
	test := Test{
		Name: run.Name, File: run.File, Passed: passed, End: run.end(), Expectations: tally(run.Expectations),
		Kubernetes: header.Kubernetes, PreRelease: header.PreRelease, Seed: header.Seed, Sim: header.Sim,
	}
	if last := run.result(); last != nil {
		test.Verdict, test.Warnings = last.Result.Verdict, last.Result.Warnings
	}
	for i := range run.Expectations {
		if e := &run.Expectations[i]; e.Verdict == Held && e.Detail != "" {
			test.Warnings = append(test.Warnings, e.Position+": "+e.shortText()+": "+e.Detail)
		}
	}
	if !passed {
		test.Run = run
	}
	return test
}

// Tests writes the report of a test run as it continues: Add for each test in order, and Total once at the end.
// Tests of one file under several versions come one after the other, and must not change before Total.
type Tests struct {
	Out   io.Writer
	Style render.Style
	// FileWidth is the number of columns for the names of files, and for the versions after them.
	FileWidth int

	// passed and failed count the tests that were added.
	passed, failed int
	// failures are the failures of the last file, which are printed when the tests of all its versions are there;
	// ofSeveral is true if it has several.
	failures  []sameFailure
	ofSeveral bool
	file      string
}

// Add writes one test: a line, and below it the warnings of its run. It is flushed at once, for a waiting reader.
// The details of failures follow at once too, or after the last version of the file.
func (ts *Tests) Add(test *Test) error {
	if ts.file != test.File {
		if err := ts.TellFailures(); err != nil {
			return err
		}
	}
	ts.ofSeveral = ts.ofSeveral || ts.file == test.File && test.Version != ""
	ts.file = test.File
	p := newSheet(ts.Out, ts.Style)
	mark, t := "ok", render.Good
	ts.passed++
	if !test.Passed {
		mark, t = "FAILED", render.Bad
		ts.passed--
		ts.failed++
	}
	line := fmt.Sprintf("%-7s %-*s  %s", mark, ts.FileWidth, test.label(), test.outcome())
	p.Line("", render.Visible(strings.TrimRight(line, " ")), t)
	if test.Passed {
		p.warnings(test.Warnings)
	} else {
		ts.failures = join(ts.failures, test)
	}
	if err := p.Flush(); err != nil || test.Version != "" {
		return err
	}
	return ts.TellFailures()
}

// label names the test in its line: by its file, and the version if there are several.
func (t *Test) label() string {
	if t.Version == "" {
		return t.File
	}
	return t.File + " " + model.VersionTitle(t.Version, t.PreRelease)
}

// outcome returns the text of a test's line after the file's name. A scenario named as its file is not named.
func (t *Test) outcome() string {
	if t.Verdict == "" {
		return t.Name
	}
	counts := fmt.Sprintf("%d held", t.Expectations[Held])
	if t.Expectations == [3]int{} {
		counts = "no expectations"
	}
	if t.Expectations[Failed] > 0 {
		counts += fmt.Sprintf(", %d failed", t.Expectations[Failed])
	}
	if t.Expectations[Skipped] > 0 {
		counts += fmt.Sprintf(", %d skipped", t.Expectations[Skipped])
	}
	name := t.Name
	if strings.HasSuffix(strings.TrimSuffix(t.File, path.Ext(t.File)), name) {
		name = ""
	}
	return fmt.Sprintf("%-8s %8s  %-8s  %s", t.Verdict, render.Clock(t.End), counts, name)
}

// failedTest writes why a test failed, without its story: the problem of its file, or the verdict, what did not hold,
// and the command that repeats it.
func (p sheet) failedTest(test *Test) {
	if test.Problem != "" {
		p.Verbatim(2, test.Problem, render.Plain)
	}
	if run := test.Run; run != nil {
		p.failures(run)
		if test.Expectations[Failed] > 0 {
			p.Blank()
		}
		p.verdict(run, summarize(run.Events), castOf(run.Events))
		p.repeat(run)
	}
	p.Blank()
}

// Total writes the last line: how many tests passed and failed, and how many were not asked for.
func (ts *Tests) Total(skipped int) error {
	if err := ts.TellFailures(); err != nil {
		return err
	}
	total := fmt.Sprintf("%d passed, %d failed", ts.passed, ts.failed)
	if skipped > 0 {
		total += fmt.Sprintf(", %d skipped", skipped)
	}
	_, err := fmt.Fprintln(ts.Out, total)
	return err
}

// sameFailure are tests of one file that failed in the same way, each under a version of its own.
type sameFailure []*Test

// join adds a failed test to the tests that failed in the same way, or after all of them.
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

// failsAs reports whether two tests of a file under several versions failed in the same way: the same is wrong at
// the same instant. The reasons of the controller have other words in other versions, and may differ.
func (t *Test) failsAs(other *Test) bool {
	return t.Version != "" && t.File == other.File && t.End == other.End && slices.Equal(t.wrong(), other.wrong())
}

// wrong are the lines that say what is wrong with a failed test.
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

// TellFailures writes why the tests of one file failed: once for all versions that failed alike. Total does so too;
// call this before writing anything else.
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
