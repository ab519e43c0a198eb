package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/runs/upgrade"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// upgradeFormats are the forms of an upgrade: those of plain reports, and a page.
var upgradeFormats = append(append([]string{}, plainFormats...), "html")

// upgradePage writes an upgrade as a page: a row for each set that behaves differently on a hop, a section for those of
// one shape, and behind them the runs of what is for the worse. It plays the runs that are on it again.
func (o *upgradeOptions) upgradePage(found *upgrade.Report, again func(*upgrade.Entry) [2][]timeline.Event) error {
	sheet := &html.Sheet{
		Title:    fmt.Sprintf("Kubernetes %s to %s", found.From, found.To),
		Headline: render.Capital(found.Headline()), Tone: report.Right, Command: o.pageCommand(),
		Header: []string{"StatefulSet", "From", "To", "For the worse", "Otherwise different", "By"},
		Notes:  found.Notes(),
	}
	if found.Worse > 0 {
		sheet.Tone = report.Wrong
	}
	entries := found.Entries()
	if o.only == onlyWorse {
		entries = slices.DeleteFunc(entries, func(e upgrade.Entry) bool { return len(e.Worse) == 0 })
	}
	runs := &upgradeRuns{again: again}
	for _, entry := range entries {
		first := runs.add(&entry)
		for i, set := range entry.Sets {
			name := html.Cell{Text: set, Href: fmt.Sprintf("#section-%d", len(sheet.Sections)+1)}
			if i == 0 && first > 0 {
				name.Href = fmt.Sprintf("#run=%d", first)
			}
			sheet.Rows = append(sheet.Rows, html.Row{Tone: toneOf(len(entry.Worse) > 0, report.Wrong), Cells: []html.Cell{
				name, {Text: entry.From}, {Text: entry.To}, {Text: strings.Join(entry.Worse, ", ")},
				{Text: strings.Join(entry.Others, ", ")}, {Text: strings.Join(entry.Causes, ", ")},
			}})
		}
		sheet.Sections = append(sheet.Sections, o.entrySection(&entry, first))
	}
	worst := 0
	for i := range sheet.Sections {
		if section := &sheet.Sections[i]; section.Tone == report.Wrong {
			worst++
			section.First = worst <= mostBefore
			section.Tone = toneOf(worst <= mostOpen, report.Wrong)
		}
	}
	sheet.Sections = append(sheet.Sections, casesOf(entries)...)
	return sheet.Write(o.out, runs.list...)
}

// entrySection is the section of the sets of one shape: what they are, and a table of the cases. run is the number of
// the run of the first case, 0 if it is not on the page.
func (o *upgradeOptions) entrySection(entry *upgrade.Entry, run int) html.Section {
	table := [][]string{{"Case", entry.From, entry.To, "Way out", "By"}}
	for _, c := range entry.Cases {
		ends := c.Ends
		if ends[0] == ends[1] {
			ends[1] += ", but not in the same way"
		}
		name := c.Name + ": " + c.Does
		if c.Worse {
			name = "WORSE. " + name
		}
		table = append(table, []string{name, ends[0], ends[1], render.Capital(c.WayOut), strings.Join(c.Causes, ", ")})
	}
	return html.Section{
		Title: fmt.Sprintf("%s to %s: %s", entry.From, entry.To, render.List(entry.Sets, mostNamed)),
		Brief: entry.Lines[0], Tone: toneOf(len(entry.Worse) > 0, report.Wrong), Lines: capitals(entry.Lines), Table: table,
		Commands: entry.Show, Run: run,
	}
}

// capitals returns the lines as sentences begin. The list is the caller's.
func capitals(lines []string) []string {
	list := slices.Clone(lines)
	for i := range list {
		list[i] = render.Capital(list[i])
	}
	return list
}

// casesOf returns the section that says what the cases in the table are; none if the table has no case.
func casesOf(entries []upgrade.Entry) []html.Section {
	section := html.Section{Title: "What the cases are"}
	var names []string
	for _, c := range whatif.For(whatif.OfVersions) {
		in := func(e upgrade.Entry) bool {
			return slices.Contains(e.Worse, c.Name) || slices.Contains(e.Others, c.Name)
		}
		if slices.ContainsFunc(entries, in) {
			names = append(names, c.Name)
			section.Lines = append(section.Lines, c.Name+": "+c.Does+".")
		}
	}
	if len(names) == 0 {
		return nil
	}
	section.Brief = render.And(names)
	return []html.Section{section}
}

// mostNamed is the number of sets that the title of a section names, mostOpen that of sections that are open at first.
const mostNamed, mostOpen = 5, 8

// upgradeRuns are the runs that the page carries: of each group the case that is for the worse under both versions.
// They are in pairs, that of the earlier version first.
type upgradeRuns struct {
	list  []*report.Run
	again func(*upgrade.Entry) [2][]timeline.Event
}

// add adds the two runs of an entry's first case, and returns the number of the first; 0 if there is no room. It is 0
// too if the runs are too long. Numbers are from 1.
func (u *upgradeRuns) add(entry *upgrade.Entry) int {
	if len(u.list)+2 > mostRuns || entry.First == nil {
		return 0
	}
	runs := u.again(entry)
	if n := len(runs[0]) + len(runs[1]); n == 0 || n > mostEvents {
		return 0
	}
	for side, version := range []string{entry.From, entry.To} {
		name := fmt.Sprintf("%s, %s on %s", entry.Sets[0], entry.First.Case, version)
		u.list = append(u.list, &report.Run{Name: name, Description: entry.First.Does, Events: runs[side]})
	}
	return len(u.list) - 1
}

// pageCommand returns the command that prints the page.
func (o *upgradeOptions) pageCommand() string {
	words := []string{"sim", "upgrade", "--from", o.from, "--to", o.to}
	words = slices.Concat(words, o.gateWords(), o.readWords())
	if o.only != "" {
		words = append(words, "--only", o.only)
	}
	return command.Line(append(append(words, "-o", "html"), o.files...)...)
}
