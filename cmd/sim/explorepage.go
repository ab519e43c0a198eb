package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/explore"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/report/html"
)

// page writes what was found as a page: a row and a section for each finding, with its story, the command that plays it
// again and a scenario that shows it; behind them the runs that break a promise, in which the deviations are marked,
// and the plain run of each exploration. Each finding must be of one of the explorers. It plays each of them once more;
// one that does not play again is a defect.
func (o *exploreOptions) page(explorers []*explore.Explorer, r *explore.Report) error {
	sheet := &html.Sheet{
		Headline: r.Headline(), Wrong: len(r.Found) > 0, Notes: r.WaivedLines(),
		Header:  []string{"Promise", "Kubernetes", "Deviations", "How it is broken"},
		Command: command.Line(slices.Concat([]string{"sim", "explore", "-o", "html"}, o.searchWords(), o.files)...),
	}
	var names []string
	var runs []*report.Run
	for _, f := range r.Found {
		x := explorers[slices.IndexFunc(explorers, func(x *explore.Explorer) bool {
			return f.File == x.Name() && f.Kubernetes == x.Kubernetes()
		})]
		run, err := foundRun(x, f)
		if err != nil {
			return defect{value: err}
		}
		runs = append(runs, run)
		section := o.foundSection(f, len(runs))
		if len(r.Found) > 1 {
			// Two findings may be of one promise on one version.
			run.Name, section.Title = fmt.Sprintf("%d. %s", len(runs), run.Name), fmt.Sprintf("%d. %s", len(runs), section.Title)
		}
		sheet.Rows = append(sheet.Rows, foundRow(f, len(runs)))
		sheet.Sections = append(sheet.Sections, section)
	}
	for _, x := range explorers {
		runs = append(runs, &report.Run{Name: "plain run on " + x.Kubernetes(), File: x.Name(), Events: x.Plain()})
		if name := filepath.Base(x.Name()); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	sheet.Title = "Search of " + strings.Join(names, ", ")
	sheet.Sections = append(sheet.Sections, html.Section{Title: "How far the search went", Lines: r.Extent()})
	return sheet.Write(o.out, runs...)
}

// foundRow returns the row of a finding; run is the number of its run on the page, from 1.
func foundRow(f *explore.Found, run int) html.Row {
	return html.Row{Look: true, Cells: []html.Cell{
		{Text: f.Promise, Href: "#run=" + strconv.Itoa(run)}, {Text: f.Kubernetes}, {Text: strconv.Itoa(f.Deviations)},
		{Text: f.Says},
	}}
}

// foundSection returns the story of a finding, and what plays it again.
func (o *exploreOptions) foundSection(f *explore.Found, run int) html.Section {
	title := f.Promise + " on " + f.Kubernetes + ": " + f.Says
	section := html.Section{Title: title, Look: run == 1, Run: run, Lines: f.Story}
	if known := f.KnownAs(); known != "" {
		section.After = append(section.After, "Known: "+known)
	}
	if f.Token != "" {
		section.Ways = append(section.Ways, html.Way{Does: "Play it again", Commands: []string{o.replayOf(f)}})
	}
	if f.Scenario != "" {
		section.Ways = append(section.Ways, html.Way{Does: "As a scenario",
			Commands: strings.Split(strings.TrimSuffix(f.Scenario, "\n"), "\n")})
	}
	return section
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
