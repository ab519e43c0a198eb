package main

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// manyEvents is the length up to which the ways out of a run are looked for without being asked: each way that is
// tried plays the whole of it.
const manyEvents = 50_000

// findCures plays the ways out of the sets that are stuck at the end of a run, and returns those that heal, at most one
// for each set: the best. Of a long run it looks at the first sets only: a dump may have hundreds that are stuck.
// untried says why it did not try all that it would have; "" if it did, or if nothing that it tried heals. The scene
// must be one of the real engine, and events its run, which is never empty. The cures are in the order in which the
// sets are listed as stuck.
func findCures(of scene, events []timeline.Event, interrupted func() bool) (cures []report.Cure, untried string) {
	result := events[len(events)-1].Result
	if result == nil || result.Verdict != timeline.IsStuck || len(events) > manyEvents {
		return nil, ""
	}
	s := of.(loaded)
	lab := labOf(s.Scenario, s.Config(scenario.RunOptions{Sim: Version, Interrupted: interrupted}))
	sets := setsOf(result.Stuck)
	first := sets[:min(len(sets), max(1, manyEvents/len(events)))]
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

// labOf returns a laboratory whose worlds play the steps of a scenario first. It shares the scenario, which no world
// changes.
func labOf(s *scenario.Scenario, config sim.Config) *play.Lab {
	return &play.Lab{Profile: s.Profile, World: config, Before: s.Steps}
}

// leadOut adds to a run that has not come to rest the ways out of it, or else the command that looks for the reason. It
// does nothing for a run that has. The file of the run must be set. It costs a run for each way that is tried, and may
// be called by several goroutines for different runs.
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
		p.Cures, p.Untried = e.cures(of, p.Events, interrupted)
	}
	if len(p.Cures) == 0 && p.Untried == "" {
		p.Explain = command.Line(slices.Concat([]string{"sim", "explain"}, world.asked(), []string{p.File})...)
	}
}

// carry gives the run its scenario as the file has it, for reports that show it. A file that cannot be read again, or
// is too long, is left out.
func (p *played) carry(in source, limit int64) {
	data, err := in.Read(limit)
	if err == nil && int64(len(data)) <= limit {
		p.Source = string(data)
	}
}
