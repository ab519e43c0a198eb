package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/render"
)

// Judgement writes how a timeline ends and how its expectations came out, without its story.
func Judgement(w io.Writer, run *Run, style render.Style) error {
	p := newSheet(w, style)
	p.heading(run)
	c := castOf(run.Events)
	p.Blank()
	p.verdict(run, summarize(run.Events), c)
	p.expectations(run)
	p.repeat(run)
	return p.Flush()
}

// verdictWords are the marks of the verdicts of expectations, by Verdict.
var verdictWords = [...]string{"ok", "FAILED", "skipped"}

// verdictTones are the colours of the marks, by Verdict.
var verdictTones = [...]render.Tone{render.Good, render.Bad, render.Dim}

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
	p.Text(0, heading, render.Bold)
	for i := range run.Expectations {
		e := &run.Expectations[i]
		p.Wrapped(fmt.Sprintf("  %-7s ", verdictWords[e.Verdict]), e.Text, verdictTones[e.Verdict])
		switch {
		case e.Verdict == Failed:
			p.failure(e)
		case e.Detail != "":
			p.Text(10, e.Detail, render.Dim)
		}
	}
}

// failures writes the expectations that failed, in full, and no others: a report of many tests has no room for more.
func (p sheet) failures(run *Run) {
	for i := range run.Expectations {
		if e := &run.Expectations[i]; e.Verdict == Failed {
			p.Blank()
			p.Wrapped("FAILED ", e.Text, render.Bad)
			p.failure(e)
		}
	}
}

// aroundIndent is the column at which the text of a line of a timeline begins, after its mark and its time.
const aroundIndent = 11

// failure writes a failed expectation in full: where it stands, what came instead, and the timeline around it.
func (p sheet) failure(e *Expectation) {
	if e.Position != "" {
		p.Verbatim(10, e.Position, render.Dim)
	}
	if e.Detail != "" {
		p.Text(10, e.Detail, render.Plain)
	}
	p.diff(10, e.Expected, e.Got)
	if len(e.Around) > 0 {
		p.Text(10, "the timeline around it:", render.Plain)
	}
	for _, line := range e.Around {
		p.Hanging(aroundIndent, strings.Repeat(" ", 10), line, render.Dim)
	}
}

// diff writes two lists as one, with the lines that only one of them has marked.
func (p sheet) diff(indent int, expected, got []string) {
	if len(expected) == 0 && len(got) == 0 {
		return
	}
	p.Text(indent, "- expected, + got", render.Dim)
	for _, d := range compare(expected, got) {
		p.Verbatim(indent, string(d.mark)+" "+d.text, diffTones[d.mark])
	}
}

// diffTones are the colours of the marks of a difference.
var diffTones = map[byte]render.Tone{'-': render.Bad, '+': render.Good, ' ': render.Plain}
