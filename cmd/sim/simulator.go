package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/runs/upgrade"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/work"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// simulator is the engine that really plays.
var simulator = &engine{
	load:           loadScenario,
	check:          checkTimeline,
	expand:         expandScenario,
	schema:         func() ([]byte, error) { return scenario.Schema(), nil },
	versions:       statefulset.Versions,
	versionTable:   upgrade.VersionTable,
	versionChanges: upgrade.VersionChanges,
	causes:         findCauses,
	cures:          findCures,
}

// options turns the flags into the options of the scenario package.
func (o *worldOptions) options() scenario.Options {
	return scenario.Options{Kubernetes: o.kubernetes, Gates: o.gates, Seed: o.seed, With: o.with, Limits: o.limits,
		Root: o.root}
}

// loadScenario reads a scenario for the commands that play it.
func loadScenario(in source, o *worldOptions) (scene, error) {
	s, err := readScenario(in, o)
	if err != nil {
		return nil, err
	}
	return loaded{s}, nil
}

// readScenario reads a scenario with the options of the command line. --until replaces the scenario's own. Paths of
// manifests begin in the folder of the file, or in the working directory for standard input. The result is the
// caller's.
func readScenario(in source, o *worldOptions) (*scenario.Scenario, error) {
	s, err := work.Await(in.Ctx, func() (*scenario.Scenario, error) {
		if in.Data != nil {
			return scenario.Parse(in.Name(), in.Data, scenario.Folder(in.Folder(), o.root), o.options())
		}
		if err := errors.Join(in.TooLarge(o.limits.FileSize), files.Unrendered(in.Path, false)); err != nil {
			return nil, err
		}
		options := o.options()
		options.Root = o.rootOf(in.Path)
		return scenario.Load(in.Path, options)
	})
	if err != nil {
		return nil, err
	}
	if o.until > 0 {
		s.Until, s.UntilGiven = o.until, true
	}
	return s, nil
}

// loaded is a scenario that was read: the scene of the real engine. It is only read by Play and Stream, so several may
// run at once.
type loaded struct{ *scenario.Scenario }

// Name returns the name in the scenario.
func (l loaded) Name() string { return l.Scenario.Name }

// Play plays the scenario and judges its expectations.
func (l loaded) Play(until ends) *played { return l.Stream(until, stream{}) }

// NeedsHistory names the first expectation, if there is one.
func (l loaded) NeedsHistory() error {
	e := l.Scenario.NeedsHistory()
	if e == nil {
		return nil
	}
	return fmt.Errorf("%s: expectations are judged on the whole timeline: play it without --no-history, "+
		"or write a scenario without them", e.Position())
}

// Stream plays the scenario, hands its events on, and judges its expectations.
func (l loaded) Stream(until ends, to stream) *played {
	outcome := l.Run(scenario.RunOptions{
		Sim: Version, Interrupted: until.interrupted, Exhausted: until.exhausted,
		Written: to.written, NoHistory: to.forget,
	})
	return &played{
		Run: report.Run{
			Name: l.Scenario.Name, Description: l.Description,
			Events: outcome.Timeline, Expectations: judged(outcome.Verdicts),
			StepLines: l.StepLines, FaultLines: l.FaultLines,
		},
		ok:          outcome.Held(),
		interrupted: outcome.Result.Verdict == timeline.Interrupted || until.interrupted(),
		ignored:     l.Ignored,
		warnings:    l.Warnings,
	}
}

// judged returns the verdicts as reports have them. The order stays.
func judged(verdicts []expect.Verdict) []report.Expectation {
	words := [...]report.Verdict{expect.Held: report.Held, expect.Failed: report.Failed, expect.Skipped: report.Skipped}
	list := make([]report.Expectation, len(verdicts))
	for i := range verdicts {
		v := &verdicts[i]
		list[i] = report.Expectation{
			Verdict: words[v.Outcome], Text: v.Text, Position: v.Position(), Detail: v.Detail, Want: v.Want,
			Expected: v.Expected, Got: v.Got, Instants: v.Instants, Around: v.Around,
		}
	}
	return list
}

// checkTimeline judges a recorded timeline. The steps and sets that expectations may name are those of the timeline.
// The run has no name, and nothing of the file but its expectations. ok is false for a timeline that was cut off before
// its result.
func checkTimeline(from, by source, o *worldOptions) (*played, error) {
	events, err := files.Timeline(from, o.limits.FileSize)
	if err != nil {
		return nil, err
	}
	data, err := by.Read(o.limits.FileSize)
	if err != nil {
		return nil, err
	}
	expectations, problems := expect.Load(by.Name(), data, o.limits, events)
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	verdicts := expect.Judge(expectations, events)
	failed := slices.ContainsFunc(verdicts, func(v expect.Verdict) bool { return v.Outcome == expect.Failed })
	return &played{
		Run: report.Run{Events: events, Expectations: judged(verdicts)},
		ok:  !failed && expect.Expected(verdicts, events),
	}, nil
}

// expandScenario writes out the short forms and paths of a scenario. Nothing is played.
func expandScenario(in source, o *worldOptions) ([]byte, error) {
	data, err := in.Read(o.limits.FileSize)
	if err != nil {
		return nil, err
	}
	return scenario.Expand(in.Name(), data, scenario.Folder(in.Folder(), o.root), o.options())
}
