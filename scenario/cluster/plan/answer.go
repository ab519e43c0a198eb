package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Marker is the comment by which a bot finds the comment that it wrote before.
const Marker = "<!-- statefulsim:plan -->"

// mostMarkdown is the longest comment that the large forges take, in characters, with a little to spare.
const mostMarkdown = 65_000

// Document is the plan as people read it, the most important first.
func (plan *Plan) Document() *doc.Document {
	d := &doc.Document{
		Marker: Marker, First: doc.All(slices.Concat(plan.Failing(), plan.warnings())), Title: doc.Of(plan.title()),
		Headline: doc.Of(headlineOf(plan) + "."), Tone: plan.tone(), Alarms: alarmItems(plan),
		Table: doc.Table{Header: []string{"StatefulSet", "What happens", "Order", "Duration", "Serving", "Requirements"}},
		Notes: doc.All(plan.rest()), Room: mostMarkdown,
	}
	if len(plan.Sets) == 0 {
		d.Headline = doc.Of(plan.nothing())
	}
	if text := plan.together(); text != "" {
		d.Facts = doc.Lines(text)
	}
	cases := plan.cases()
	own := ownCases(cases)
	for _, g := range plan.sections() {
		if g.of.Does != Removes || len(g.of.Requirements) > 0 {
			// Of a set that is removed the alarm says it all.
			d.Parts = append(d.Parts, part(plan, g, own[g.of]))
		}
		for _, s := range g.sets {
			d.Table.Rows = append(d.Table.Rows, s.row(len(d.Parts)))
		}
	}
	d.Parts = append(d.Parts, common(plan, cases)...)
	return d
}

// headlineOf sums the plan up. If one set rolls, it says what a reviewer wants to know of it.
func headlineOf(plan *Plan) string {
	text := plan.Summary.headline()
	if len(plan.Sets) != 1 {
		return text
	}
	s := plan.Sets[0]
	if s.Does != Rolls || s.Serving == nil || !s.Completes || !strings.HasPrefix(s.Headline, "replaces") {
		return text
	}
	return text + ": " + s.key.String() + " " + s.Headline + "; " + render.Serve(s.Serving.Fewest, s.Serving.Replicas)
}

// tone says whether the plan does what it has to, and whether there is a risk.
func (plan *Plan) tone() render.Tone {
	switch {
	case !plan.Held || !plan.Settles:
		return render.Bad
	case len(plan.Alarms)+len(plan.Untrusted) > 0:
		return render.Warn
	}
	return render.Good
}

func alarmItems(plan *Plan) []doc.Item {
	var list []doc.Item
	for _, g := range plan.alarms() {
		item := doc.Fact(alarmLine(g))
		if s := g.sets[0]; len(g.sets) == 1 && s.Does == Stays && s.Fix != nil {
			item.Items = fixItems(s.Fix)
		}
		list = append(list, item)
	}
	return list
}

// tone says how urgent a set is: it fails, there is a risk, or all is well.
func (s *Set) tone() render.Tone {
	switch {
	case s.Refusal != nil || !s.Completes || !s.held():
		return render.Bad
	case len(s.alarms) > 0:
		return render.Warn
	}
	return render.Good
}

// row is the set in the overview. The last cell has the requirements that failed or, if none did, how many held.
func (s *Set) row(part int) doc.Row {
	row := doc.Row{Part: part}
	if tone := s.tone(); tone != render.Good {
		row.Tone = tone
	}
	var kept []string
	for _, r := range s.Requirements {
		if !r.Held {
			kept = append(kept, r.String())
		}
	}
	if len(kept) == 0 && len(s.Requirements) > 0 {
		kept = []string{"all " + render.Number(len(s.Requirements)) + " held"}
	}
	row.Cells = doc.All([]string{
		s.key.String(), cmp.Or(s.Headline, s.Does), strings.Join(s.Order, ", "), s.Duration.String(), s.Serving.String(),
		strings.Join(kept, " "),
	})
	return row
}

// part says of sets that change in the same way what happens. own are the cases that belong to the first alone.
func part(plan *Plan, g *group[*Set], own []*run.Case) doc.Part {
	s := g.of
	p := doc.Part{Title: doc.Of(s.key.String() + ": " + s.Headline), Tone: s.tone(), Things: len(g.sets), Run: theChange}
	changes := doc.Facts("changes", diff.Lines(s.Changes)...)
	if len(g.sets) > 1 {
		p.Title = doc.Of(render.Count(len(g.sets), "set") + ", each: " + s.Headline)
		p.Instead = doc.Of(render.List(names(g.sets), mostMarkdownNames))
		changes = nil
		for _, one := range g.sets {
			changes = append(changes, doc.Fact("changes", one.key.String()+": "+one.main()))
		}
	}
	p.Items = doc.Folded(changes...)
	if s.Shows != "" {
		p.Items = append(p.Items, doc.Fact("now", s.Shows).Bad())
	}
	p.Items = append(p.Items, doc.Folded(doc.Facts("note", s.Notes...)...)...)
	switch {
	case s.Refusal != nil:
		p.Run = plan.runName(s, Instead)
		p.Items = append(p.Items, refusalItems(s.Refusal)...)
	case s.Does != Removes:
		p.Items = append(p.Items, s.rollout(len(plan.Sets) == 1)...)
	}
	for _, r := range s.Requirements {
		item := doc.Fact("require", r.String())
		if !r.Held {
			item = item.Bad()
		}
		p.Items = append(p.Items, item)
	}
	p.Items = append(p.Items, doc.Below(doc.Head("What if", caseItems(plan, s, own)...)...)...)
	p.Items = append(p.Items, doc.Below(doc.Head("Different from "+plan.Versions[0], s.versionItems()...)...)...)
	return p
}

// mostMarkdownNames is the number of sets that a line names if there is no room for a line of each set.
const mostMarkdownNames = 500

// rollout says what happens to the pods of a set if nothing goes wrong. alone says that the plan has no other set.
func (s *Set) rollout(alone bool) []doc.Item {
	items := doc.Facts("order", s.Order...)
	if !s.Completes || s.provided != "" {
		items = append(items, doc.Fact("ends", s.Ends).Bad())
	}
	if s.Fix != nil {
		items = append(items, fixItems(s.Fix)...)
	}
	if s.Duration != nil && len(s.Moves) > 0 {
		item := doc.Fact("duration", s.Duration.String())
		if alone {
			for _, t := range s.Duration.Timings {
				item.Items = append(item.Items, doc.Below(doc.Folded(doc.Line(t.String()))...)...)
			}
		}
		items = append(items, item)
	}
	if s.Serving != nil {
		items = append(items, doc.Fact("serving", s.Serving.String()))
	}
	if len(s.Volumes) > 0 {
		items = append(items, doc.Fact("deletes", strings.Join(s.Volumes, ", ")).Bad())
	}
	for _, b := range s.Budgets {
		items = append(items, doc.Fact("budget", b.String()))
	}
	return items
}

func fixItems(f *run.Fix) []doc.Item {
	item := doc.Fact("fix", strings.Join(f.Lead, " "))
	item.Commands = doc.All(f.Commands)
	return []doc.Item{item}
}

func refusalItems(r *Refusal) []doc.Item {
	items := []doc.Item{doc.Fact("refused", run.Message(r.Message)).Bad()}
	for _, c := range r.Changes {
		items = append(items, doc.Fact("field", c.String()))
	}
	instead := doc.Fact("instead", r.Way)
	instead.Commands = doc.All(r.Commands)
	return append(items, instead)
}

func caseItems(plan *Plan, s *Set, cases []*run.Case) []doc.Item {
	var items []doc.Item
	for _, c := range cases {
		item := doc.Fact(c.Name, c.Asks+". "+render.Capital(c.Answer)+".")
		item.Folded, item.Run = c.Usual, plan.runName(s, c.Name)
		if !c.Usual {
			item = item.Bad()
		}
		if c.Told() {
			item.Items, item.Commands = doc.Lines(c.Heals()...), doc.All(c.Commands)
		}
		items = append(items, item)
	}
	return items
}

func (s *Set) versionItems() []doc.Item {
	var items []doc.Item
	for _, d := range s.differences() {
		item := doc.Line(d.String())
		item.Folded = d.usual
		items = append(items, item)
	}
	return items
}

// common are the parts about what is the same for several sets: what may go wrong, and where the times are from.
func common(plan *Plan, cases []*group[*run.Case]) []doc.Part {
	var parts []doc.Part
	names := ""
	for _, g := range cases {
		if len(g.sets) == 1 {
			continue
		}
		if now := g.names(); now != names {
			names = now
			parts = append(parts, doc.Part{
				Title: doc.Of("What if, the same for " + names + " (shown for the first)"), Folded: true,
			})
		}
		last := &parts[len(parts)-1]
		last.Items = append(last.Items, caseItems(plan, g.sets[0], []*run.Case{g.of})...)
	}
	if len(plan.Sets) == 1 {
		return parts
	}
	times := doc.Part{Title: doc.Of("Times"), Folded: true}
	for _, g := range plan.timings() {
		text := g.of.String()
		if len(g.sets) < len(plan.Sets) {
			text += " (" + g.few() + ")"
		}
		times.Items = append(times.Items, doc.Line(text))
	}
	if len(times.Items) > 0 {
		parts = append(parts, times)
	}
	return parts
}
