package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
)

// The runs behind a page of a dump: at most so many, none longer than so many events, and of no more sets than that.
// mostOpen is the number of sections that are open at first.
const (
	mostRuns   = doc.MostRuns
	mostEvents = doc.MostEvents
	mostSets   = 12
	mostOpen   = 8
)

// livePage writes the explanation of a dump as a page: a row for each set, a section for each that is not at rest,
// with the ways out, and behind them what happens if nobody does anything, and what happens with each way out. At most
// mostRuns runs are on it.
func (o *explainOptions) livePage(live *explain.Live, lab *play.Lab) error {
	sheet := &html.Sheet{
		Title: "StatefulSets of " + strings.Join(o.dumped(), ", "), Headline: live.Heading(),
		Tone:  liveTone(live),
		Notes: slices.Concat(live.InCommon(), live.Assumed), Command: o.pageCommand(), Playground: o.opens(),
		Header: []string{"State", "StatefulSet", "Serving", "Waits for", "Since", "What ends it"},
	}
	runs := o.withoutHelp(live, lab)
	for _, set := range live.Sets {
		sheet.Rows = append(sheet.Rows, liveRow(set))
		if set.Well() {
			continue
		}
		section := liveSection(set, min(len(runs), 1))
		for i, way := range healing(set) {
			if run := wayRun(live, set, way); run != nil && len(runs) > 0 && len(runs) < mostRuns {
				runs = append(runs, run)
				section.Ways[i].Run, section.Ways[i].Set = len(runs), section.Set
			}
		}
		section.First = section.First && len(sheet.Sections) < mostOpen
		sheet.Sections = append(sheet.Sections, section)
	}
	if len(live.Notes) > 0 {
		sheet.Sections = append(sheet.Sections, html.Section{Title: "What else the dump shows", Lines: live.Notes})
	}
	return sheet.Write(o.out, runs...)
}

// dumped returns the names of the files, without their folders.
func (o *explainOptions) dumped() []string {
	var names []string
	for _, file := range o.files {
		if file == "-" {
			file = "standard input"
		}
		names = append(names, filepath.Base(file))
	}
	return names
}

// withoutHelp returns the run that begins with the dump and in which nobody does anything. There is none if it is too
// long for a page, if nothing happens in it and nothing is waited for, or if the dump does not show the pods of a set.
// So the result has one run or none; if it has none, the page has no runs of the fixes either.
func (o *explainOptions) withoutHelp(live *explain.Live, lab *play.Lab) []*report.Run {
	rest := !slices.ContainsFunc(live.Sets, func(s *explain.LiveSet) bool { return !s.AtRest })
	if rest || !live.Whole() || len(live.Sets) > mostSets {
		return nil
	}
	events := lab.Run(nil)
	if len(events) > mostEvents {
		return nil
	}
	return []*report.Run{{Name: "if nobody does anything", Events: events}}
}

// healing returns the fixes of a set, in the order in which its section has them. They point into the set.
func healing(set *explain.LiveSet) []*explain.WayOut {
	var ways []*explain.WayOut
	for i := range set.WaysOut {
		if way := &set.WaysOut[i]; way.Heals {
			ways = append(ways, way)
		}
	}
	return ways
}

// wayRun returns the run in which a way out was tried, or nil if it is too long for a page.
func wayRun(live *explain.Live, set *explain.LiveSet, way *explain.WayOut) *report.Run {
	if len(way.Events) == 0 || len(way.Events) > mostEvents {
		return nil
	}
	name := way.What
	if len(live.Sets) > 1 {
		name = set.Key().String() + ": " + name
	}
	return &report.Run{Name: name, Events: way.Events}
}

// liveRow returns the row of a set in the table of the page.
func liveRow(s *explain.LiveSet) html.Row {
	word, sentence := s.Standing()
	waits, since := "", ""
	if len(s.Waits) > 0 {
		waits = strings.TrimSpace(string(s.Waits[0].Code) + " " + s.Waits[0].Object)
		if at := s.Waits[0].Since; at < 0 {
			since = dump.Age(model.Time(at)) + " ago"
		}
	}
	ends := sentence
	if way := slices.IndexFunc(s.WaysOut, func(w explain.WayOut) bool { return w.Heals }); way >= 0 && s.TooEarly == "" {
		ends = render.Capital(s.WaysOut[way].What)
	}
	return html.Row{Tone: setTone(s), Cells: []html.Cell{
		{Text: word}, {Text: s.Key().String()}, {Text: fmt.Sprintf("%d of %d", s.Serving, s.Replicas)}, {Text: waits},
		{Text: since}, {Text: ends},
	}}
}

// needsLook says whether somebody has to look at a set.
func needsLook(s *explain.LiveSet) bool {
	return s.Stuck() || s.Unknown != "" || s.StuckOn != "" || len(s.AtRisk) > 0
}

// liveTone is the colour of the page: that of the worst set, and red if what was required does not hold.
func liveTone(live *explain.Live) report.Tone {
	tone := report.Right
	for _, s := range live.Sets {
		if of := setTone(s); urgency(of) > urgency(tone) {
			tone = of
		}
	}
	if !live.Held() {
		return report.Wrong
	}
	return tone
}

// setTone is the colour of a set: red if it is stuck or can lose data, brown if it needs a look all the same.
func setTone(s *explain.LiveSet) report.Tone {
	switch {
	case s.Stuck() || len(s.AtRisk) > 0:
		return report.Wrong
	case needsLook(s):
		return report.Waiting
	}
	return report.Plain
}

// liveSection describes a set that is not at rest: what is wrong, the fixes, then all else that is known. The first
// sections stand above the picture.
func liveSection(s *explain.LiveSet, run int) html.Section {
	word, sentence := s.Standing()
	section := html.Section{Title: fmt.Sprintf("%s %s: %s", word, s.Key(), sentence), Tone: setTone(s), Run: run,
		First: setTone(s) != report.Plain, Set: s.Key().String()}
	var facts []string
	s.Because(func(_ int, text string) { facts = append(facts, text) })
	for _, way := range healing(s) {
		section.Ways = append(section.Ways, html.Way{
			Does: render.Capital(way.What), Costs: way.Costs(), Commands: way.Commands, Dangerous: way.Danger != "",
		})
	}
	section.Lines = facts
	if len(section.Ways) > 0 && len(facts) > 1 {
		// One sentence says what is wrong; the others come after what helps.
		section.Lines, section.Facts = facts[:1:1], facts[1:]
	}
	if s.Tried() {
		head, after := s.Fixes()
		section.Lines, section.After = append(section.Lines, head...), after
	}
	return section
}

// pageCommand returns the command that prints the page.
func (o *explainOptions) pageCommand() string {
	words := append([]string{"sim", "explain", "-o", "html"}, o.world.asked()...)
	given := [][2]string{
		{"--start", o.times[0]}, {"--ready", o.times[1]}, {"--stop", o.times[2]}, {"--now", o.taken}, {"--pod", o.pod},
	}
	for _, flag := range given {
		if flag[1] != "" {
			words = append(words, flag[0], flag[1])
		}
	}
	for _, record := range o.records {
		words = append(words, "--recording", record)
	}
	return command.Line(append(words, o.files...)...)
}

// toneOf returns the tone if it applies, and else that of what needs no look.
func toneOf(applies bool, tone report.Tone) report.Tone {
	if applies {
		return tone
	}
	return report.Plain
}

// urgency orders tones: what fails comes before risks, and these before the rest.
func urgency(t report.Tone) int { return slices.Index([]report.Tone{report.Waiting, report.Wrong}, t) }
