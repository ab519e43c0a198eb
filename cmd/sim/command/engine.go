package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Engine does the work of the commands. Tests replace it, and leave out what they do not call. Its functions may be
// called by several goroutines.
type Engine struct {
	// Load reads a scenario. Wrong input is an error that says where and what.
	Load func(in Source, o *World) (Scene, error)
	// Check judges a recorded timeline by the expectations of a file.
	Check func(timeline, expectations Source, o *World) (*Played, error)
	// Versions lists the Kubernetes versions, oldest first.
	Versions func() []string
	// Causes explain why runs diverge, and Cures find ways out.
	Causes verdict.Causes
	Cures  verdict.Cures
}

// The input and output of the engine.
type (
	Source = files.Source
	Scene  = verdict.Scene
	Ends   = verdict.Ends
	Stream = verdict.Stream
	Played = verdict.Run
)

// Carry gives the run its scenario as the file has it, for reports that show it. A file that cannot be read again, or
// is too long, is left out.
func Carry(p *Played, in Source, limit int64) {
	if data, err := in.Read(limit); err == nil && int64(len(data)) <= limit {
		p.Source = string(data)
	}
}

// Outcome is the error of a run: errInterrupted, errFailed or none.
func Outcome(p *Played) error {
	switch {
	case p.Interrupted:
		return ErrInterrupted
	case !p.OK:
		return ErrFailed
	}
	return nil
}

// LoadAll loads n scenarios, and reports what is wrong in any of them, each problem once. They are in their order.
func LoadAll[T any](n int, load func(i int) (T, error)) ([]T, error) {
	var all []T
	var problems WrongInput
	for i := range n {
		one, err := load(i)
		if err != nil && !slices.Contains(problems, err.Error()) {
			problems = append(problems, err.Error())
		}
		all = append(all, one)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return all, nil
}

// Simulator is the engine that really plays.
var Simulator = &Engine{
	Load: loadScenario, Check: checkTimeline, Versions: statefulset.Versions, Causes: verdict.FindCauses,
	Cures: verdict.FindCures,
}

// Options turns the flags into the options of the scenario package.
func (o *World) Options() scenario.Options {
	return scenario.Options{Kubernetes: o.Kubernetes, Gates: o.Gates, Seed: o.Seed, With: o.With, Limits: o.Limits,
		Root: o.Root}
}

// loadScenario reads a scenario for the commands that play it.
func loadScenario(in Source, o *World) (Scene, error) {
	s, err := ReadScenario(in, o)
	if err != nil {
		return nil, err
	}
	return verdict.Scenario{Scenario: s, Sim: Version}, nil
}

// ReadScenario reads a scenario with the options of the command line. --until replaces the scenario's own. Paths of
// manifests are relative to the folder of the file, or to the working directory for standard input. The caller owns
// the result.
func ReadScenario(in Source, o *World) (*scenario.Scenario, error) {
	s, err := work.Await(in.Ctx, func() (*scenario.Scenario, error) {
		if in.Data != nil {
			return scenario.Parse(in.Name(), in.Data, scenario.Folder(in.Folder(), o.Root), o.Options())
		}
		if err := errors.Join(in.TooLarge(o.Limits.FileSize), files.Unrendered(in.Path, false)); err != nil {
			return nil, err
		}
		options := o.Options()
		options.Root = o.RootOf(in.Path)
		return scenario.Load(in.Path, options)
	})
	if err != nil {
		return nil, err
	}
	if o.Until > 0 {
		s.Until, s.UntilGiven = o.Until, true
	}
	return s, nil
}

// checkTimeline judges a recorded timeline. Expectations may name the steps and sets of the timeline. The run has
// no name, and nothing from the file except its expectations. ok is false for a timeline that was cut off before
// its result.
func checkTimeline(from, by Source, o *World) (*Played, error) {
	events, err := files.Timeline(from, o.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	data, err := by.Read(o.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	return verdict.Check(by.Name(), data, o.Limits, events)
}

// WrongInput lists what is wrong in the files of a command line, file by file. The exit code is 2. It has at least one
// entry.
type WrongInput []string

// Error returns all of it, a line each.
func (w WrongInput) Error() string { return strings.Join(w, "\n") }

// Worse returns the error that says more about the whole: a defect, an interruption, wrong input, a failure. nil is
// best.
func Worse(a, b error) error {
	rank := func(err error) int {
		switch {
		case err == nil:
			return 0
		case errors.As(err, new(work.Defect)):
			return 4
		case errors.Is(err, ErrInterrupted):
			return 3
		case errors.Is(err, ErrFailed):
			return 1
		}
		return 2
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}
