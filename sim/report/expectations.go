package report

import (
	"fmt"
	"io"
	"strings"
)

// Judgement writes how a timeline ends and how its expectations came out, without its story.
func Judgement(w io.Writer, run *Run, style Style) error {
	p := newPage(w, style)
	p.heading(run)
	c := castOf(run.Events)
	p.blank()
	p.verdict(run, c)
	p.expectations(run)
	p.repeat(run)
	return p.flush()
}

// verdictWords are how the verdicts of expectations are marked.
var verdictWords = [...]string{"ok", "FAILED", "skipped"}

// verdictTones are how the marks stand out.
var verdictTones = [...]tone{good, bad, dim}

// expectations writes each expectation with its mark, and those that failed in full.
func (p *page) expectations(run *Run) {
	if len(run.Expectations) == 0 {
		return
	}
	p.blank()
	counts := tally(run.Expectations)
	heading := fmt.Sprintf("expectations: %d held, %d failed", counts[Held], counts[Failed])
	if counts[Skipped] > 0 {
		heading += fmt.Sprintf(", %d skipped", counts[Skipped])
	}
	p.text(0, heading, bold)
	for i := range run.Expectations {
		e := &run.Expectations[i]
		p.wrapped(fmt.Sprintf("  %-7s ", verdictWords[e.Verdict]), e.Text, verdictTones[e.Verdict])
		switch {
		case e.Verdict == Failed:
			p.failure(e)
		case e.Detail != "":
			p.text(10, e.Detail, dim)
		}
	}
}

// failures writes the expectations that failed, in full.
func (p *page) failures(run *Run) {
	for i := range run.Expectations {
		if e := &run.Expectations[i]; e.Verdict == Failed {
			p.blank()
			p.wrapped("FAILED ", e.Text, bad)
			p.failure(e)
		}
	}
}

// aroundIndent is where the text of a line of a timeline begins, after its mark and its time.
const aroundIndent = 11

// failure writes a failed expectation in full: where it stands, what came instead, and the timeline around it.
func (p *page) failure(e *Expectation) {
	if e.Position != "" {
		p.verbatim(10, e.Position, dim)
	}
	if e.Detail != "" {
		p.text(10, e.Detail, plain)
	}
	p.diff(10, e.Expected, e.Got)
	if len(e.Around) > 0 {
		p.text(10, "the timeline around it:", plain)
	}
	for _, line := range e.Around {
		p.hanging(aroundIndent, strings.Repeat(" ", 10), line, dim)
	}
}

// diff writes two lists as one, with the lines that only one of them has marked.
func (p *page) diff(indent int, expected, got []string) {
	if len(expected) == 0 && len(got) == 0 {
		return
	}
	p.text(indent, "- expected, + got", dim)
	for _, d := range compare(expected, got) {
		p.verbatim(indent, string(d.mark)+" "+d.text, diffTones[d.mark])
	}
}

var diffTones = map[byte]tone{'-': bad, '+': good, ' ': plain}
