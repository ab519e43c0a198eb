package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// The elements of the JUnit format that all its readers agree on: the elements that the schema of Jenkins' xUnit
// plugin (junit-10.xsd) allows. The schema refuses a file and properties of a case, so a scenario is a suite, which
// may have both. Equal runs give equal reports, so no time is printed: how long a run took in virtual time is a
// property.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
	File     string `xml:"file,attr"`
	// Properties are what was played, and its virtual time in seconds.
	Properties *junitProperties `xml:"properties"`
	Case       junitCase        `xml:"testcase"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *junitProblem `xml:"failure,omitempty"`
	Error     *junitProblem `xml:"error,omitempty"`
	// Warnings are the warnings of the run, one per line, if it passed; otherwise they are in the failure.
	Warnings string `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// JUnit writes tests in the JUnit XML format: one suite per scenario, with its file, its version, its seed and its
// virtual time. A scenario that could not be played is an error, and any other that did not pass is a failure. Each
// suite has one case. Control characters, which XML cannot have, are replaced.
func JUnit(w io.Writer, tests []Test) error {
	all := junitSuites{Name: "sim test", Time: noTime}
	for i := range tests {
		suite, err := suiteOf(&tests[i])
		if err != nil {
			return err
		}
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, *suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("the report as JUnit XML: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// suiteOf returns the suite of a test. A test that did not pass and has no Run could not be played.
func suiteOf(test *Test) (*junitSuite, error) {
	name, version := test.Name, ""
	if name == "" {
		name = test.File
	}
	if test.Version != "" {
		version = " (" + test.Version + ")"
	}
	class := strings.TrimSuffix(test.File, path.Ext(test.File))
	s := &junitSuite{Name: class + version, Tests: 1, Time: noTime, File: test.File, Properties: test.properties()}
	s.Case = junitCase{Name: render.Visible(name + version), ClassName: class, Time: noTime}
	switch {
	case test.Passed:
		s.Case.Warnings = warningLines(test.Warnings)
	case test.Run == nil:
		s.Errors++
		s.Case.Error = &junitProblem{Type: "error", Message: firstLine(test.Problem), Text: test.Problem}
	default:
		s.Failures++
		text, err := failureText(test)
		if err != nil {
			return nil, err
		}
		s.Case.Failure = &junitProblem{Type: string(test.Verdict), Message: failureMessage(test), Text: text}
	}
	return s, nil
}

// warningLines returns the warnings of a run, a line each.
func warningLines(warnings []string) string {
	var lines []string
	for _, warning := range warnings {
		lines = append(lines, "warning: "+render.Visible(warning))
	}
	return strings.Join(lines, "\n")
}

// noTime is the time of everything that is not measured. A measured time would make every report differ.
const noTime = "0"

// properties say what was played; nil if it could not be played.
func (t *Test) properties() *junitProperties {
	if t.Kubernetes == "" {
		return nil
	}
	properties := []junitProperty{
		{"kubernetes", t.Kubernetes}, {"seed", strconv.FormatUint(t.Seed, 10)}, {"sim", t.Sim},
		{"virtualSeconds", t.End.Seconds()},
	}
	if t.PreRelease != "" {
		properties = slices.Insert(properties, 1, junitProperty{"preRelease", t.PreRelease})
	}
	return &junitProperties{properties}
}

// failureMessage says in a line why a played test failed, for the lists in readers of JUnit.
func failureMessage(test *Test) string {
	for i := range test.Run.Expectations {
		if e := &test.Run.Expectations[i]; e.Verdict == Failed {
			message := render.Visible(e.Failure())
			if more := test.Expectations[Failed] - 1; more > 0 {
				message += fmt.Sprintf(" (and %d more)", more)
			}
			return message
		}
	}
	if last := test.Run.result(); last != nil {
		return verdictSentence(last, test.Run)
	}
	return "failed"
}

// failureText returns what sim test prints below the test.
func failureText(test *Test) (string, error) {
	var b strings.Builder
	p := newSheet(&b, render.Style{})
	p.failedTest(test)
	if err := p.Flush(); err != nil {
		return "", err
	}
	return strings.TrimRight(b.String(), "\n"), nil
}
