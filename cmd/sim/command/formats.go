package command

import (
	"io"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

// Format is a form for printing a run. Exactly one of Write and All is given.
type Format struct {
	Name string
	// Story is its description in help.
	Story string
	// Write writes one run; it is nil if all runs are in one document, and then All writes that.
	Write func(w io.Writer, run *report.Run, style render.Style) error
	All   func(w io.Writer, runs []*Played) error
}

// WriteRun writes one run that was played to its end without expectations.
func (f Format) WriteRun(w io.Writer, run *report.Run, style render.Style) error {
	if f.All != nil {
		return f.All(w, []*Played{{Run: *run, OK: true}})
	}
	return f.Write(w, run, style)
}

// Formats are the values of -o, in the order of the help. The first is the default.
var Formats = []Format{
	{"text", "every event: the time, who did what to which pod and why, and what the controller waits for",
		report.Text, nil},
	{"table", "a summary: steps, sets, pods, expectations", report.Table, nil},
	{"json", "one document with the timeline, the result and the expectations", plainly(report.JSON), nil},
	{"jsonl", "the timeline, one JSON object a line", plainly(report.JSONLines), nil},
	{"watch", "what kubectl get pods --watch would have shown", plainly(report.Watch), nil},
	{"rollout-status", "what kubectl rollout status would have printed after each step",
		plainly(report.RolloutStatus), nil},
	{"history", "each set's revisions at the end, as kubectl rollout history shows them, and the pods of each",
		plainly(report.History), nil},
	{"markdown", "a summary for a pull request", plainly(report.Markdown), nil},
	{"html", "a page to look at and to step through, with all runs on one axis of time", nil, together(html.Write)},
	{"svg", "a picture of the run, of up to 500 pods, without scripts", plainly(html.SVG), nil},
	{"animated-svg", "the same picture, played once in 5 seconds, for a README", plainly(html.AnimatedSVG), nil},
	{"gantt", "a Mermaid gantt chart, of up to 15 pods", plainly(report.Gantt), nil},
	{"trace", "Chrome trace JSON, which ui.perfetto.dev opens", nil, together(report.Trace)},
	{"junit", "JUnit XML for CI systems", nil, junit},
}

// plainly adapts a writer that has no style.
func plainly(write func(io.Writer, *report.Run) error) func(io.Writer, *report.Run, render.Style) error {
	return func(w io.Writer, run *report.Run, _ render.Style) error { return write(w, run) }
}

// together adapts a writer of several runs.
func together(write func(io.Writer, ...*report.Run) error) func(io.Writer, []*Played) error {
	return func(w io.Writer, all []*Played) error {
		var runs []*report.Run
		for _, p := range all {
			runs = append(runs, &p.Run)
		}
		return write(w, runs...)
	}
}

// junit writes the runs as tests.
func junit(w io.Writer, all []*Played) error {
	var tests []report.Test
	for _, p := range all {
		tests = append(tests, report.NewTest(&p.Run, p.OK))
	}
	return report.JUnit(w, tests)
}

// FormatNames returns the values of -o, in the order of the help. The list is the caller's.
func FormatNames() []string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// FormatOf returns a format; name must be one of FormatNames.
func FormatOf(name string) Format {
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	panic("no format " + name)
}

// PlanFormats are the forms for printing a plan.
var PlanFormats = []string{"text", "markdown", "json", "html"}
