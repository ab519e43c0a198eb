package explore

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Formats are the forms in which an exploration can be written.
var Formats = []string{"text", "json", "jsonl", "html", "markdown", "junit"}

// Write writes the report in one of the formats. command is the command that plays a finding again.
func (r *Report) Write(w io.Writer, format string, style render.Style, command func(*Found) string,
	page doc.Page,
) error {
	switch format {
	case "json":
		return render.JSON(w, r)
	case "jsonl":
		return r.lines(w)
	case "junit":
		return report.JUnit(w, r.tests())
	case "text":
		return Text(w, r, style, command)
	}
	return r.Document(command).Write(w, format, style, func() doc.Page { return page })
}

// tests returns the explorations as tests, in which each finding that is not waived is an expectation that failed. The
// run of a test is that of its first such finding.
func (r *Report) tests() []report.Test {
	var tests []report.Test
	for _, part := range r.Parts {
		run := &report.Run{Name: part.File + " on " + statefulset.Title(part.Kubernetes)}
		for _, f := range part.Found {
			if slices.Contains(r.Waived, f) {
				continue
			}
			if run.Events == nil {
				run.Events = f.Events
			}
			run.Expectations = append(run.Expectations, report.Expectation{
				Verdict: report.Failed, Text: f.Promise, Detail: f.Says + "\n" + strings.Join(f.Story, "\n") + "\n" + f.Scenario,
			})
		}
		test := report.NewTest(run, len(run.Expectations) == 0)
		test.File = part.File
		tests = append(tests, test)
	}
	return tests
}

// lines writes a finding a line, and last how far the search got. Waived findings are left out.
func (r *Report) lines(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, f := range r.Found {
		if err := e.Encode(f); err != nil {
			return err
		}
	}
	return e.Encode(map[string]any{"searched": r.Searched})
}
