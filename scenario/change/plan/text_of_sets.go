package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// mostNames is the number of sets that a line names.
const mostNames = 20

// group is something that is the same for several sets, except for their names. It is printed for the first of them.
type group[T any] struct {
	sets []*Set
	of   T
}

func (g *group[T]) names() string {
	return render.List(names(g.sets), mostNames)
}

func (g *group[T]) few() string {
	const most = 3
	if len(g.sets) > most {
		return render.Count(len(g.sets), "set")
	}
	return render.And(names(g.sets))
}

// grouped collects items into groups that are the same except for the names of the sets.
func grouped[T any](sets []*Set, items func(*Set) []T, key func(T) string) []*group[T] {
	var list []*group[T]
	known := map[string]*group[T]{}
	for _, s := range sets {
		r := strings.NewReplacer(s.Name, "SET", "-n "+s.Namespace+" ", "-n NAMESPACE ")
		for _, item := range items(s) {
			text := r.Replace(key(item))
			if known[text] == nil {
				known[text] = &group[T]{of: item}
				list = append(list, known[text])
			}
			known[text].sets = append(known[text].sets, s)
		}
	}
	return list
}

// ownCases returns the answers that belong to one set only.
func ownCases(cases []*group[*run.Case]) map[*Set][]*run.Case {
	own := map[*Set][]*run.Case{}
	for _, g := range cases {
		if len(g.sets) == 1 {
			own[g.sets[0]] = append(own[g.sets[0]], g.of)
		}
	}
	return own
}

// main returns the most important change in a line, "" if there is none.
func (s *Set) main() string {
	if len(s.Changes) == 0 {
		return ""
	}
	text := cmp.Or(diff.Retagged(s.Changes[0]), s.Changes[0].String())
	if more := len(s.Changes) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

func alarmItems(plan *Plan) []doc.Item {
	var list []doc.Item
	for _, g := range plan.alarms() {
		item := doc.Fact(plan.alarmLine(g))
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
		s.key.String(), cmp.Or(s.Headline, s.Does), strings.Join(s.Order, ", "), s.Duration.Brief(), s.Serving.String(),
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
	if p.Tone == render.Good && anyBad(p.Items) {
		p.Tone = render.Warn
	}
	return p
}

// anyBad says whether something among the items, or below one, is to be looked at.
func anyBad(items []doc.Item) bool {
	return slices.ContainsFunc(items, func(i doc.Item) bool { return i.Tone == render.Bad || anyBad(i.Items) })
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
	return append(items, gateItems(s.Gates)...)
}

// partial are the tools that wait for nothing, or for a part only: that they are wrong is told only to those who ask.
var partial = []string{gate.KubectlWait.Name, gate.Helm4HookOnly.Name}

// gateItems says which deploy tools are wrong about the change, those that are wrong in the same way together, and
// which commands wait rightly. Tools that are right print no line.
func gateItems(answers []*gated.Answer) []doc.Item {
	var verdicts []string
	tools, instead := map[string][]string{}, map[string][]string{}
	for _, a := range answers {
		if !a.Wrong() || len(answers) == len(gate.All()) && slices.Contains(partial, a.Gate) {
			continue
		}
		verdict := a.Verdict()
		if tools[verdict] == nil {
			verdicts = append(verdicts, verdict)
			instead[verdict] = a.Instead
		}
		tools[verdict] = append(tools[verdict], a.Gate)
	}
	var items []doc.Item
	for _, verdict := range verdicts {
		item := doc.Fact("gate", strings.Join(tools[verdict], ", ")+": "+verdict).Bad()
		item.Items = doc.Commands(instead[verdict]...)
		items = append(items, item)
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
