package main

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// manyEvents is the length up to which a run is played again to find its way out without being asked: each way that is
// tried plays the whole of it.
const manyEvents = 50_000

// findCures plays the ways out of the sets that are stuck at the end of a run, and returns those that heal.
func findCures(of scene, events []timeline.Event, interrupted func() bool) []report.Cure {
	result := events[len(events)-1].Result
	if result == nil || result.Verdict != timeline.IsStuck || len(events) > manyEvents {
		return nil
	}
	s := of.(loaded)
	config := s.Config(scenario.RunOptions{Sim: Version, Interrupted: interrupted})
	play := func(more []sim.Step) []timeline.Event {
		return sim.New(config).Run(slices.Concat(s.Steps, more))
	}
	var cures []report.Cure
	seen := map[model.Key]bool{}
	for _, stuck := range result.Stuck {
		if seen[stuck.Set] {
			continue
		}
		seen[stuck.Set] = true
		if cure, _ := heal.Find(events, stuck.Set, play); cure != nil && !interrupted() {
			cures = append(cures, cureOf(cure, stuck.Set, len(s.Steps)))
		}
	}
	return cures
}

// cureOf is a way out as reports have it, with what it costs. Before is the number of the scenario's own steps.
func cureOf(cure *heal.Cure, key model.Key, before int) report.Cure {
	c := report.Cure{Set: key, Commands: cure.Commands, Reverts: cure.Reverts, Danger: cure.Danger, Takes: cure.Takes}
	first := added(cure.Events, before)
	for i := first; i < len(cure.Events); i++ {
		if e := &cure.Events[i]; e.Kind == timeline.KindPod && e.Set == key && e.State == timeline.Terminating {
			c.Deleted++
		}
	}
	c.Fewest = -1
	for fold := range timeline.Ticks(cure.Events) {
		set := fold.Set(key)
		if fold.Index <= first || set == nil || set.Spec == nil {
			continue
		}
		c.Replicas = int(set.Spec.Spec.Replicas)
		if serving := set.Serving(); c.Fewest < 0 || serving < c.Fewest {
			c.Fewest = serving
		}
	}
	c.Fewest = max(c.Fewest, 0)
	return c
}

// added finds the first event behind the scenario's own steps.
func added(events []timeline.Event, before int) int {
	for i := range events {
		if step := events[i].Step; step != nil && step.Number == before+1 {
			return i
		}
	}
	return len(events)
}

// leadOut adds to a run that has not come to rest the ways out of it, or else the command that looks for the reason.
func (p *played) leadOut(of scene, e *engine, world *worldOptions, interrupted func() bool) {
	if len(p.Events) == 0 || p.Events[len(p.Events)-1].Result == nil || p.interrupted {
		return
	}
	switch p.Events[len(p.Events)-1].Result.Verdict {
	case timeline.IsStuck, timeline.Livelock:
	default:
		return
	}
	if e.cures != nil {
		p.Cures = e.cures(of, p.Events, interrupted)
	}
	if len(p.Cures) == 0 {
		p.Explain = page.Shell(slices.Concat([]string{"sim", "explain"}, world.asked(), []string{p.File})...)
	}
}

// carry gives the run its scenario as the file has it, for reports that show it. One that cannot be read any more is
// left out.
func (p *played) carry(in source, limit int64) {
	data, err := in.read(limit)
	if err == nil && int64(len(data)) <= limit {
		p.Source = string(data)
	}
}
