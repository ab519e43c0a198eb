package explore

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// episode is what is found in one run. A run often breaks several promises, each of which is a finding of its own;
// people read its story once.
type episode struct {
	// found are the findings, the gravest first, as in the report. There is at least one.
	found []*Found
	// teller is the finding whose story shows all of them: that with the longest story. It is one of found.
	teller *Found
}

// episodes puts the findings together that one story shows, in the order of the first of each. O(n²) in the findings,
// of which there are some dozen.
func (r *Report) episodes() []*episode {
	var episodes []*episode
	for _, f := range r.Found {
		at := slices.IndexFunc(episodes, func(e *episode) bool { return e.teller.shows(f) || f.shows(e.teller) })
		if at < 0 {
			episodes = append(episodes, &episode{[]*Found{f}, f})
			continue
		}
		e := episodes[at]
		if e.found = append(e.found, f); f.shows(e.teller) {
			e.teller = f
		}
	}
	return episodes
}

// shows says whether the story of a finding shows another one too: both are of one run of one file on one version, and
// the story, which ends with its own breach, has the other before it.
func (f *Found) shows(other *Found) bool {
	return f.File == other.File && f.Kubernetes == other.Kubernetes &&
		search.CompareTapes(f.Tape, other.Tape) == 0 && slices.Contains(f.Breaks, other.Class)
}

// text describes a run and what is found in it: the promises, the story, the command that plays it again, and the
// scenario. The command is only called for a finding with a token.
func (e *episode) text(p *render.Page, command func(*Found) string) {
	f := e.teller
	for _, one := range e.found {
		p.Wrapped("", "FOUND "+one.headline(), render.Bad)
		if promised, ok := promise.Lookup(one.Promise); ok {
			p.Wrapped("  ", "the promise: "+promised.Says, render.Plain)
		}
		if known := one.KnownAs(); known != "" {
			p.Wrapped("  ", "known as "+known, render.Plain)
		}
	}
	if f.Deviations == 0 {
		p.Text(2, "the plain run itself:", render.Plain)
	} else {
		p.Text(2, render.Count(f.Deviations, "deviation")+" from the plain run:", render.Plain)
	}
	p.Blank()
	e.story(p)
	if f.Token != "" {
		p.Text(2, "to play it again:", render.Plain)
		p.Verbatim(4, command(f), render.Plain)
	}
	if f.Scenario != "" {
		p.Text(2, "as a scenario:", render.Plain)
		p.Verbatim(4, strings.TrimSuffix(f.Scenario, "\n"), render.Dim)
	}
	p.Blank()
}

// story writes the lines of a story as a table: their times, how many pods serve after them, and what happens. The
// columns are as wide as their widest cell, and long texts are wrapped in the last one.
func (e *episode) story(p *render.Page) {
	lines := e.teller.Lines
	if len(lines) == 0 {
		return
	}
	at, serving := render.Width("time"), render.Width("serving")
	for i := range lines {
		at, serving = max(at, render.Width(lines[i].At)), max(serving, render.Width(lines[i].Serving))
	}
	lead := func(mark, time, serve string) string {
		return "  " + mark + " " + render.Pad(time, at) + "  " + render.Pad(serve, serving) + "  "
	}
	p.Line(lead(" ", "time", "serving"), "what happens", render.Dim)
	for i := range lines {
		l := &lines[i]
		sign, tone := e.mark(l)
		p.Wrapped(lead(sign, l.At, l.Serving), e.says(l), tone)
	}
	p.Blank()
}

// says words a line of the story. The headlines have said already what is broken, so a line only names the promise
// again; a breach that is no finding of this report, because it is waived or was found by a shorter run, stands in
// brackets.
func (e *episode) says(l *Line) string {
	for _, f := range e.found {
		if l.Breaks == f.Promise && l.Says == f.Says {
			return f.Promise + " is broken"
		}
	}
	if l.Breaks != "" {
		return "(also broken: " + l.Breaks + ": " + l.Says + ")"
	}
	return l.Says
}

// mark returns the sign of a line, and how it stands out: ! for a breach that is a finding of this episode, * for a
// deviation. The legend explains both.
func (e *episode) mark(l *Line) (string, render.Tone) {
	switch {
	case l.Breaks != "" && slices.ContainsFunc(e.found, func(f *Found) bool { return f.Promise == l.Breaks }):
		return "!", render.Bad
	case l.Deviates != "":
		return "*", render.Warn
	}
	return " ", render.Plain
}
