package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/plan"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
)

// The runs behind a plan that its page carries: at most so many, none longer than so many events, and of no more sets
// than that. The others are played by --show.
const (
	mostRuns   = doc.MostRuns
	mostEvents = doc.MostEvents
	mostSets   = 12
)

// planPage writes a plan as a page: what changes, the picture of the change, then what may go wrong, the risks first.
// What stops the change comes before all of it. Otherwise sections are in the order of the sets.
func (o *planOptions) planPage(w io.Writer, p *plan.Plan) error {
	sheet := &html.Sheet{
		Title:    fmt.Sprintf("Plan of %s on Kubernetes %s", o.new, p.Versions[0]),
		Headline: p.Summary.String(), Tone: planTone(p), Command: o.command(),
		Header: []string{"StatefulSet", "What happens", "Order", "Duration", "Serving", "Requirements"},
	}
	for _, set := range p.Untrusted {
		sheet.Risks = append(sheet.Risks, "NOT TO BE TRUSTED: "+set)
	}
	for _, alarm := range p.Alarms {
		sheet.Risks = append(sheet.Risks, alarm.Set+": "+alarm.Sentence)
	}
	runs := o.behind(p)
	number := map[string]int{}
	for i, run := range runs {
		number[run.Name] = i + 1
	}
	for _, set := range p.Sets {
		sheet.Rows = append(sheet.Rows, planRow(p, set))
		sheet.Sections = append(sheet.Sections, planSections(set, prefix(p, set), number)...)
	}
	slices.SortStableFunc(sheet.Sections, func(a, b html.Section) int { return urgency(b.Tone) - urgency(a.Tone) })
	if len(p.Sets) > mostBefore {
		for i := range sheet.Sections {
			sheet.Sections[i].First = false
		}
	}
	if rest := slices.Concat(p.Notes, []string{p.NotModelled}); len(rest) > 0 {
		sheet.Sections = append(sheet.Sections, html.Section{Title: "What a plan does not know", Lines: rest})
	}
	return sheet.Write(w, runs...)
}

// prefix returns the beginning of a set's titles, which names the set if there are several.
func prefix(p *plan.Plan, s *plan.Set) string {
	if len(p.Sets) == 1 {
		return ""
	}
	return s.Namespace + "/" + s.Name + ": "
}

// mostBefore is the number of sets up to which what changes stands above the picture: the table says it in short.
const mostBefore = 2

// mostOpen is the number of sections that are open at first.
const mostOpen = 8

// planTone is the colour of the whole plan: red if it does not do what it has to, brown if there is a risk.
func planTone(p *plan.Plan) report.Tone {
	switch {
	case !p.Held || !p.Settles:
		return report.Wrong
	case len(p.Alarms)+len(p.Untrusted) > 0:
		return report.Waiting
	}
	return report.Right
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

// command returns the command that prints the plan as a page.
func (o *planOptions) command() string {
	words := []string{"sim", "plan", "-o", "html"}
	add := func(flag string, values ...string) {
		for _, value := range values {
			if value != "" {
				words = append(words, flag, value)
			}
		}
	}
	for i, flag := range []string{"--stop", "--start", "--ready"} {
		add(flag, o.times[i])
	}
	add("--recording", o.records...)
	add("--kubernetes", strings.Join(o.versions, ","))
	add("--feature-gates", gateText(o.gates))
	add("--require", o.require...)
	add("--namespace", o.namespace)
	if o.quorum != 0 {
		add("--quorum", strconv.Itoa(o.quorum))
	}
	if o.runs != usualRuns {
		add("--runs", strconv.Itoa(o.runs))
	}
	if o.seed != usualSeed {
		add("--seed", strconv.FormatUint(o.seed, 10))
	}
	return command.Line(slices.Concat(words, recursiveWords(o.recursive), limitWords(o.limits), []string{o.old, o.new})...)
}

// behind returns the runs that the page carries: the change itself, ways around refusals, and what may go wrong.
// Sections refer to them by their names. No run is added once the user has interrupted.
func (o *planOptions) behind(p *plan.Plan) []*report.Run {
	names := []string{plan.Rollout}
	if len(p.Sets) <= mostSets {
		names = append([]string{plan.Rollout, plan.Instead}, plan.CaseNames()[1:]...)
	}
	var runs []*report.Run
	for _, name := range names {
		if name == plan.Rollout && tooMany(p) {
			continue
		}
		for _, shown := range p.Show(name) {
			if len(runs) < mostRuns && len(shown.Events) <= mostEvents && len(shown.Events) > 0 && !o.interrupted() {
				set, does, ofSet := strings.Cut(shown.Name, ": ")
				run := &report.Run{Name: short(name), Description: does, Events: shown.Events}
				if ofSet && len(p.Sets) > 1 {
					run.Name = set + ": " + run.Name
				}
				runs = append(runs, run)
			}
		}
	}
	return runs
}

// short is what the page calls a run: by the name of its case, as sim plan --show takes it.
func short(name string) string {
	switch name {
	case plan.Rollout:
		return theChange
	case plan.Instead:
		return wayAround
	}
	return name
}

// The names of the runs that are no case.
const theChange, wayAround = "the change", "the way around"

// fewestEvents is the least number of events of a pod that is replaced: it terminates and is gone, it is created,
// scheduled, runs and is Ready, and the status of its set says so.
const fewestEvents = 7

// tooMany says whether the run of the change is certainly too long for the page, so that it need not be played.
func tooMany(p *plan.Plan) bool {
	pods := 0
	for _, set := range p.Sets {
		for i := range set.Moves {
			if set.Moves[i].Does == "replaced" {
				pods++
			}
		}
	}
	return pods*fewestEvents > mostEvents
}

// planRow returns the row of a set. The last cell has the requirements that failed or, if none did, how many held.
func planRow(p *plan.Plan, s *plan.Set) html.Row {
	name := s.Namespace + "/" + s.Name
	duration, serving, kept := "", "", ""
	if s.Duration != nil {
		duration = s.Duration.String()
	}
	if s.Serving != nil {
		serving = s.Serving.String()
	}
	failed := 0
	for _, r := range s.Requirements {
		if !r.Held {
			failed++
			kept += r.String() + " "
		}
	}
	if failed == 0 && len(s.Requirements) > 0 {
		kept = fmt.Sprintf("all %d held", len(s.Requirements))
	}
	alarmed := slices.ContainsFunc(p.Alarms, func(a plan.Alarm) bool { return a.Set == name })
	tone := toneOf(alarmed, report.Waiting)
	if failed > 0 || s.Refusal != nil || s.Fix != nil {
		tone = report.Wrong
	}
	return html.Row{Tone: tone, Cells: []html.Cell{
		{Text: name}, {Text: cmp.Or(s.Headline, s.Does)}, {Text: strings.Join(s.Order, ", ")}, {Text: duration},
		{Text: serving}, {Text: strings.TrimSpace(kept)},
	}}
}

// planSections returns the sections of a set: what heals it if it ends stuck, the refusal of the change, what changes,
// and what may go wrong with it. number has the number of each run of the page, from 1, by its name; a section whose
// run is not on the page has 0.
func planSections(s *plan.Set, prefix string, number map[string]int) []html.Section {
	changes := html.Section{Title: prefix + "what changes", First: true}
	if s.Shows != "" {
		changes.Lines = append(changes.Lines, "now: "+s.Shows)
	}
	for _, change := range s.Changes {
		changes.Lines = append(changes.Lines, change.String())
	}
	changes.Lines = append(changes.Lines, s.Notes...)
	for _, budget := range s.Budgets {
		changes.Lines = append(changes.Lines, budget.String())
	}
	for _, r := range s.Requirements {
		changes.Lines = append(changes.Lines, r.String())
	}
	if len(s.Changes) > 0 {
		changes.Brief = s.Changes[0].String()
	}
	list := []html.Section{changes}
	if r := s.Refusal; r != nil {
		list = append([]html.Section{{
			Title: prefix + "the API server refuses the change", Tone: report.Wrong, First: true,
			Lines: []string{r.Message, r.Way}, Commands: r.Commands, Run: number[prefix+wayAround],
		}}, list...)
	}
	if s.Fix != nil {
		list = append([]html.Section{{
			Title: prefix + s.Ends, Tone: report.Wrong, First: true, Lines: []string{"after the change"},
			Commands: s.Fix.Commands, Run: number[theChange],
		}}, list...)
	}
	for _, c := range s.Cases {
		list = append(list, html.Section{
			Title: prefix + c.Name + ": " + c.Asks, Brief: c.Answer, Tone: toneOf(c.Trap && !c.Usual, report.Waiting),
			Lines: []string{render.Capital(c.Answer)}, Commands: c.Commands, Run: number[prefix+c.Name],
		})
	}
	return list
}
