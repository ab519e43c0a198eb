package main

import (
	"path/filepath"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// dumped returns the names of the files, without their folders, or the place in the live cluster.
func (o *explainOptions) dumped() []string {
	if o.cluster.live {
		return []string{o.cluster.asks.Place()}
	}
	var names []string
	for _, file := range o.files {
		if file == "-" {
			file = "standard input"
		}
		names = append(names, filepath.Base(file))
	}
	return names
}

// mostSets is the number of sets of a dump up to which its page has runs.
const mostSets = 12

// behind returns the runs that the page carries: what happens if nobody does anything, and then what happens with each
// fix. There are none if the first is too long for a page, if nothing happens in it and nothing is waited for, or if
// the dump does not show the pods of a set.
func (o *explainOptions) behind(dumped *explain.Dumped, lab *play.Lab) []*report.Run {
	rest := !slices.ContainsFunc(dumped.Sets, func(s *explain.DumpedSet) bool { return !s.AtRest })
	if rest || !dumped.Whole() || len(dumped.Sets) > mostSets {
		return nil
	}
	runs := []*report.Run{{Name: explain.Alone, Events: lab.Run(nil)}}
	if len(runs[0].Events) > doc.MostEvents {
		return nil
	}
	for _, set := range dumped.Sets {
		for i := range set.WaysOut {
			way := &set.WaysOut[i]
			if n := len(way.Events); way.Heals && n > 0 && n <= doc.MostEvents && len(runs) < doc.MostRuns {
				runs = append(runs, &report.Run{Name: way.RunName(), Events: way.Events})
			}
		}
	}
	return runs
}

// pageCommand returns the command that prints the page.
func (o *explainOptions) pageCommand() string {
	words := append([]string{"sim", "explain", "-o", "html"}, o.world.asked()...)
	words = append(words, flagWords("--now", o.taken, "--pod", o.pod, "--namespace", o.namespace)...)
	return command.Line(slices.Concat(words, o.times.words(), o.cluster.words(), o.files)...)
}
