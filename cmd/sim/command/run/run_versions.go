package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

// severalFormats are the formats for a scenario that was played on several versions.
var severalFormats = []string{"text", "markdown", "json", "jsonl", "junit", "html"}

// compare plays each file on each of several versions, and reports where they diverge. All are loaded under all
// versions before anything is played.
func (o *Command) compare() error {
	if !slices.Contains(severalFormats, o.Output) {
		return command.Usagef("-o %s shows one run: with several versions use one of %s", o.Output,
			strings.Join(severalFormats, ", "))
	}
	var err error
	if o.read, err = o.From().OpenAll(o.Args, o.World.Limits.FileSize); err != nil {
		return err
	}
	under := make([][]command.Scene, len(o.World.Several))
	for i, version := range o.World.Several {
		if under[i], err = o.loadUnder(o.World.Under(version)); err != nil {
			return err
		}
	}
	var tests []report.Test
	var pages []*report.Comparison
	var worst error
	for i := range o.Args {
		var scenes []command.Scene
		for _, loaded := range under {
			scenes = append(scenes, loaded[i])
		}
		c, failed := o.compareFile(i, scenes)
		worst = command.Worse(worst, failed)
		switch o.Output {
		case "junit":
			tests = append(tests, versionTests(c)...)
		case "html":
			pages = append(pages, c)
		default:
			if err := o.printComparison(i, c); err != nil {
				return err
			}
		}
		if worst == command.ErrInterrupted {
			break
		}
	}
	if err := o.printTogether(tests, pages); err != nil {
		return err
	}
	return worst
}

// printTogether prints what has one document for all files.
func (o *Command) printTogether(tests []report.Test, pages []*report.Comparison) error {
	switch o.Output {
	case "junit":
		return report.JUnit(o.Out, tests)
	case "html":
		if len(pages) == 1 {
			return html.Compare(o.Out, pages[0])
		}
		var runs []*report.Run
		for _, c := range pages {
			runs = append(runs, versionRuns(c)...)
		}
		return html.Write(o.Out, runs...)
	}
	return nil
}

// compareFile plays one file on each version. The error is the worst of the runs; the comparison is always
// returned, with the runs up to an interruption. scenes has one for each requested version, in their order.
func (o *Command) compareFile(i int, scenes []command.Scene) (*report.Comparison, error) {
	c := &report.Comparison{Name: scenes[0].Name(), File: o.Args[i]}
	var last *command.Played
	var worst error
	for j, scene := range scenes {
		version := o.World.Several[j]
		p := o.playUnder(i, scene, o.World.Under(version))
		c.Description = p.Description
		c.Versions = append(c.Versions, report.VersionRun{Version: version, Run: &p.Run, OK: p.OK})
		last = p
		if worst = command.Worse(worst, command.Outcome(p)); p.Interrupted {
			break
		}
	}
	last.TellInput(o.Err, o.Args[i])
	verdict.Part(c, scenes, o.Engine.Causes, func() bool { return worst == command.ErrInterrupted || o.Interrupted() })
	return c, worst
}

// printComparison prints the comparison of one file.
func (o *Command) printComparison(i int, c *report.Comparison) error {
	switch o.Output {
	case "jsonl":
		for _, v := range c.Versions {
			if err := report.JSONLines(o.Out, v.Run); err != nil {
				return err
			}
		}
		return nil
	case "json":
		return report.CompareJSON(o.Out, c)
	case "markdown":
		return report.CompareMarkdown(o.Out, c)
	}
	if i > 0 {
		fmt.Fprintln(o.Out)
	}
	return report.CompareText(o.Out, c, o.Style())
}

// versionRuns returns the runs under distinct names. They are copies, which share the events.
func versionRuns(c *report.Comparison) []*report.Run {
	var runs []*report.Run
	for _, v := range c.Versions {
		run := *v.Run
		run.Name = fmt.Sprintf("%s on %s", c.Name, v.Version)
		runs = append(runs, &run)
	}
	return runs
}

// versionTests returns the runs as tests, one a version.
func versionTests(c *report.Comparison) []report.Test {
	var tests []report.Test
	for _, v := range c.Versions {
		test := report.NewTest(v.Run, v.OK)
		test.Version = v.Version
		tests = append(tests, test)
	}
	return tests
}
