package explore

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/checks/search"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
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
		run := &report.Run{Name: part.File + " on " + part.Kubernetes}
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

// Runs are the runs of a page: those that break a promise, in which the deviations are marked, and the plain run of
// each exploration. Each finding must be of one of the explorers. It plays each of them once more, and it is an error
// if one does not play again; after an interruption there may be no time for it.
func (r *Report) Runs(explorers []*Explorer) ([]*report.Run, error) {
	var runs []*report.Run
	for i, f := range r.Found {
		x := explorers[slices.IndexFunc(explorers, func(x *Explorer) bool {
			return f.File == x.Name() && f.Kubernetes == x.Kubernetes()
		})]
		events, breach, err := x.Marked(f.Tape, f.Class)
		if errors.Is(err, search.ErrCut) {
			continue
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, &report.Run{
			Name: r.RunName(i), File: x.Name(), Events: events,
			Description: render.Count(len(f.Tape), "deviation") + " from the plain run: " + breach.Says,
			Expectations: []report.Expectation{{
				Verdict: report.Failed, Text: f.Promise, Detail: breach.Says, Instants: []model.Time{breach.At},
			}},
		})
	}
	for _, x := range explorers {
		plain := &report.Run{Name: "plain run on " + x.Kubernetes(), File: x.Name(), Events: x.Plain()}
		runs = append(runs, plain)
	}
	return runs, nil
}
