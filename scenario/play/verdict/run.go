// Package verdict plays a scenario once, judges the run, and adds to it what helps whoever reads it: the command that
// repeats it, the ways out of a set that is stuck, where two runs part and why.
package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Scene is a scenario that is ready to be played.
type Scene interface {
	// Name is the name in the scenario.
	Name() string
	// Play plays it, and judges it. It may be called again, with the same result, and by several goroutines.
	Play(until Ends) *Run
	// Stream is Play for who wants the events while it goes on. NeedsHistory says why the scenario cannot be played with
	// Stream.Forget, nil if it can.
	Stream(until Ends, to Stream) *Run
	NeedsHistory() error
}

// Stream is handed the events of a run while it goes on.
type Stream struct {
	// Written is given the events in their order, each once; the slice is valid during the call.
	Written func([]timeline.Event)
	// Forget says that the run forgets them then: what was played has the header, the steps and the result only.
	Forget bool
}

// Ends are the reasons to end a run early; both are asked now and then, from the goroutine of the run. Interrupted is
// never nil; Exhausted is nil where nothing limits the run, as in a lesson.
type Ends struct {
	// Interrupted says that the user wants the end at once.
	Interrupted func() bool
	// Exhausted says why the run may not go on, or "".
	Exhausted func() string
}

// Run is a run and its judgement.
type Run struct {
	report.Run
	// OK says that all expectations held, and that the run ended as expected. The exit code follows it.
	OK bool
	// Interrupted says that the user ended the run; then OK means nothing.
	Interrupted bool
	// Ignored names the objects that have no effect, each once.
	Ignored []string
	// Warnings are things in manifests that are probably mistakes.
	Warnings []string
}

// Scenario is a scenario that was read: the scene of the real engine. Play and Stream only read it.
type Scenario struct {
	*scenario.Scenario
	// Sim is the release of sim, which is in the header of a timeline.
	Sim string
}

// Name returns the name in the scenario.
func (l Scenario) Name() string { return l.Scenario.Name }

// Play plays the scenario and judges its expectations.
func (l Scenario) Play(until Ends) *Run { return l.Stream(until, Stream{}) }

// NeedsHistory names the first expectation, if there is one.
func (l Scenario) NeedsHistory() error {
	e := l.Scenario.NeedsHistory()
	if e == nil {
		return nil
	}
	return fmt.Errorf("%s: expectations are judged on the whole timeline: play it without --no-history, "+
		"or write a scenario without them", e.Position())
}

// Stream plays the scenario, hands its events on, and judges its expectations.
func (l Scenario) Stream(until Ends, to Stream) *Run {
	outcome := l.Run(scenario.RunOptions{
		Sim: l.Sim, Interrupted: until.Interrupted, Exhausted: until.Exhausted,
		Written: to.Written, NoHistory: to.Forget,
	})
	return &Run{
		Run: report.Run{
			Name: l.Scenario.Name, Description: l.Description,
			Events: outcome.Timeline, Expectations: judged(outcome.Verdicts),
			StepLines: l.StepLines, FaultLines: l.FaultLines,
		},
		OK:          outcome.Held(),
		Interrupted: outcome.Result.Verdict == timeline.Interrupted || until.Interrupted(),
		Ignored:     l.Ignored,
		Warnings:    l.Warnings,
	}
}

// Check judges a timeline by the expectations of a file. They may name its steps and sets.
func Check(name string, data []byte, limits strict.Limits, events []timeline.Event) (*Run, error) {
	expectations, problems := expect.Load(name, data, limits, events)
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	verdicts := expect.Judge(expectations, events)
	failed := slices.ContainsFunc(verdicts, func(v expect.Verdict) bool { return v.Outcome == expect.Failed })
	return &Run{
		Run: report.Run{Events: events, Expectations: judged(verdicts)},
		OK:  !failed && expect.Expected(verdicts, events),
	}, nil
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

// Fail adds to a failed run the command that repeats it, and the reason if no expectation has failed. It must be called
// only if ok is false: it does not look.
func (p *Run) Fail(repeat string) {
	p.Repeat = repeat
	failed := func(e report.Expectation) bool { return e.Verdict == report.Failed }
	if slices.ContainsFunc(p.Expectations, failed) || p.Interrupted || len(p.Events) == 0 {
		return
	}
	p.Complaint = "the timeline has no result: it was cut off"
	if result := p.Events[len(p.Events)-1].Result; result != nil {
		p.Complaint = fmt.Sprintf("the run did not settle, and no expectation said so: "+
			"if it should end like that, expect `ends: %s`", result.Verdict)
	}
}

// Seed returns the seed of the run's header, which may come from the scenario; 0 if there is no run.
func (p *Run) Seed() uint64 {
	if len(p.Events) == 0 || p.Events[0].Run == nil {
		return 0
	}
	return p.Events[0].Run.Seed
}

// Wrong says what made the run fail: the expectations that did not hold, or else how it ended, as Fail has noted it. It
// is "" if nothing went wrong, or the user ended the run before.
func (p *Run) Wrong() string {
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

// mostIgnored is the number of ignored objects up to which they are named one by one.
const mostIgnored = 5

// TellInput says which objects of a file's manifests have no effect, and what in them is probably a mistake. It goes
// to standard error, so that it is no part of a document.
func (p *Run) TellInput(out io.Writer, file string) {
	for _, warning := range p.Warnings {
		fmt.Fprintf(out, "warning: %s\n", warning)
	}
	if len(p.Ignored) <= mostIgnored {
		for _, name := range p.Ignored {
			fmt.Fprintf(out, "%s: %s has no effect and is ignored\n", file, name)
		}
		return
	}
	fmt.Fprintf(out, "%s: %d objects have no effect and are ignored: %s\n", file, len(p.Ignored), countKinds(p.Ignored))
}

// countKinds counts objects, named as Kind NAME, by their kinds, the most first.
func countKinds(names []string) string {
	var kinds []string
	counts := map[string]int{}
	for _, name := range names {
		kind, _, _ := strings.Cut(name, " ")
		if counts[kind]++; counts[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", counts[kind], kind)
	}
	return strings.Join(kinds, ", ")
}

// Part finds where the runs of a comparison diverge, each of which was played from the scene of its number, and why,
// unless that is to be left out. Runs with the same timeline are one group; each group is compared with the first.
// After an interruption there may be fewer runs than scenes.
func Part(c *report.Comparison, scenes []Scene, causes Causes, without func() bool) {
	var timelines [][]timeline.Event
	for i := range c.Versions {
		timelines = append(timelines, c.Versions[i].Events)
	}
	c.Groups = versus.Groups(timelines)
	for _, group := range c.Groups[1:] {
		first, other := c.Groups[0][0], group[0]
		parting := report.Parting{
			Names:   [2]string{c.Versions[first].Version, c.Versions[other].Version},
			Parting: versus.Compare(timelines[first], timelines[other]),
		}
		if !without() {
			parting.Causes = causes(scenes[first], scenes[other], without)
		}
		c.Partings = append(c.Partings, parting)
	}
}

// Causes says which differences between the versions of two scenes make the second do what it does where they part.
type Causes func(from, to Scene, interrupted func() bool) []report.Cause

// FindCauses plays a scenario under the versions of two scenes, and with single differences between them reverted: a
// difference without which the runs would not diverge is a cause. Both scenes must have been loaded from one scenario.
// It costs a run for each difference. The causes of the point where the runs diverge come first, then those of what is
// left at the end (Left).
func FindCauses(from, to Scene, interrupted func() bool) []report.Cause {
	a, b := from.(Scenario), to.(Scenario)
	pair := upgrade.NewPair(a.Profile, b.Profile, func(profile statefulset.Profile, until time.Duration) []timeline.Event {
		under := *b.Scenario
		under.Profile = profile
		if until > 0 {
			under.Until = min(until, under.Until)
		}
		return sim.New(under.Config(scenario.RunOptions{Interrupted: interrupted})).Run(under.Steps)
	})
	left := upgrade.CausesOf(pair.CausesOfLeft(), pair.To)
	for i := range left {
		left[i].Left = true
	}
	return append(upgrade.CausesOf(pair.Causes(), pair.To), left...)
}
