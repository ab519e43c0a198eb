package plan

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/facts"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Marker is the comment by which a bot finds the comment that it wrote before.
const Marker = "<!-- statefulsim:plan -->"

// mostMarkdown is the longest comment that the large forges take, in characters, with a little to spare.
const mostMarkdown = 65_000

// mostMarkdownNames is the number of sets that a line names if there is not a line for each set.
const mostMarkdownNames = 500

// Markdown writes the plan for a pull request. What is too long loses its details first and then whole sets.
func Markdown(w io.Writer, plan *Plan) error {
	text := plan.markdown(mostMarkdown, true)
	if len(text) > mostMarkdown {
		text = plan.markdown(mostMarkdown, false)
	}
	_, err := io.WriteString(w, text)
	return err
}

// markdown renders the plan with its details, or without them and with as many sets as there is room for.
func (plan *Plan) markdown(room int, details bool) string {
	var head, tail strings.Builder
	cases := plan.cases()
	own := ownCases(cases)
	plan.headMarkdown(&head)
	if details {
		commonMarkdown(&tail, plan, cases)
	}
	tail.WriteString("\n")
	for _, line := range plan.rest() {
		fmt.Fprintf(&tail, "<sub>%s</sub><br>\n", render.Markdown(render.Shorten(line, 2000)))
	}
	var b strings.Builder
	b.WriteString(head.String())
	sections := plan.sections()
	for i, g := range sections {
		var section strings.Builder
		plan.sectionMarkdown(&section, g, own[g.of], details)
		left := 0
		for _, more := range sections[i:] {
			left += len(more.sets)
		}
		note := fmt.Sprintf("\n%s more: too long to be shown here.\n", render.Count(left, "set"))
		if !details && b.Len()+section.Len()+len(note)+tail.Len() > room {
			b.WriteString(note)
			break
		}
		b.WriteString(section.String())
	}
	return b.String() + tail.String()
}

// headMarkdown writes what a reader has to know in ten seconds.
func (plan *Plan) headMarkdown(b *strings.Builder) {
	fmt.Fprintf(b, "%s\n## StatefulSet plan, Kubernetes %s\n", Marker, plan.Versions[0])
	for _, text := range slices.Concat(plan.Failing(), plan.warnings()) {
		fmt.Fprintf(b, "\n**%s**\n", render.Markdown(text))
	}
	if len(plan.Sets) == 0 {
		fmt.Fprintf(b, "\n%s\n", plan.nothing())
		if len(plan.NotAtRest) > 0 {
			b.WriteString("\n")
		}
	} else {
		fmt.Fprintf(b, "\n**%s.**\n\n", render.Markdown(plan.Summary.headline()))
	}
	for _, g := range plan.alarms() {
		sets, sentence := alarmLine(g)
		fmt.Fprintf(b, "- ⚠️ **%s**: %s\n", render.Markdown(sets), render.Markdown(render.Shorten(sentence, 500)))
	}
	if text := plan.together(); text != "" {
		fmt.Fprintf(b, "- %s\n", render.Markdown(text))
	}
}

// sectionMarkdown writes a set, or several that change in the same way. own are the cases that belong to it alone.
func (plan *Plan) sectionMarkdown(b *strings.Builder, g *group[*Set], own []*run.Case, details bool) {
	s := g.of
	if len(g.sets) == 1 {
		fmt.Fprintf(b, "\n### %s %s: %s\n\n", worries[s.worry()], render.Code(s.key.String()), render.Markdown(s.Headline))
	} else {
		fmt.Fprintf(b, "\n### %s %s, each: %s\n\n", worries[s.worry()], render.Count(len(g.sets), "set"),
			render.Markdown(s.Headline))
		for _, one := range g.sets {
			if details {
				fmt.Fprintf(b, "- %s %s\n", render.Code(one.key.String()), render.Markdown(one.main()))
			}
		}
		if !details {
			fmt.Fprintf(b, "%s\n", render.Markdown(render.List(names(g.sets), mostMarkdownNames)))
		}
	}
	switch {
	case s.Refusal != nil:
		s.Refusal.markdown(b)
	case s.Does != Removes:
		s.bullets(b)
	}
	for _, r := range s.Requirements {
		fmt.Fprintf(b, "- **require** %s\n", render.Markdown(r.String()))
	}
	for _, c := range own {
		if !c.Usual {
			caseMarkdown(b, c, "⚠️ What if "+c.Asks)
		}
	}
	if details {
		foldedMarkdown(b, plan, s, own)
	}
}

// worries are the marks of sets: all is well, there are traps, it fails.
var worries = [...]string{"✅", "⚠️", "❌"}

// worry says which mark a set has.
func (s *Set) worry() int {
	switch {
	case s.Refusal != nil || !s.Completes || !s.held():
		return 2
	case len(s.alarms) > 0:
		return 1
	}
	return 0
}

// bullets writes what happens to the pods if nothing goes wrong, a fact each.
func (s *Set) bullets(b *strings.Builder) {
	if s.Shows != "" {
		fmt.Fprintf(b, "- **now** %s\n", render.Markdown(s.Shows))
	}
	for _, line := range s.Order {
		fmt.Fprintf(b, "- **order** %s\n", render.Markdown(line))
	}
	if s.endsOtherwise() {
		fmt.Fprintf(b, "- **ends** %s\n", render.Markdown(s.Ends))
	}
	if s.Fix != nil {
		fmt.Fprintf(b, "- **fix** %s\n\n%s\n", render.Markdown(strings.Join(s.Fix.Lead, " ")),
			render.Block("sh", strings.Join(s.Fix.Commands, "\n")))
	}
	if s.Duration != nil && len(s.Moves) > 0 {
		fmt.Fprintf(b, "- **duration** %s\n", render.Markdown(s.Duration.String()))
	}
	if s.Serving != nil {
		fmt.Fprintf(b, "- **serving** %s\n", render.Markdown(s.Serving.String()))
	}
	if len(s.Volumes) > 0 {
		fmt.Fprintf(b, "- **deletes** %s\n", render.Markdown(strings.Join(s.Volumes, ", ")))
	}
	for _, budget := range s.Budgets {
		fmt.Fprintf(b, "- **budget** %s\n", render.Markdown(budget.String()))
	}
	s.versions(b, false)
}

// versions writes what is different on other versions: the usual cases, which are for the details, or all else.
func (s *Set) versions(b *strings.Builder, usual bool) {
	for _, d := range s.differences() {
		if d.usual == usual {
			fmt.Fprintf(b, "- **on %s**%s\n", d.version, render.Markdown(d.String()))
		}
	}
}

// markdown writes the API server's message, the fields that it is about, and the way around it.
func (r *Refusal) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "> %s\n\n", render.Markdown(render.Shorten(r.Message, facts.LongestMessage)))
	for _, c := range r.Changes {
		fmt.Fprintf(b, "- **field** %s\n", render.Markdown(c.String()))
	}
	fmt.Fprintf(b, "- **instead** %s\n", render.Markdown(r.Way))
	if len(r.Commands) > 0 {
		fmt.Fprintf(b, "\n%s", render.Block("sh", strings.Join(r.Commands, "\n")))
	}
}

// caseMarkdown writes a case under a title.
func caseMarkdown(b *strings.Builder, c *run.Case, title string) {
	fmt.Fprintf(b, "\n**%s:** %s.\n", render.Markdown(title), render.Markdown(c.Answer))
	if c.Told() {
		fmt.Fprintf(b, "%s\n\n%s", render.Markdown(strings.Join(c.Heals(), " ")),
			render.Block("sh", strings.Join(c.Commands, "\n")))
	}
}

// foldedMarkdown writes, folded away, what a reader does not need first: the fields that change, notes, and the usual
// cases.
func foldedMarkdown(b *strings.Builder, plan *Plan, s *Set, own []*run.Case) {
	b.WriteString("\n<details><summary>Details</summary>\n\n")
	for _, text := range append(diff.Lines(s.Changes), s.Notes...) {
		fmt.Fprintf(b, "- %s\n", render.Markdown(text))
	}
	if s.Duration != nil && len(s.Moves) > 0 && len(plan.Sets) == 1 {
		for _, t := range s.Duration.Timings {
			fmt.Fprintf(b, "- %s\n", render.Markdown(t.String()))
		}
	}
	s.versions(b, true)
	for _, c := range own {
		if c.Usual {
			caseMarkdown(b, c, "What if "+c.Asks)
		}
	}
	b.WriteString("\n</details>\n")
}

// commonMarkdown writes what is the same for several sets.
func commonMarkdown(b *strings.Builder, plan *Plan, cases []*group[*run.Case]) {
	if len(plan.Sets) < 2 {
		return
	}
	what := "The times"
	if slices.ContainsFunc(cases, func(g *group[*run.Case]) bool { return len(g.sets) > 1 }) {
		what = "What if, and the times"
	}
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n", what)
	names := ""
	for _, g := range cases {
		if len(g.sets) == 1 {
			continue
		}
		if now := g.names(); now != names {
			names = now
			fmt.Fprintf(b, "\nThe same for %s (shown for the first):\n", render.Markdown(names))
		}
		caseMarkdown(b, g.of, "What if "+g.of.Asks)
	}
	b.WriteString("\n")
	for _, g := range plan.timings() {
		fmt.Fprintf(b, "- %s (%s)\n", render.Markdown(g.of.String()), render.Markdown(g.few()))
	}
	b.WriteString("\n</details>\n")
}
