package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Annotations writes what failed as workflow commands of GitHub Actions, which mark the lines of a pull request: an
// error for each failed expectation, and one for a test that failed without any. The warnings of a run are
// warnings. A test that passed without warnings writes nothing.
func Annotations(w io.Writer, tests []Test) error {
	out := bufio.NewWriter(w)
	var groups []sameFailure
	for i := range tests {
		if test := &tests[i]; test.Passed {
			groups = append(groups, sameFailure{test})
		} else {
			groups = join(groups, test)
		}
	}
	for _, group := range groups {
		annotate(out, group)
	}
	return out.Flush()
}

// annotate writes the errors and warnings of one test, or of several that failed alike. A problem of a file has a line
// for each thing that is wrong, and each becomes an error of its own.
func annotate(out *bufio.Writer, group sameFailure) {
	test := group[0]
	switch {
	case test.Passed:
	case test.Problem != "":
		for problem := range strings.SplitSeq(strings.TrimSpace(test.Problem), "\n") {
			annotation(out, isError, test.File, problem, "sim cannot play "+test.File)
		}
	case test.Run != nil:
		annotateRun(out, group)
	}
	for _, warning := range test.Warnings {
		annotation(out, isWarning, test.File, warning, group.title())
	}
}

// The levels of an annotation.
const (
	isError   = "error"
	isWarning = "warning"
)

// title names the tests in their annotations.
func (a sameFailure) title() string {
	if a[0].Version == "" {
		return a[0].Name
	}
	return a[0].Name + " (" + a.versions() + ")"
}

// annotateRun writes the expectations that failed, or else how the run ended.
func annotateRun(out *bufio.Writer, group sameFailure) {
	test := group[0]
	run, title, told := test.Run, group.title(), false
	for i := range run.Expectations {
		e := &run.Expectations[i]
		if e.Verdict != Failed {
			continue
		}
		told = true
		text := "expected " + e.wanted()
		if e.Detail != "" {
			text += "\ngot " + e.Detail
		}
		if d := e.Difference(); len(d) > 0 {
			text += "\n- expected, + got\n" + strings.Join(d, "\n")
		}
		annotation(out, isError, test.File, e.Position+": "+text, title)
	}
	if told {
		return
	}
	text := run.Complaint
	if run.result() != nil {
		text = strings.TrimSpace(wrongs(run) + "\n" + text)
	}
	annotation(out, isError, test.File, text, title)
}

// wrongs says how the run ended, and what is wrong with that, one problem per line.
func wrongs(run *Run) string {
	var lines []string
	for i, line := range Ending(run) {
		if i == 0 || line.Tone == Wrong {
			lines = append(lines, line.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// place is FILE:LINE:COLUMN: at the start of a message. The column is optional.
var place = lazy.Regexp(`^(\S[^\n]*?):(\d+)(?::(\d+))?: `)

// annotation writes one error or warning. If the message starts with a place, the annotation is there; otherwise it
// is about the whole file.
func annotation(out *bufio.Writer, level, file, message, title string) {
	properties := ""
	if found := place().FindStringSubmatch(message); found != nil {
		file, message = found[1], message[len(found[0]):]
		properties = ",line=" + found[2]
		if found[3] != "" {
			properties += ",col=" + found[3]
		}
	}
	fmt.Fprintf(out, "::%s file=%s%s,title=%s::%s\n", level,
		propertyEscapes.Replace(render.Visible(file)), properties, propertyEscapes.Replace(render.Visible(title)),
		dataEscapes.Replace(cleanLines(message)))
}

// cleanLines makes text safe to print, and keeps the ends of its lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = render.Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// The message of a workflow command ends with its line; a property ends at a comma, and the properties at a colon.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
