package main

import (
	"errors"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/runs/upgrade"
	"github.com/statefulsim/statefulsim/scenario/runs/verdict"
	"github.com/statefulsim/statefulsim/sim/output/work"
	"github.com/statefulsim/statefulsim/sim/statefulset"
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
	causes:         verdict.FindCauses,
	cures:          verdict.FindCures,
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
	return verdict.Scenario{Scenario: s, Sim: Version}, nil
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
	return verdict.Check(by.Name(), data, o.limits, events)
}

// expandScenario writes out the short forms and paths of a scenario. Nothing is played.
func expandScenario(in source, o *worldOptions) ([]byte, error) {
	data, err := in.Read(o.limits.FileSize)
	if err != nil {
		return nil, err
	}
	return scenario.Expand(in.Name(), data, scenario.Folder(in.Folder(), o.root), o.options())
}
