package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/explore"
	"github.com/statefulsim/statefulsim/sim/checks/search"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
)

// page writes what was found as a page: a row and a section for each finding, with its story, the command that plays it
// again and a scenario that shows it; behind them the runs that break a promise, in which the deviations are marked,
// and the plain run of each exploration. Each finding must be of one of the explorers. It plays each of them once more;
// one that does not play again is a defect, but after an interruption there may be no time for it.
func (o *exploreOptions) page(explorers []*explore.Explorer, r *explore.Report) error {
	sheet := &html.Sheet{
		Headline: r.Headline(), Tone: report.Right, Notes: r.WaivedLines(),
		Header:  []string{"Promise", "Kubernetes", "Deviations", "How it is broken"},
		Command: command.Line(slices.Concat([]string{"sim", "explore", "-o", "html"}, o.searchWords(), o.files)...),
	}
	if len(o.files) == 1 && o.files[0] != stdin {
		sheet.Playground = o.runInPlayground(source{path: o.files[0], ctx: o.ctx}, &o.world)
	}
	if len(r.Found) > 0 {
		sheet.Tone = report.Wrong
	}
	var names []string
	var runs []*report.Run
	for i, f := range r.Found {
		x := explorers[slices.IndexFunc(explorers, func(x *explore.Explorer) bool {
			return f.File == x.Name() && f.Kubernetes == x.Kubernetes()
		})]
		number := ""
		if len(r.Found) > 1 {
			// Two findings may be of one promise on one version.
			number = fmt.Sprintf("%d. ", i+1)
		}
		run, err := foundRun(x, f)
		shown := 0
		switch {
		case err == nil:
			run.Name = number + run.Name
			runs = append(runs, run)
			shown = len(runs)
		case !errors.Is(err, search.ErrCut):
			return defect{value: err}
		}
		section := o.foundSection(f, shown)
		section.Title, section.Tone = number+section.Title, toneOf(i == 0, report.Wrong)
		sheet.Rows = append(sheet.Rows, foundRow(f, shown))
		sheet.Sections = append(sheet.Sections, section)
	}
	for _, x := range explorers {
		runs = append(runs, &report.Run{Name: "plain run on " + x.Kubernetes(), File: x.Name(), Events: x.Plain()})
		if name := filepath.Base(x.Name()); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	sheet.Title = "Search of " + strings.Join(names, ", ")
	extent := html.Section{Title: "How far the search went", Items: html.Lines(r.Extent()...)}
	sheet.Sections = append(sheet.Sections, extent)
	return sheet.Write(o.out, runs...)
}

// foundRow returns the row of a finding; run is the number of its run on the page, from 1, or 0 if there was no time to
// play it.
func foundRow(f *explore.Found, run int) html.Row {
	promise := html.Cell{Text: f.Promise}
	if run > 0 {
		promise.Href = "#run=" + strconv.Itoa(run)
	}
	return html.Row{Tone: report.Wrong, Cells: []html.Cell{
		promise, {Text: f.Kubernetes}, {Text: strconv.Itoa(f.Deviations)},
		{Text: f.Says},
	}}
}

// foundSection returns the story of a finding, and what plays it again.
func (o *exploreOptions) foundSection(f *explore.Found, run int) html.Section {
	items := html.Lines(f.Story...)
	if known := f.KnownAs(); known != "" {
		items = append(items, html.Item{Text: "Known: " + known})
	}
	if f.Token != "" {
		items = append(items, html.Item{Text: "Play it again", Commands: []string{o.replayOf(f)}})
	}
	if f.Scenario != "" {
		lines := strings.Split(strings.TrimSuffix(f.Scenario, "\n"), "\n")
		items = append(items, html.Item{Text: "As a scenario", Commands: lines})
	}
	return html.Section{Title: f.Promise + " on " + f.Kubernetes + ": " + f.Says, Run: run, Items: items}
}

// foundRun returns the run of a finding, with its breach as an expectation that failed. The error says that it does not
// play again.
func foundRun(x *explore.Explorer, f *explore.Found) (*report.Run, error) {
	events, breach, err := x.Marked(f.Tape, f.Class)
	if err != nil {
		return nil, err
	}
	return &report.Run{
		Name: f.Promise + " on " + f.Kubernetes, File: x.Name(),
		Description: render.Count(len(f.Tape), "deviation") + " from the plain run: " + breach.Says,
		Events:      events,
		Expectations: []report.Expectation{{
			Verdict: report.Failed, Text: f.Promise, Detail: breach.Says, Instants: []model.Time{breach.At},
		}},
	}, nil
}
