package plan

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style is how a plan for people looks.
type Style struct {
	// Color says whether ANSI colours are used, Width is the number of columns that lines are wrapped at.
	Color bool
	Width int
}

// The colours, as parameters of ANSI's SGR sequence.
const (
	bold = "1"
	red  = "31"
)

// page writes wrapped lines.
type page struct {
	strings.Builder
	style Style
}

// line writes a line that is wrapped; what follows the first is indented to hang under the text.
func (p *page) line(lead, text, color string) {
	text = visible(text)
	indent := strings.Repeat(" ", utf8.RuneCountInString(lead))
	room := max(p.style.Width-len(indent), 20)
	for lead != "" || text != "" {
		first, rest := cut(text, room)
		if p.style.Color && color != "" {
			first = "\x1b[" + color + "m" + first + "\x1b[0m"
		}
		p.WriteString(strings.TrimRight(lead+first, " ") + "\n")
		lead, text = indent, rest
		if rest == "" {
			return
		}
	}
}

// verbatim writes what is to be copied: it is not wrapped.
func (p *page) verbatim(indent int, text string) {
	p.WriteString(strings.Repeat(" ", indent) + visible(text) + "\n")
}

func cut(text string, room int) (first, rest string) {
	if utf8.RuneCountInString(text) <= room {
		return text, ""
	}
	limit := len(string([]rune(text)[:room+1]))
	space := strings.LastIndexByte(text[:limit], ' ')
	if space <= 0 {
		if space = strings.IndexByte(text, ' '); space <= 0 {
			return text, ""
		}
	}
	return text[:space], strings.TrimLeft(text[space:], " ")
}

// visible keeps what stands in a manifest from steering the reader's terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '�'
		}
		return r
	}, text)
}

// notModelled is what a plan does not know.
const notModelled = "Not modelled: the application itself, node capacity, volume migration, init containers, " +
	"evictions. Assumes that the current state is at rest with all pods Ready, and client-side kubectl apply."

// String says it in a line.
func (s *Serving) String() string {
	return fmt.Sprintf("at least %d of %d on the way; %d before, %d after", s.Fewest, s.Replicas, s.Before, s.After)
}

// Text writes the plan for people.
func Text(w io.Writer, plan *Plan, style Style) error {
	p := &page{style: style}
	p.line("", "Plan on Kubernetes "+plan.Versions[0], "")
	for _, s := range plan.Sets {
		p.WriteString("\n")
		p.set(s, plan.Versions[0])
	}
	if len(plan.Sets) == 0 {
		p.line("", "Nothing changes.", bold)
	}
	p.WriteString("\n")
	for _, line := range plan.rest() {
		p.line("", line, "")
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// rest is what is to be said beside the sets that change.
func (plan *Plan) rest() []string {
	lines := slices.Clone(plan.Notes)
	if len(plan.Unchanged) > 0 {
		lines = append(lines, "Unchanged: "+strings.Join(plan.Unchanged, ", ")+".")
	}
	if len(plan.Missing) > 0 {
		lines = append(lines, "Not in the new files: "+strings.Join(plan.Missing, ", ")+
			". kubectl apply does not delete them; helm upgrade or --prune would.")
	}
	if len(plan.Ignored) > 0 {
		lines = append(lines, "Ignored (no effect on the rollout): "+strings.Join(plan.Ignored, ", ")+".")
	}
	if plan.Interrupted {
		lines = append(lines, "Interrupted: this is what was known so far.")
	}
	return append(lines, notModelled)
}

func (p *page) set(s *Set, version string) {
	p.line("", s.key.String()+": "+s.Headline, bold)
	p.items("changes", limited(s.Changes))
	p.items("note", s.Notes)
	if s.Refusal != nil {
		p.refusal(s.Refusal)
	} else {
		p.items("order", s.Order)
		if !s.Completes {
			p.fact("ends", s.Ends, red)
		}
		p.duration(s)
		if s.Serving != nil {
			p.fact("serving", s.Serving.String(), "")
		}
		for _, b := range s.Budgets {
			p.fact("budget", b.String(), "")
		}
	}
	for _, r := range s.Requirements {
		color := ""
		if !r.Held {
			color = red
		}
		p.fact("require", r.String(), color)
	}
	if len(s.Cases) > 0 {
		p.line("  ", "What if", bold)
	}
	for _, c := range s.Cases {
		p.answer(c)
	}
	if len(s.Differences) > 0 {
		p.line("  ", "Other than on "+version, bold)
	}
	for _, d := range s.Differences {
		p.line("    ", fmt.Sprintf("on %s, %s: %s", d.Version, d.What, d.Here), "")
	}
}

// mostChanges is how many changed fields are listed.
const mostChanges = 12

func limited(changes []Change) []string {
	var list []string
	for i, c := range changes {
		if i == mostChanges {
			return append(list, fmt.Sprintf("… and %d more", len(changes)-i))
		}
		list = append(list, c.String())
	}
	return list
}

func (p *page) items(name string, items []string) {
	for _, text := range items {
		p.fact(name, text, "")
		name = ""
	}
}

func (p *page) fact(name, text, color string) { p.line(fmt.Sprintf("  %-9s ", name), text, color) }

func (p *page) duration(s *Set) {
	if s.Duration == nil || len(s.Moves) == 0 {
		return
	}
	p.fact("duration", s.Duration.String(), "")
	for _, t := range s.Duration.Timings {
		p.line(strings.Repeat(" ", 14), t.String(), "")
	}
}

func (p *page) refusal(r *Refusal) {
	p.fact("refused", r.Message, red)
	var meant []string
	for _, c := range r.Changes {
		meant = append(meant, c.String())
	}
	p.items("meant", meant)
	p.fact("instead", r.Way, "")
	for _, command := range r.Commands {
		p.verbatim(16, command)
	}
}

// heals says what the commands of a case do.
func (c *Case) heals() string {
	switch {
	case c.Ends:
		return "To prevent it, run this before the change; once it has begun, the same command ends it " +
			"(verified by simulation):"
	case c.Prevents:
		return "To prevent it, run this before the change:"
	case c.Reverts:
		return "Fix (verified by simulation; where a controller applies what is in Git, revert the change there too):"
	}
	return "Fix (verified by simulation):"
}

func (p *page) answer(c *Case) {
	color := ""
	if c.Trap {
		color = red
	}
	p.line(fmt.Sprintf("    %-9s ", c.Name), c.Asks+": "+c.Answer+".", color)
	if len(c.Commands) > 0 {
		p.line(strings.Repeat(" ", 14), c.heals(), "")
	}
	for _, command := range c.Commands {
		p.verbatim(16, command)
	}
}
