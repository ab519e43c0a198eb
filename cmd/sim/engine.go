package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// engine does the work of the commands. Tests replace it, and leave out what they do not call. Its functions may be
// called by several goroutines.
type engine struct {
	// load reads a scenario. Wrong input is an error that says where and what.
	load func(in source, o *worldOptions) (scene, error)
	// check judges a recorded timeline by the expectations of a file.
	check func(timeline, expectations source, o *worldOptions) (*played, error)
	// expand writes a scenario's short forms out.
	expand func(in source, o *worldOptions) ([]byte, error)
	// schema is the JSON Schema of scenarios.
	schema func() ([]byte, error)
	// versions lists the Kubernetes versions, oldest first; versionTable says in what they differ, and versionChanges in
	// what two of them do.
	versions       func() []string
	versionTable   func() *report.VersionTable
	versionChanges func(from, to string) (*report.VersionChanges, error)
	// causes says which differences between the versions of two scenes make the second do what it does where they part.
	causes func(from, to scene, interrupted func() bool) []report.Cause
	// cures plays the ways out of a scene whose run has ended stuck, and returns those that heal, and why it has not
	// tried all; nil plays none.
	cures func(of scene, events []timeline.Event, interrupted func() bool) (cures []report.Cure, untried string)
}

// scene is a scenario that is ready to be played.
type scene interface {
	// Name is the name in the scenario.
	Name() string
	// Play plays it, and judges it. It may be called again, with the same result, and by several goroutines.
	Play(until ends) *played
	// Stream is Play for who wants the events while it goes on. NeedsHistory says why the scenario cannot be played with
	// stream.forget, nil if it can.
	Stream(until ends, to stream) *played
	NeedsHistory() error
}

// stream is handed the events of a run while it goes on.
type stream struct {
	// written is given the events in their order, each once; the slice is valid during the call.
	written func([]timeline.Event)
	// forget says that the run forgets them then: what was played has the header, the steps and the result only.
	forget bool
}

// ends are the reasons to end a run early; both are asked now and then, from the goroutine of the run. interrupted is
// never nil; exhausted is nil where nothing limits the run, as in a lesson.
type ends struct {
	// interrupted says that the user wants the end at once.
	interrupted func() bool
	// exhausted says why the run may not go on, or "".
	exhausted func() string
}

// played is a run and its judgement.
type played struct {
	report.Run
	// ok says that all expectations held, and that the run ended as expected. The exit code follows it.
	ok bool
	// interrupted says that the user ended the run; then ok means nothing.
	interrupted bool
	// ignored names the objects that have no effect, each once.
	ignored []string
	// warnings are things in manifests that are probably mistakes.
	warnings []string
}

// source is a file that was named on the command line.
type source = files.Source

// loadAll loads n scenarios, and reports what is wrong in any of them, each problem once. They are in their order.
func loadAll[T any](n int, load func(i int) (T, error)) ([]T, error) {
	var all []T
	var problems wrongInput
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

// fail adds to a failed run the command that repeats it, and the reason if no expectation has failed. It must be called
// only if ok is false: it does not look.
func (p *played) fail(repeat string) {
	p.Repeat = repeat
	failed := func(e report.Expectation) bool { return e.Verdict == report.Failed }
	if slices.ContainsFunc(p.Expectations, failed) || p.interrupted || len(p.Events) == 0 {
		return
	}
	p.Complaint = "the timeline has no result: it was cut off"
	if result := p.Events[len(p.Events)-1].Result; result != nil {
		p.Complaint = fmt.Sprintf("the run did not settle, and no expectation said so: "+
			"if it should end like that, expect `ends: %s`", result.Verdict)
	}
}

// Seed returns the seed of the run's header, which may come from the scenario; 0 if there is no run.
func (p *played) Seed() uint64 {
	if len(p.Events) == 0 || p.Events[0].Run == nil {
		return 0
	}
	return p.Events[0].Run.Seed
}

// wrong says what made the run fail: the expectations that did not hold, or else how it ended, as fail has noted it. It
// is "" if nothing went wrong, or the user ended the run before.
func (p *played) wrong() string {
	var failed []string
	for i := range p.Expectations {
		if e := &p.Expectations[i]; e.Verdict == report.Failed {
			failed = append(failed, e.Text)
		}
	}
	if len(failed) == 0 {
		return p.Complaint
	}
	return strings.Join(failed, "; ")
}
