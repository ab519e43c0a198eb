package plan

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Marker is the comment by which a bot finds the comment that it wrote before.
const Marker = "<!-- statefulsim:plan -->"

// mostMarkdown is the longest comment that the large forges take, in characters, with a little to spare.
const mostMarkdown = 65_000

// Markdown writes the plan for a pull request. What is too long loses its details first and then whole sets.
func Markdown(w io.Writer, plan *Plan) error {
	text := plan.markdown(mostMarkdown, true)
	if len(text) > mostMarkdown {
		text = plan.markdown(mostMarkdown, false)
	}
	_, err := io.WriteString(w, text)
	return err
}

// markdown renders the plan with its details, or without them and with as many sets as there is room for: then those
// that somebody has to look at come first.
func (plan *Plan) markdown(room int, details bool) string {
	head := Marker + "\n" + fmt.Sprintf("## StatefulSet plan, Kubernetes %s\n", plan.Versions[0])
	if len(plan.Sets) == 0 {
		head += "\nNothing changes.\n"
	}
	var tail strings.Builder
	tail.WriteString("\n")
	for _, line := range plan.rest() {
		fmt.Fprintf(&tail, "<sub>%s</sub><br>\n", escape(shortened(line)))
	}
	sets := slices.Clone(plan.Sets)
	if !details {
		slices.SortStableFunc(sets, func(a, b *Set) int { return cmp.Compare(b.worry(), a.worry()) })
	}
	var b strings.Builder
	b.WriteString(head)
	for i, s := range sets {
		var set strings.Builder
		s.markdown(&set, details)
		left := fmt.Sprintf("\n%s more: too long to be shown here.\n", count(len(sets)-i, "set"))
		if !details && b.Len()+set.Len()+len(left)+tail.Len() > room {
			b.WriteString(left)
			break
		}
		b.WriteString(set.String())
	}
	return b.String() + tail.String()
}

func (s *Set) markdown(b *strings.Builder, details bool) {
	fmt.Fprintf(b, "\n### %s `%s` %s\n\n", worries[s.worry()], s.key, escape(s.Headline))
	if s.Refusal != nil {
		s.Refusal.markdown(b)
	} else {
		s.bullets(b)
	}
	for _, r := range s.Requirements {
		fmt.Fprintf(b, "- **require** %s\n", escape(r.String()))
	}
	s.trapsMarkdown(b)
	if details {
		s.details(b)
	}
}

// worries are the marks of sets: all is well, there are traps, it fails.
var worries = [...]string{"✅", "⚠️", "❌"}

// worry says which mark a set has.
func (s *Set) worry() int {
	switch {
	case s.Refusal != nil || !s.Completes || !s.held():
		return 2
	case s.traps() > 0:
		return 1
	}
	return 0
}

// shortened cuts a line that lists too much.
func shortened(line string) string {
	const most = 2000
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}

func (s *Set) held() bool {
	for _, r := range s.Requirements {
		if !r.Held {
			return false
		}
	}
	return true
}

// traps counts what somebody has to look at.
func (s *Set) traps() int {
	n := 0
	for _, b := range s.Budgets {
		if !b.Kept() {
			n++
		}
	}
	for _, c := range s.Cases {
		if c.Trap {
			n++
		}
	}
	return n
}

func (s *Set) bullets(b *strings.Builder) {
	for _, line := range s.Order {
		fmt.Fprintf(b, "- **order** %s\n", escape(line))
	}
	if !s.Completes {
		fmt.Fprintf(b, "- **ends** %s\n", escape(s.Ends))
	}
	if s.Duration != nil && len(s.Moves) > 0 {
		fmt.Fprintf(b, "- **duration** %s\n", escape(s.Duration.String()))
	}
	if s.Serving != nil {
		fmt.Fprintf(b, "- **serving** %s\n", escape(s.Serving.String()))
	}
	for _, budget := range s.Budgets {
		fmt.Fprintf(b, "- **budget** %s\n", escape(budget.String()))
	}
	for _, d := range s.Differences {
		fmt.Fprintf(b, "- **on %s**, %s: %s\n", d.Version, d.What, escape(d.Here))
	}
}

func (r *Refusal) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "> %s\n\n", escape(r.Message))
	for _, c := range r.Changes {
		fmt.Fprintf(b, "- **meant** %s\n", escape(c.String()))
	}
	fmt.Fprintf(b, "- **instead** %s\n", escape(r.Way))
	if len(r.Commands) > 0 {
		commands(b, r.Commands)
	}
}

func (s *Set) trapsMarkdown(b *strings.Builder) {
	for _, c := range s.Cases {
		if !c.Trap {
			continue
		}
		fmt.Fprintf(b, "\n**Trap: %s.** %s.\n", escape(c.Asks), escape(c.Answer))
		if len(c.Commands) > 0 {
			fmt.Fprintf(b, "%s\n", escape(c.heals()))
			commands(b, c.Commands)
		}
	}
}

func commands(b *strings.Builder, lines []string) {
	fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.Join(lines, "\n"))
}

func (s *Set) details(b *strings.Builder) {
	b.WriteString("\n<details><summary>Details</summary>\n\n")
	for _, text := range limited(s.Changes) {
		fmt.Fprintf(b, "- %s\n", escape(text))
	}
	for _, text := range s.Notes {
		fmt.Fprintf(b, "- %s\n", escape(text))
	}
	if s.Duration != nil && len(s.Moves) > 0 {
		for _, t := range s.Duration.Timings {
			fmt.Fprintf(b, "- %s\n", escape(t.String()))
		}
	}
	for _, c := range s.Cases {
		if !c.Trap {
			fmt.Fprintf(b, "- What if %s: %s.\n", escape(c.Asks), escape(c.Answer))
		}
	}
	b.WriteString("\n</details>\n")
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "|", `\|`,
	"[", `\[`, "]", `\]`, "@", "&#64;")

// escape keeps text from being read as Markdown or HTML.
func escape(text string) string { return escapes.Replace(visible(text)) }
