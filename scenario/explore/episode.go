package explore

import (
	"slices"
	"strings"

	search "github.com/statefulsim/statefulsim/sim/explore"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/promise"
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
func (e *episode) text(p *page.Page, command func(*Found) string) {
	f := e.teller
	for _, one := range e.found {
		p.Wrapped("", "FOUND "+one.headline(), page.Bad)
		if promised, ok := promise.Lookup(one.Promise); ok {
			p.Wrapped("  ", "the promise: "+promised.Says, page.Plain)
		}
		if known := one.KnownAs(); known != "" {
			p.Wrapped("  ", "known as "+known, page.Plain)
		}
	}
	if f.Deviations == 0 {
		p.Text(2, "the plain run itself:", page.Plain)
	} else {
		p.Text(2, page.Count(f.Deviations, "deviation")+" from the plain run:", page.Plain)
	}
	p.Blank()
	e.story(p)
	if f.Token != "" {
		p.Text(2, "to play it again:", page.Plain)
		p.Verbatim(4, command(f), page.Plain)
	}
	if f.Scenario != "" {
		p.Text(2, "as a scenario:", page.Plain)
		p.Verbatim(4, strings.TrimSuffix(f.Scenario, "\n"), page.Dim)
	}
	p.Blank()
}

// story writes the lines of a story as a table: their times, how many pods serve after them, and what happens. The
// columns are as wide as their widest cell, and long texts are wrapped in the last one.
func (e *episode) story(p *page.Page) {
	lines := e.teller.Lines
	if len(lines) == 0 {
		return
	}
	at, serving := page.Width("time"), page.Width("serving")
	for i := range lines {
		at, serving = max(at, page.Width(lines[i].At)), max(serving, page.Width(lines[i].Serving))
	}
	lead := func(mark, time, serve string) string {
		return "  " + mark + " " + page.Pad(time, at) + "  " + page.Pad(serve, serving) + "  "
	}
	p.Line(lead(" ", "time", "serving"), "what happens", page.Dim)
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
func (e *episode) mark(l *Line) (string, page.Tone) {
	switch {
	case l.Breaks != "" && slices.ContainsFunc(e.found, func(f *Found) bool { return f.Promise == l.Breaks }):
		return "!", page.Bad
	case l.Deviates != "":
		return "*", page.Warn
	}
	return " ", page.Plain
}
