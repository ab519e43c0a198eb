package main

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/explore"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/report/html"
)

// page writes what was found as a page: on one axis of time the plain run of each exploration, and below it each run
// that breaks a promise, in which the deviations are marked.
func (o *exploreOptions) page(explorers []*explore.Explorer, r *explore.Report) error {
	var runs []*report.Run
	for _, x := range explorers {
		plain := &report.Run{Name: "plain run on " + x.Kubernetes(), File: x.Name(), Events: x.Plain()}
		runs = append(runs, plain)
		for _, f := range r.Found {
			if f.File != x.Name() || f.Kubernetes != x.Kubernetes() {
				continue
			}
			run, err := foundRun(x, f)
			if err != nil {
				return defect{value: err}
			}
			run.File = plain.File
			runs = append(runs, run)
		}
	}
	return html.Write(o.out, runs...)
}

// foundRun is the run of a finding, with its breach as an expectation that failed.
func foundRun(x *explore.Explorer, f *explore.Found) (*report.Run, error) {
	events, breach, err := x.Marked(f.Tape, f.Class)
	if err != nil {
		return nil, err
	}
	return &report.Run{
		Name:        f.Promise + " on " + f.Kubernetes,
		Description: page.Count(len(f.Tape), "deviation") + " from the plain run: " + breach.Says,
		Events:      events, Source: f.Scenario,
		Expectations: []report.Expectation{{
			Verdict: report.Failed, Text: f.Promise, Detail: breach.Says, Instants: []model.Time{breach.At},
		}},
	}, nil
}
