package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
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
	shown := map[string]bool{}
	for i := range run.Expectations {
		e := &run.Expectations[i]
		p.Wrapped(fmt.Sprintf("  %-7s ", verdictWords[e.Verdict]), e.shortText(), verdictTones[e.Verdict])
		switch {
		case e.Verdict == Failed:
			if e.Want != "" {
				p.expected(10, e)
			}
			p.failure(10, e, shown)
		case e.Detail != "":
			p.Text(10, e.Detail, render.Dim)
		}
	}
}

// failures writes only the failed expectations, in full: a report of many tests has no room for more. The first
// lines say what was expected and what came instead.
func (p sheet) failures(run *Run) {
	shown := map[string]bool{}
	for i := range run.Expectations {
		e := &run.Expectations[i]
		if e.Verdict != Failed {
			continue
		}
		if len(shown) > 0 {
			p.Blank()
		}
		p.expected(2, e)
		p.failure(2, e, shown)
		shown[""] = true
	}
}

// maxText is the number of characters of an expectation that reports for people show: a recorded one lists every change
// of its pods, and its place leads to them.
const maxText = 300

// shortText is the expectation in a line that is not too long.
func (e *Expectation) shortText() string { return render.Shorten(e.Text, maxText) }

// wanted says what a failed expectation wanted.
func (e *Expectation) wanted() string {
	if e.Want == "" {
		return e.shortText()
	}
	kind, _, _ := strings.Cut(e.Text, ": {")
	return e.Want + " (" + render.Shorten(kind, maxText) + ")"
}

// Failure says in a sentence why the expectation failed: what was expected, and what came instead.
func (e *Expectation) Failure() string {
	if e.Detail == "" {
		return "expected " + e.wanted()
	}
	return "expected " + e.wanted() + "; got " + firstLine(e.Detail)
}

// aroundIndent is the column where the text of a timeline line starts, after its mark and its time.
const aroundIndent = 11

// expected writes what was expected where an expectation failed.
func (p sheet) expected(indent int, e *Expectation) {
	p.Hanging(0, strings.Repeat(" ", indent)+"expected  ", e.wanted(), render.Good)
}

// failure writes why an expectation failed: what came instead, its place in the file, and the timeline around it,
// unless shown already has that block.
func (p sheet) failure(indent int, e *Expectation, shown map[string]bool) {
	lead := strings.Repeat(" ", indent)
	got := "got       "
	for line := range strings.SplitSeq(e.Detail, "\n") {
		if line != "" {
			p.Hanging(0, lead+got, line, render.Bad)
			got = strings.Repeat(" ", len(got))
		}
	}
	if e.Position != "" {
		p.Verbatim(indent, "at        "+e.Position, render.Dim)
	}
	if lines := e.Difference(); len(lines) > 0 {
		p.Text(indent, "- expected, + got", render.Dim)
		for _, line := range lines {
			p.Verbatim(indent, line, diffTones[line[0]])
		}
	}
	if len(e.Around) == 0 {
		return
	}
	block := strings.Join(e.Around, "\n")
	if shown[block] {
		p.Text(indent, "the timeline around it is the one above", render.Dim)
		return
	}
	shown[block] = true
	p.Text(indent, "the timeline around it:", render.Plain)
	for _, line := range e.Around {
		p.Hanging(aroundIndent, lead, line, render.Dim)
	}
}

// diffTones are the colours of the marks of a difference.
var diffTones = map[byte]render.Tone{'-': render.Bad, '+': render.Good, ' ': render.Plain}
