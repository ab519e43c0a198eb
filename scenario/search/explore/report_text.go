package explore

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Text writes a report for people. command returns the line that plays a finding again; it is only asked about
// findings with a token.
func Text(w io.Writer, r *Report, style render.Style, command func(*Found) string) error {
	p := render.New(w, style)
	episodes := r.episodes()
	for _, text := range r.Refused() {
		p.Wrapped("", text, render.Bad)
	}
	if len(r.Refused()) > 0 {
		p.Blank()
	}
	r.summary(p, episodes)
	for _, e := range episodes {
		e.text(p, command)
	}
	for _, line := range r.WaivedLines() {
		p.Wrapped("", line, render.Dim)
	}
	if len(r.Waived) > 0 {
		p.Blank()
	}
	if len(r.Found) == 0 {
		p.Text(0, r.nothing(), render.Good)
		p.Blank()
	}
	for _, line := range r.Extent() {
		p.Wrapped("", line, render.Plain)
	}
	return p.Flush()
}

// legend explains the stories, once in a report.
const legend = "Each story below is the shortest run of its kind; it may have fewer replicas and steps than the " +
	"file. In the plain run each step waits until all has settled, and nothing else happens; a line with * deviates " +
	"from that: it is extra, or too early. A line with ! breaks a promise. The column serving counts the pods that are " +
	"Ready and not being deleted, of spec.replicas."

// summary lists several findings before each is described, in their order, and explains what follows.
func (r *Report) summary(p *render.Page, episodes []*episode) {
	if len(r.Found) > 1 {
		p.Text(0, fmt.Sprintf("found %d ways to break a promise, the worst first:", len(r.Found)), render.Bad)
		for _, e := range episodes {
			for _, f := range e.found {
				p.Wrapped("  ", f.headline(), render.Plain)
			}
		}
		p.Blank()
	}
	if len(r.Found) > 0 {
		p.Hanging(0, "", legend, render.Dim)
		p.Blank()
	}
}

func (f *Found) headline() string {
	return fmt.Sprintf("%s on %s: %s", f.Promise, statefulset.Title(f.Kubernetes), f.Says)
}

// nothing returns the sentence for a search that has found nothing, or only waived findings.
func (r *Report) nothing() string {
	if len(r.Waived) > 0 {
		return "found nothing else: each promise that a run broke is waived"
	}
	return "found nothing: no run broke a promise (a rollout stuck on pods that never become Ready breaks no promise)"
}

// KnownAs returns the name of a known trap, the versions that have it, and what it is, in one line; "" if the trap is
// not known.
func (f *Found) KnownAs() string {
	w := promise.Waived(f.Known, promise.Name(f.Promise))
	if w == nil {
		return ""
	}
	return fmt.Sprintf("%s (%s): %s", w.Name, w.Where(), w.Says)
}

// searched says how far the search of a part got. The number of random runs is compared with that which would find a
// trap one deviation deeper than the complete search, with a probability of 95 %: so a reader sees what "found
// nothing" is worth.
func (part *Part) searched() string {
	r := part.Result
	all := r.First.Plus(r.Rest)
	said := fmt.Sprintf("searched %s on %s: %s", part.File, statefulset.Title(part.Kubernetes), extent(r.Complete, all))
	said += ": " + render.Count(all.Runs, "run")
	if all.Random > 0 {
		said += fmt.Sprintf(" (%d of them random)", all.Random)
	}
	said += ", " + render.Count(all.States, "state")
	if depth := r.Complete + 1; all.Random > 0 && r.Chance(depth) > 0 {
		said += fmt.Sprintf("; to find, with a probability of 95 %%, a broken promise that needs %s, about %.0f random runs "+
			"would be needed", render.Count(depth, "deviation"), r.RunsFor(depth))
	}
	if len(part.Shards) > 0 {
		said += "; shards " + strings.Join(part.Shards, ", ")
	}
	if r.Stopped {
		said += "; it was stopped before it was complete"
	}
	return said
}

// extent says which runs a search has made. complete is the number of deviations up to which it has made all.
func extent(complete int, all search.Counts) string {
	said := "every run with at most " + render.Count(complete, "deviation")
	switch {
	case all.Runs == 0:
		return "no run"
	case complete == 0:
		said = "the plain run"
	}
	switch {
	case all.Random > 0:
		said += ", and a sample of those with more"
	case complete == 0 && all.Runs > 1:
		said += ", and a part of those with 1 deviation"
	}
	return said
}

// Headline returns the result of a search in one line, for the title of a page. Waived findings do not count.
func (r *Report) Headline() string {
	if len(r.Found) == 0 {
		return render.Capital(r.nothing())
	}
	return render.Count(len(r.Found), "way") + " to break a promise"
}

// Extent returns a line for each part of a search, which says how far it got.
func (r *Report) Extent() []string {
	var lines []string
	for _, part := range r.Parts {
		lines = append(lines, part.searched())
	}
	return lines
}

// WaivedLines lists the findings that waivers have removed.
func (r *Report) WaivedLines() []string {
	var lines []string
	for _, f := range r.Waived {
		lines = append(lines, fmt.Sprintf("WAIVED %s on %s: %s: %s", f.Known, statefulset.Title(f.Kubernetes), f.Promise, f.Says))
	}
	return lines
}
