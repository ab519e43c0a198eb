package main

import (
	"errors"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/explore"
	"github.com/statefulsim/statefulsim/sim/checks/search"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// page writes what was found as a page: behind it are the runs that break a promise, in which the deviations are
// marked, and the plain run of each exploration. Each finding must be of one of the explorers. It plays each of them
// once more; one that does not play again is a defect, but after an interruption there may be no time for it.
func (o *exploreOptions) page(explorers []*explore.Explorer, r *explore.Report) error {
	page := doc.Page{
		Command: command.Line(slices.Concat([]string{"sim", "explore", "-o", "html"}, o.searchWords(), o.files)...),
	}
	if len(o.files) == 1 && o.files[0] != stdin {
		page.Playground = o.runInPlayground(source{path: o.files[0], ctx: o.ctx}, &o.world)
	}
	for i, f := range r.Found {
		x := explorers[slices.IndexFunc(explorers, func(x *explore.Explorer) bool {
			return f.File == x.Name() && f.Kubernetes == x.Kubernetes()
		})]
		run, err := foundRun(x, f)
		if errors.Is(err, search.ErrCut) {
			continue
		}
		if err != nil {
			return defect{value: err}
		}
		run.Name = r.RunName(i)
		page.Runs = append(page.Runs, run)
	}
	for _, x := range explorers {
		plain := &report.Run{Name: "plain run on " + x.Kubernetes(), File: x.Name(), Events: x.Plain()}
		page.Runs = append(page.Runs, plain)
	}
	return r.Document(o.replayOf).Write(o.out, o.output, render.Style{}, func() doc.Page { return page })
}

// foundRun returns the run of a finding, with its breach as an expectation that failed. The error says that it does not
// play again.
func foundRun(x *explore.Explorer, f *explore.Found) (*report.Run, error) {
	events, breach, err := x.Marked(f.Tape, f.Class)
	if err != nil {
		return nil, err
	}
	return &report.Run{
		File:        x.Name(),
		Description: render.Count(len(f.Tape), "deviation") + " from the plain run: " + breach.Says,
		Events:      events,
		Expectations: []report.Expectation{{
			Verdict: report.Failed, Text: f.Promise, Detail: breach.Says, Instants: []model.Time{breach.At},
		}},
	}, nil
}
