package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// RunOptions change how a scenario is played. The zero value plays it as it says.
type RunOptions struct {
	// Sim is the version of the simulator, for the header of the timeline.
	Sim string
	// Chooser answers what is not determined; nil draws timings by the scenario's seed, and is dull in all else.
	Chooser choose.Chooser
	// Watch and Interrupted are those of sim.Config.
	Watch       func(*sim.World)
	Interrupted func() bool
}

// Outcome is what came of a run.
type Outcome struct {
	// Timeline is the whole record, from the header to the result.
	Timeline []timeline.Event
	// Result is that of its last event.
	Result timeline.Result
	// Verdicts say of each expectation whether it held. Behind those of the file stand those of the refusals that steps
	// expect, and a failure for each step that came too late for its time.
	Verdicts []expect.Verdict
}

// Failed returns the verdicts of the expectations that did not hold.
func (o *Outcome) Failed() []expect.Verdict {
	held := func(v expect.Verdict) bool { return v.Outcome != expect.Failed }
	return slices.DeleteFunc(slices.Clone(o.Verdicts), held)
}

// Held says whether all expectations held, and the run settled or ended as one of them says.
func (o *Outcome) Held() bool {
	return len(o.Failed()) == 0 && expect.Expected(o.Verdicts, o.Timeline)
}

// Config returns the world of the scenario, for those who want to change it before they play.
func (s *Scenario) Config(o RunOptions) sim.Config {
	chooser := o.Chooser
	if chooser == nil {
		chooser = choose.Seeded(s.Seed)
	}
	return sim.Config{
		Controller: statefulset.New(s.Profile),
		API:        s.Profile.API(),
		Kubelet:    s.Kubelet,
		Chooser:    chooser,
		Until:      s.Until,
		MaxEvents:  s.MaxEvents,
		Header: timeline.Run{
			Format:     timeline.FormatVersion,
			Sim:        o.Sim,
			Scenario:   s.Name,
			Kubernetes: s.Profile.Version(),
			Gates:      s.Gates,
			Seed:       s.Seed,
			Digest:     s.Digest,
			Until:      s.Until,
		},
		Watch:       o.Watch,
		Interrupted: o.Interrupted,
	}
}

// Run plays the scenario and judges its expectations on the timeline.
func (s *Scenario) Run(o RunOptions) *Outcome {
	events := sim.New(s.Config(o)).Run(s.Steps)
	return &Outcome{
		Timeline: events,
		Result:   *events[len(events)-1].Result,
		Verdicts: slices.Concat(expect.Judge(s.Expectations, events), s.refusals(events), s.late(events)),
	}
}

// refusals judges whether the steps that expect to be refused were. A step that was refused otherwise than it expects
// has ended the run, and is a failure here too.
func (s *Scenario) refusals(events []timeline.Event) []expect.Verdict {
	var verdicts []expect.Verdict
	for i := range s.refused {
		v := expect.Verdict{Expectation: &s.refused[i].Expectation, Outcome: expect.Failed}
		v.Detail = "the step never acted"
		for j := range events {
			if step := events[j].Step; step != nil && step.Number == s.refused[i].step {
				v.Instants = []model.Time{events[j].T}
				v.Outcome, v.Detail = refusalOf(step)
			}
		}
		if v.Outcome == expect.Held {
			v.Instants = nil
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

func refusalOf(step *timeline.Step) (expect.Outcome, string) {
	switch {
	case step.Effect != timeline.Refused:
		return expect.Failed, fmt.Sprintf("the step was not refused: %s", step.Effect)
	case !strings.Contains(strings.ToLower(step.Refusal), strings.ToLower(step.ExpectedRefusal)):
		return expect.Failed, "the refusal is " + step.Refusal
	}
	return expect.Held, ""
}

// late judges whether the steps that have a time acted at it. One whose time is before the step that precedes it can not.
func (s *Scenario) late(events []timeline.Event) []expect.Verdict {
	var verdicts []expect.Verdict
	for i := range events {
		step := events[i].Step
		if step == nil || step.Trigger != sim.At.String() || events[i].T.Sub(0) <= step.Delay {
			continue
		}
		e := expect.Expectation{Kind: "at", Text: fmt.Sprintf("at: %s", step.Delay), File: s.Path}
		if at, found := s.times[step.Number]; found {
			e.Line, e.Column = at.Line, at.Column
		}
		verdicts = append(verdicts, expect.Verdict{
			Expectation: &e, Outcome: expect.Failed, Instants: []model.Time{events[i].T},
			Detail: fmt.Sprintf("the step before acted only at %ss: give this one a later time, or after", events[i].T.Seconds()),
		})
	}
	return verdicts
}
