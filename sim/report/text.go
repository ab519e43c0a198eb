package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Text writes the run as a story: when, who did what to which pod and why, and what is being waited for. It ends with
// the verdict, the expectations and, where the run failed, the command that repeats it.
func Text(w io.Writer, run *Run, style Style) error {
	p := newPage(w, style)
	p.heading(run)
	c := castOf(run.Events)
	tell(run.Events, c, func(t model.Time, lines []line) { p.instant(c, t, lines) })
	p.blank()
	p.verdict(run, c)
	p.expectations(run)
	p.repeat(run)
	return p.flush()
}

func (p *page) heading(run *Run) {
	header := run.header()
	title := run.Name
	if title == "" {
		title = header.Scenario
	}
	p.text(0, title, bold)
	if description := strings.TrimSpace(run.Description); description != "" {
		for line := range strings.SplitSeq(description, "\n") {
			p.hanging(0, "", line, plain)
		}
	}
	facts := "Kubernetes " + header.Kubernetes
	for _, gate := range header.Gates {
		facts += fmt.Sprintf(", %s=%t", gate.Name, gate.On)
	}
	p.text(0, fmt.Sprintf("%s, seed %d, sim %s", facts, header.Seed, header.Sim), dim)
}

const actorWidth = len("controller")

// instant writes the lines of one instant under one time; an actor is named where it changes.
func (p *page) instant(c *cast, t model.Time, lines []line) {
	when, actor := at(t), timeline.NoActor
	for i := range lines {
		l := &lines[i]
		if l.apart {
			p.blank()
			when, actor = at(t), timeline.NoActor
		}
		who := ""
		if l.actor != actor || i == 0 {
			who = l.actor.String()
		}
		p.wrapped(fmt.Sprintf("%*s  %-*s  ", c.timeWidth+1, when, actorWidth, who), l.text, l.tone)
		when, actor = "", l.actor
	}
}

func (p *page) repeat(run *Run) {
	if run.Repeat == "" {
		return
	}
	if run.Complaint != "" {
		p.blank()
		p.text(0, run.Complaint, bad)
	}
	p.blank()
	p.text(0, "To play it again:", plain)
	p.verbatim(0, run.Repeat, bold)
}
