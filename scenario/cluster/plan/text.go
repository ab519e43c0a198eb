package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/facts"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Text writes the plan for people, the most important first.
func Text(w io.Writer, plan *Plan, style render.Style) error {
	cases := plan.cases()
	p := &paper{Page: render.New(w, style), plan: plan, cases: cases, own: ownCases(cases)}
	for _, text := range plan.Failing() {
		p.line("", text, render.Bad)
	}
	p.line("", plan.title(), render.Plain)
	for _, text := range plan.warnings() {
		p.line("", text, render.Bad)
	}
	p.summary()
	for _, g := range plan.sections() {
		if g.of.Does == Removes && len(g.of.Requirements) == 0 {
			// Its alarm says it all.
			continue
		}
		p.Blank()
		p.section(g)
	}
	p.common()
	p.Blank()
	for _, line := range plan.rest() {
		p.line("", line, render.Plain)
	}
	return p.Flush()
}

// paper is a plan that is being written for people.
type paper struct {
	*render.Page
	plan *Plan
	// cases are the answers of all cases; own are those that belong to one set only.
	cases []*group[*run.Case]
	own   map[*Set][]*run.Case
}

// line writes a line whose text forms a block beside the lead.
func (p *paper) line(lead, text string, t render.Tone) { p.Hanging(0, lead, text, t) }

// fact writes a fact of a set under its name.
func (p *paper) fact(name, text string, t render.Tone) { p.line(fmt.Sprintf("  %-9s ", name), text, t) }

// items writes several facts under one name.
func (p *paper) items(name string, items []string) {
	for _, text := range items {
		p.fact(name, text, render.Plain)
		name = ""
	}
}

// summary writes what a reader must see in the first ten seconds.
func (p *paper) summary() {
	if len(p.plan.Sets) == 0 {
		p.Blank()
		p.line("", p.plan.nothing(), render.Bold)
	} else {
		p.line("", p.plan.Summary.headline()+".", render.Bold)
	}
	for _, g := range p.plan.alarms() {
		sets, sentence := alarmLine(g)
		p.line("  ALARM ", sets+": "+sentence, render.Bad)
		if len(g.sets) == 1 && g.sets[0].Does == Stays && g.sets[0].Fix != nil {
			p.fix(g.sets[0].Fix)
		}
	}
	if text := p.plan.together(); text != "" {
		p.line("  ", text, render.Plain)
	}
}

// section writes sets that change in the same way: the first of them in full, and for all of them what changes.
func (p *paper) section(g *group[*Set]) {
	s := g.of
	if len(g.sets) == 1 {
		p.line("", s.key.String()+": "+s.Headline, render.Bold)
		p.items("changes", diff.Lines(s.Changes))
	} else {
		p.line("", render.Count(len(g.sets), "set")+", each: "+s.Headline, render.Bold)
		for _, one := range g.sets {
			p.fact("changes", one.key.String()+": "+one.main(), render.Plain)
		}
	}
	if s.Shows != "" {
		p.fact("now", s.Shows, render.Bad)
	}
	p.items("note", s.Notes)
	if s.Refusal != nil {
		p.refusal(s.Refusal)
	} else if s.Does != Removes {
		p.rollout(s)
	}
	for _, r := range s.Requirements {
		tone := render.Plain
		if !r.Held {
			tone = render.Bad
		}
		p.fact("require", r.String(), tone)
	}
	p.whatIf(s)
	if len(s.Differences) > 0 {
		p.line("  ", "Different from "+p.plan.Versions[0], render.Bold)
	}
	for _, d := range s.differences() {
		p.line("    ", "on "+d.version+d.String(), render.Plain)
	}
}

// rollout writes what happens to the pods of a set if nothing goes wrong.
func (p *paper) rollout(s *Set) {
	p.items("order", s.Order)
	if s.endsOtherwise() {
		p.fact("ends", s.Ends, render.Bad)
	}
	if s.Fix != nil {
		p.fix(s.Fix)
	}
	if s.Duration != nil && len(s.Moves) > 0 {
		p.fact("duration", s.Duration.String(), render.Plain)
		if len(p.plan.Sets) == 1 {
			for _, t := range s.Duration.Timings {
				p.line(strings.Repeat(" ", 14), t.String(), render.Plain)
			}
		}
	}
	if s.Serving != nil {
		p.fact("serving", s.Serving.String(), render.Plain)
	}
	if len(s.Volumes) > 0 {
		p.fact("deletes", strings.Join(s.Volumes, ", "), render.Bad)
	}
	for _, b := range s.Budgets {
		p.fact("budget", b.String(), render.Plain)
	}
}

// endsOtherwise says whether it has to be said how the change ends: it does not complete, or nobody knows whether it
// does.
func (s *Set) endsOtherwise() bool { return !s.Completes || s.provided != "" }

// fix writes the commands that fix it.
func (p *paper) fix(f *run.Fix) {
	p.items("fix", f.Lead)
	for _, command := range f.Commands {
		p.Verbatim(16, command, render.Plain)
	}
}

// refusal writes the API server's message, and the way around it.
func (p *paper) refusal(r *Refusal) {
	p.fact("refused", render.Shorten(r.Message, facts.LongestMessage), render.Bad)
	var meant []string
	for _, c := range r.Changes {
		meant = append(meant, c.String())
	}
	p.items("field", meant)
	p.fact("instead", r.Way, render.Plain)
	for _, command := range r.Commands {
		p.Verbatim(16, command, render.Plain)
	}
}

// whatIf writes what happens if something goes wrong with one set. Answers that are the same for several sets are
// printed once.
func (p *paper) whatIf(s *Set) {
	head := "What if"
	for _, c := range p.own[s] {
		if head != "" {
			p.line("  ", head, render.Bold)
		}
		head = ""
		p.answer(c)
	}
}

// common writes what is the same for several sets.
func (p *paper) common() {
	names := ""
	for _, g := range p.cases {
		if len(g.sets) == 1 {
			continue
		}
		if now := g.names(); now != names {
			names = now
			p.Blank()
			p.line("", fmt.Sprintf("What if, the same for %s (shown for the first)", names), render.Bold)
		}
		p.answer(g.of)
	}
	if len(p.plan.Sets) == 1 {
		return
	}
	head := "times"
	for _, g := range p.plan.timings() {
		if head != "" {
			p.Blank()
		}
		text := g.of.String()
		if len(g.sets) < len(p.plan.Sets) {
			text += " (" + g.few() + ")"
		}
		p.fact(head, text, render.Plain)
		head = ""
	}
}

// answer writes the result of a case, with its commands.
func (p *paper) answer(c *run.Case) {
	tone := render.Plain
	if !c.Usual {
		tone = render.Bad
	}
	p.line(fmt.Sprintf("    %-9s ", c.Name), c.Asks+". "+render.Capital(c.Answer)+".", tone)
	if !c.Told() {
		return
	}
	for _, line := range c.Heals() {
		p.line(strings.Repeat(" ", 14), line, render.Plain)
	}
	for _, command := range c.Commands {
		p.Verbatim(16, command, render.Plain)
	}
}
