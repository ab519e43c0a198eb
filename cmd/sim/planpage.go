package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/plan"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/report/html"
)

// The runs behind a plan that its page carries: at most so many, none longer than so many events, and of no more sets
// than that. The others are played by --show.
const (
	mostRuns   = 16
	mostEvents = 30_000
	mostSets   = 12
)

// planPage writes a plan as a page: the sets, what may go wrong with each, and the runs behind that. Sections that
// somebody has to look at come first, otherwise they are in the order of the sets.
func (o *planOptions) planPage(w io.Writer, p *plan.Plan) error {
	sheet := &html.Sheet{
		Title:    fmt.Sprintf("Plan of %s on Kubernetes %s", o.new, p.Versions[0]),
		Headline: p.Summary.String(), Wrong: !p.Held || !p.Settles, Command: o.command(),
		Header: []string{"StatefulSet", "What happens", "Order", "Duration", "Serving", "Requirements"},
	}
	for _, set := range p.Untrusted {
		sheet.Notes = append(sheet.Notes, "NOT TO BE TRUSTED: "+set)
	}
	for _, alarm := range p.Alarms {
		sheet.Notes = append(sheet.Notes, alarm.Set+": "+alarm.Sentence)
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
	slices.SortStableFunc(sheet.Sections, func(a, b html.Section) int { return looks(b.Look) - looks(a.Look) })
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

// looks returns 1 if somebody has to look.
func looks(look bool) int {
	if look {
		return 1
	}
	return 0
}

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
		for _, shown := range p.Show(name) {
			if len(runs) < mostRuns && len(shown.Events) <= mostEvents && len(shown.Events) > 0 && !o.interrupted() {
				title := shown.Name
				if len(p.Sets) == 1 {
					title = strings.TrimPrefix(title, p.Sets[0].Namespace+"/"+p.Sets[0].Name+": ")
				}
				runs = append(runs, &report.Run{Name: title, Events: shown.Events})
			}
		}
	}
	return runs
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
	return html.Row{Look: alarmed || failed > 0 || s.Refusal != nil, Cells: []html.Cell{
		{Text: name}, {Text: cmp.Or(s.Headline, s.Does)}, {Text: strings.Join(s.Order, ", ")}, {Text: duration},
		{Text: serving}, {Text: strings.TrimSpace(kept)},
	}}
}

// planSections returns the sections of a set: what heals it if it ends stuck, the refusal of the change, what changes,
// and what may go wrong with it. number has the number of each run of the page, from 1, by its name; a section whose
// run is not on the page has 0.
func planSections(s *plan.Set, prefix string, number map[string]int) []html.Section {
	changes := html.Section{Title: prefix + "what changes", Run: number["the change"]}
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
			Title: prefix + "the API server refuses the change", Look: true, Lines: []string{r.Message, r.Way},
			Commands: r.Commands, Run: number[prefix+"the way around the refusal"],
		}}, list...)
	}
	if s.Fix != nil {
		list = append([]html.Section{{
			Title: prefix + s.Ends, Look: true, Lines: []string{"after the change"}, Commands: s.Fix.Commands,
			Run: number["the change"],
		}}, list...)
	}
	for _, c := range s.Cases {
		list = append(list, html.Section{
			Title: prefix + c.Asks, Brief: c.Answer, Look: c.Trap && !c.Usual, Lines: []string{c.Answer},
			Commands: c.Commands, Run: number[prefix+c.Asks],
		})
	}
	return list
}
