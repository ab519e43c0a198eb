package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/page"
)

// Judgement writes how a timeline ends and how its expectations came out, without its story.
func Judgement(w io.Writer, run *Run, style page.Style) error {
	p := newSheet(w, style)
	p.heading(run)
	c := castOf(run.Events)
	p.Blank()
	p.verdict(run, c)
	p.expectations(run)
	p.repeat(run)
	return p.Flush()
}

// verdictWords are the marks of the verdicts of expectations, by Verdict.
var verdictWords = [...]string{"ok", "FAILED", "skipped"}

// verdictTones are the colours of the marks, by Verdict.
var verdictTones = [...]page.Tone{page.Good, page.Bad, page.Dim}

// expectations writes each expectation with its mark, in the order of the scenario, and those that failed in full.
func (p sheet) expectations(run *Run) {
	if len(run.Expectations) == 0 {
		return
	}
	p.Blank()
	counts := tally(run.Expectations)
	heading := fmt.Sprintf("expectations: %d held, %d failed", counts[Held], counts[Failed])
	if counts[Skipped] > 0 {
		heading += fmt.Sprintf(", %d skipped", counts[Skipped])
	}
	p.Text(0, heading, page.Bold)
	for i := range run.Expectations {
		e := &run.Expectations[i]
		p.Wrapped(fmt.Sprintf("  %-7s ", verdictWords[e.Verdict]), e.Text, verdictTones[e.Verdict])
		switch {
		case e.Verdict == Failed:
			p.failure(e)
		case e.Detail != "":
			p.Text(10, e.Detail, page.Dim)
		}
	}
}

// failures writes the expectations that failed, in full, and no others: a report of many tests has no room for more.
func (p sheet) failures(run *Run) {
	for i := range run.Expectations {
		if e := &run.Expectations[i]; e.Verdict == Failed {
			p.Blank()
			p.Wrapped("FAILED ", e.Text, page.Bad)
			p.failure(e)
		}
	}
}

// aroundIndent is the column at which the text of a line of a timeline begins, after its mark and its time.
const aroundIndent = 11

// failure writes a failed expectation in full: where it stands, what came instead, and the timeline around it.
func (p sheet) failure(e *Expectation) {
	if e.Position != "" {
		p.Verbatim(10, e.Position, page.Dim)
	}
	if e.Detail != "" {
		p.Text(10, e.Detail, page.Plain)
	}
	p.diff(10, e.Expected, e.Got)
	if len(e.Around) > 0 {
		p.Text(10, "the timeline around it:", page.Plain)
	}
	for _, line := range e.Around {
		p.Hanging(aroundIndent, strings.Repeat(" ", 10), line, page.Dim)
	}
}

// diff writes two lists as one, with the lines that only one of them has marked.
func (p sheet) diff(indent int, expected, got []string) {
	if len(expected) == 0 && len(got) == 0 {
		return
	}
	p.Text(indent, "- expected, + got", page.Dim)
	for _, d := range compare(expected, got) {
		p.Verbatim(indent, string(d.mark)+" "+d.text, diffTones[d.mark])
	}
}

var diffTones = map[byte]page.Tone{'-': page.Bad, '+': page.Good, ' ': page.Plain}
