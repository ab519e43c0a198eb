package main

import (
	"io"

	"github.com/statefulsim/statefulsim/sim/report"
)

// format is a form in which a run can be printed.
type format struct {
	name string
	// story is what help says about it.
	story string
	write func(w io.Writer, run *report.Run, style report.Style) error
}

// formats are the values of -o. JUnit is written for all runs together.
var formats = []format{
	{"text", "a story: when, who did what to which pod, why, and what is waited for", report.Text},
	{"table", "a summary: steps, sets, pods, expectations", report.Table},
	{"json", "one document with the timeline, the result and the expectations", plainly(report.JSON)},
	{"jsonl", "the timeline, one JSON object a line", plainly(report.JSONLines)},
	{"watch", "what kubectl get pods --watch would have shown", plainly(report.Watch)},
	{"markdown", "a summary for a pull request", plainly(report.Markdown)},
	{"junit", "JUnit XML for CI systems", nil},
}

// reservedFormats are formats that a later version will have.
var reservedFormats = []string{"html", "trace", "gantt"}

func plainly(write func(io.Writer, *report.Run) error) func(io.Writer, *report.Run, report.Style) error {
	return func(w io.Writer, run *report.Run, _ report.Style) error { return write(w, run) }
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func formatOf(name string) format {
	for _, f := range formats {
		if f.name == name {
			return f
		}
	}
	panic("no format " + name)
}
