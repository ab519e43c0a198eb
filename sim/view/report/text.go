package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Text writes the run as a story: when, who did what to which pod and why, and what it is waiting for. It ends with
// the verdict, the expectations and, if the run failed, the command that repeats it.
func Text(w io.Writer, run *Run, style render.Style) error {
	p := newSheet(w, style)
	p.heading(run)
	if part := run.Part.String(); part != "" {
		p.Text(0, part, render.Dim)
	}
	c := castOf(run.Events)
	tell(run, c, func(t model.Time, lines []line) { p.instant(c, t, lines) })
	p.Blank()
	p.verdict(run, summarize(run.Events), c)
	p.expectations(run)
	p.gates(run)
	p.repeat(run)
	return p.Flush()
}

// heading writes the name, the description and what was played: the version, its gates, the seed, and the sim.
func (p sheet) heading(run *Run) {
	header := run.header()
	title := run.Name
	if title == "" {
		title = header.Scenario
	}
	p.Wrapped("", title, render.Bold)
	if description := strings.TrimSpace(run.Description); description != "" {
		for line := range strings.SplitSeq(description, "\n") {
			p.Hanging(0, "", line, render.Plain)
		}
	}
	facts := "Kubernetes " + header.Version()
	for _, gate := range header.Gates {
		facts += fmt.Sprintf(", %s=%t", gate.Name, gate.On)
	}
	p.Text(0, fmt.Sprintf("%s, seed %d, sim %s", facts, header.Seed, header.Sim), render.Dim)
}

// actorWidth is the width of the longest name of an actor.
const actorWidth = len("controller")

// instant writes the lines of one instant under one time; an actor is named where it changes.
func (p sheet) instant(c *cast, t model.Time, lines []line) {
	when, actor := render.Clock(t), timeline.NoActor
	for i := range lines {
		l := &lines[i]
		if l.apart {
			p.Blank()
			when, actor = render.Clock(t), timeline.NoActor
		}
		who := ""
		if l.actor != actor || i == 0 {
			who = l.actor.String()
		}
		p.Wrapped(fmt.Sprintf("%*s  %-*s  ", c.timeWidth+1, when, actorWidth, who), l.text, l.tone)
		when, actor = "", l.actor
	}
}

// gates writes the answers of deploy tools about the steps.
func (p sheet) gates(run *Run) {
	if len(run.Gates) == 0 {
		return
	}
	p.Blank()
	p.Text(0, "deploy tools that wait", render.Bold)
	for _, g := range run.Gates {
		tone := render.Plain
		if g.Wrong {
			tone = render.Bad
		}
		p.Text(2, g.Line, tone)
	}
}

// repeat writes the command that plays the run again, and the complaint above it. A run that is good has neither.
func (p sheet) repeat(run *Run) {
	if run.Repeat == "" {
		return
	}
	if run.Complaint != "" {
		p.Blank()
		p.Text(0, run.Complaint, render.Bad)
	}
	p.Blank()
	p.Text(0, "To play it again:", render.Plain)
	p.Verbatim(0, run.Repeat, render.Bold)
	if slices.ContainsFunc(run.Expectations, func(e Expectation) bool {
		return e.Verdict == Failed && strings.Contains(e.Detail, "since this was recorded, ")
	}) {
		p.Text(0, "If the change is wanted, this records the run again:", render.Plain)
		p.Verbatim(0, shell.Line("sim", "test", "--update", run.File), render.Bold)
	}
}

// sheet is a page with the common parts of this package's reports.
type sheet struct{ *render.Page }

// newSheet returns an empty sheet; the caller calls Flush at the end.
func newSheet(w io.Writer, style render.Style) sheet { return sheet{render.New(w, style)} }
