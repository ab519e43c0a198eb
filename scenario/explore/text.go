package explore

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/page"
)

// Text writes a report for people. The command is what comes before the token of a run in the line that plays it again.
func Text(w io.Writer, r *Report, style page.Style, command string) error {
	p := page.New(w, style)
	for _, f := range r.Found {
		f.text(p, command)
	}
	if len(r.Found) == 0 {
		p.Text(0, "found nothing: no run broke a promise", page.Good)
		p.Blank()
	}
	for _, part := range r.Parts {
		p.Wrapped("", part.searched(), page.Plain)
	}
	return p.Flush()
}

func (f *Found) text(p *page.Page, command string) {
	p.Wrapped("", fmt.Sprintf("FOUND %s on %s: %s", f.Promise, f.Kubernetes, f.Says), page.Bad)
	p.Text(2, fmt.Sprintf("%s, %s", page.Count(f.Deviations, "deviation"), page.Count(f.Runs, "run")), page.Dim)
	for _, line := range f.Story {
		p.Wrapped("  ", line, page.Plain)
	}
	if f.Token != "" {
		p.Wrapped("  again: ", command+" --replay "+f.Token, page.Plain)
	}
	if f.Scenario != "" {
		p.Text(2, "as a scenario:", page.Plain)
		p.Verbatim(4, strings.TrimSuffix(f.Scenario, "\n"), page.Dim)
	}
	p.Blank()
}

// searched says how far a search went.
func (part *Part) searched() string {
	r := part.Result
	all := r.First.Plus(r.Rest)
	said := fmt.Sprintf("searched %s on %s: every run with at most %s", part.File, part.Kubernetes,
		page.Count(r.Complete, "deviation"))
	said += fmt.Sprintf("; %s in all, %s", page.Count(all.Runs, "run"), page.Count(all.States, "state"))
	if all.Random > 0 {
		said += fmt.Sprintf("; %d of the runs at random", all.Random)
		if depth := r.Complete + 1; r.Chance(depth) > 0 {
			said += fmt.Sprintf(", of which %.0f would show a trap of %s with 95 %%", r.RunsFor(depth), page.Count(depth,
				"deviation"))
		}
	}
	if len(part.Shards) > 0 {
		said += "; shards " + strings.Join(part.Shards, ", ")
	}
	if r.Stopped {
		said += "; it was ended before it was through"
	}
	return said
}

// Markdown writes a report for a pull request.
func Markdown(w io.Writer, r *Report, command string) error {
	var b strings.Builder
	for _, f := range r.Found {
		fmt.Fprintf(&b, "### %s on %s\n\n%s\n\n", page.Code(f.Promise), page.Markdown(f.Kubernetes), page.Markdown(f.Says))
		for _, line := range f.Story {
			fmt.Fprintf(&b, "- %s\n", page.Markdown(line))
		}
		if f.Scenario != "" {
			fmt.Fprintf(&b, "\n%s\n", page.Block("yaml", f.Scenario))
		}
		if f.Token != "" {
			fmt.Fprintf(&b, "\nAgain: %s\n", page.Code(command+" --replay "+f.Token))
		}
		b.WriteByte('\n')
	}
	if len(r.Found) == 0 {
		b.WriteString("Found nothing: no run broke a promise.\n\n")
	}
	for _, part := range r.Parts {
		fmt.Fprintf(&b, "%s\n", page.Markdown(part.searched()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
