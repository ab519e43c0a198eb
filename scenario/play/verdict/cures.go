package verdict

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// ManyEvents is the length up to which the ways out of a run are looked for without being asked: each way that is
// tried plays the whole of it.
const ManyEvents = 50_000

// FindCures plays the ways out of the sets that are stuck at the end of a run, and returns those that heal, at most one
// for each set: the best. Of a long run it looks at the first sets only: a dump may have hundreds that are stuck.
// untried says why it did not try all that it would have; "" if it did, or if nothing that it tried heals. The scene
// must be one of the real engine, and events its run, which is never empty. The cures are in the order in which the
// sets are listed as stuck.
func FindCures(of Scene, events []timeline.Event, interrupted func() bool) (cures []report.Cure, untried string) {
	result := events[len(events)-1].Result
	if result == nil || result.Verdict != timeline.IsStuck || len(events) > ManyEvents {
		return nil, ""
	}
	s := of.(Scenario)
	lab := LabOf(s.Scenario, s.Config(scenario.RunOptions{Sim: s.Sim, Interrupted: interrupted}))
	sets := setsOf(result.Stuck)
	first := sets[:min(len(sets), max(1, ManyEvents/len(events)))]
	for _, set := range first {
		stuck := heal.Stuck{Key: set, Lab: lab, Events: events}
		way, _ := stuck.Best()
		if interrupted() {
			return cures, ""
		}
		if way != nil {
			cures = append(cures, report.Cure{Set: set, Way: way.Way})
		} else if untried = stuck.Untried(); untried != "" {
			// The other sets have the same conditions.
			return cures, untried
		}
	}
	if len(first) < len(sets) && len(cures) > 0 {
		untried = fmt.Sprintf("each plays the whole run again, so only %d of %d stuck StatefulSets were looked at",
			len(first), len(sets))
	}
	return cures, untried
}

// setsOf returns the sets that wait, each once. The order is that of their first waits.
func setsOf(stuck []timeline.Stuck) []model.Key {
	var sets []model.Key
	seen := map[model.Key]bool{}
	for _, one := range stuck {
		if !seen[one.Set] {
			seen[one.Set] = true
			sets = append(sets, one.Set)
		}
	}
	return sets
}

// LabOf returns a laboratory whose worlds play the steps of a scenario first. It shares the scenario, which no world
// changes.
func LabOf(s *scenario.Scenario, config sim.Config) *play.Lab {
	return &play.Lab{Profile: s.Profile, World: config, Before: s.Steps}
}

// LeadOut adds to a run that has not come to rest the ways out of it, or else the command that looks for the reason. It
// does nothing for a run that has. The file of the run must be set. It costs a run for each way that is tried, and may
// be called by several goroutines for different runs. asked are the flags of the world.
func (p *Run) LeadOut(of Scene, cures Cures, asked []string, interrupted func() bool) {
	if len(p.Events) == 0 || p.Events[len(p.Events)-1].Result == nil || p.Interrupted {
		return
	}
	switch p.Events[len(p.Events)-1].Result.Verdict {
	case timeline.IsStuck, timeline.Livelock:
	default:
		return
	}
	if cures != nil {
		p.Cures, p.Untried = cures(of, p.Events, interrupted)
	}
	if len(p.Cures) == 0 && p.Untried == "" {
		p.Explain = shell.Line(slices.Concat([]string{"sim", "explain"}, asked, []string{p.File})...)
	}
}

// Cures plays the ways out of a scene whose run has ended stuck, and returns those that heal, and why it has not tried
// all; nil plays none.
type Cures func(of Scene, events []timeline.Event, interrupted func() bool) (cures []report.Cure, untried string)

// StepsOf returns the steps of a scenario as expectations name them. It is nil for the scene of another engine.
func StepsOf(scene Scene) []expect.Step {
	var steps []expect.Step
	if s, is := scene.(Scenario); is {
		for _, step := range s.Steps {
			steps = append(steps, expect.Step{Number: step.Number, Name: step.Name, Verb: step.Verb})
		}
	}
	return steps
}
