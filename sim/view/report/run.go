// Package report renders timelines for people and for machines: a story, a table, JSON, what kubectl would have shown,
// and the report of a test run. It decides nothing: whether a run is good was judged before, and what happened is in
// the timeline. The same input gives the same bytes.
//
// A report reads a Run, which it never changes; the timeline may be cut off anywhere, even in the middle of an
// instant. Names and messages come from users and clusters, and may hold anything: printed text passes through
// render.Visible, render.Markdown or an escape of its own format, and nothing else makes it safe.
//
// The command line calls it with the runs that the packages below scenario have played and judged. It knows nothing
// about scenarios and worlds, so that a timeline from a file is reported like any other.
package report

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Part is the part of a run that its story is about; the zero Part is all of it.
type Part struct {
	// Only are the names of pods and StatefulSets, in any namespace; other things are left out. With none, nothing is.
	Only []string
	// Since is the instant when the story starts.
	Since model.Time
}

// String says which part it is, or is "" for a whole run.
func (p *Part) String() string {
	var words []string
	if len(p.Only) > 0 {
		words = append(words, "only "+strings.Join(p.Only, ", "))
	}
	if p.Since > 0 {
		words = append(words, "since "+render.Clock(p.Since))
	}
	return strings.Join(words, ", ")
}

// Has reports whether an event belongs to the part. Acts of users and failures belong to all with their instant.
func (p *Part) Has(e *timeline.Event) bool {
	if e.T < p.Since {
		return false
	}
	if len(p.Only) == 0 || e.Kind == timeline.KindStep || e.Kind == timeline.KindFault {
		return true
	}
	return slices.ContainsFunc(p.Only, func(name string) bool { return concerns(e, name) })
}

// concerns reports whether an event is about the pod or the StatefulSet of a name. Waits concern their pod, too.
func concerns(e *timeline.Event, name string) bool {
	return e.Pod == name || e.Set.Name == name || e.Why.Object == name
}

// Missing returns the first of the names that no event of the run concerns, or "". A user who mistypes a name is told
// so, and does not get an empty story.
func (p *Part) Missing(run *Run) string {
	for _, name := range p.Only {
		is := func(e timeline.Event) bool { return concerns(&e, name) }
		if !slices.ContainsFunc(run.Events, is) {
			return name
		}
	}
	return ""
}

// Run is one played scenario, as a report needs it. Reports only read it, and several may do so at once.
type Run struct {
	// Name and Description are the scenario's, File is where it was read from.
	Name, Description, File string
	// Events is the whole timeline, the header first and the result last. It may be cut off anywhere; it may be empty.
	Events []timeline.Event
	// Expectations are the scenario's, in its order, each with its verdict.
	Expectations []Expectation
	// Complaint says what makes the run fail although no expectation has failed: that it did not settle, for
	// example. It is "" if an expectation failed or the run is good.
	Complaint string
	// Cures are the ways out of a run that ends stuck, at most one for each set. Explain is the command that looks
	// for the reason, if the run has not come to rest and no way out is known; otherwise "".
	Cures   []Cure
	Explain string
	// Untried says, in a clause, why no way out was looked for, or not for all sets; "" if it was.
	Untried string
	// Source is the scenario as its file has it, and Command is the command that printed the report; both may be "".
	Source, Command string
	// Playground is the link that opens the scenario in the playground, or "".
	Playground string
	// StepLines are the lines of its steps in Source, FaultLines the lines of its faults, in their order, from 1.
	StepLines, FaultLines []int
	// Begun is the running cluster that the run starts with; nil if it starts with an empty one.
	Begun *Begun
	// Gates are the answers of waiting deploy tools about the steps, if they were asked for.
	Gates []Gate
	// Part is the part of the run that its text is about. The verdict, the expectations and all other forms are about the
	// whole run.
	Part Part
	// Repeat is the command that plays the run again. It is given where the run failed, and is the report's last line.
	Repeat string
	// Enough reports whether to end the output, since the user has interrupted and waits; nil is never. JSON asks
	// it: it ends the document where it is, in a form that can be read. Other forms just end, by an error of the
	// writer.
	Enough func() bool
}

// Begun is a running cluster at the start of a run.
type Begun struct {
	// Created is when each pod was created, at or before 0.
	Created map[model.Key]model.Time
	// Assumed has the assumptions of the run about each set, as a clause: "kafka-4 starts".
	Assumed map[model.Key]string
}

// Gate is the answer of a waiting deploy tool about a step.
type Gate struct {
	// Line says it, and Wrong whether the tool misleads.
	Line  string
	Wrong bool
	// Fields are the object that JSON has.
	Fields any
}

// Expectation is one expectation and what became of it.
type Expectation struct {
	Verdict Verdict
	// Text is the expectation in a line, as the scenario has it; Position is its FILE:LINE:COLUMN.
	Text, Position string
	// Detail says what came instead, why it was skipped, or how it held; it may have several lines.
	Detail string
	// Want is what was expected where it failed, if that says it in fewer words than Text; else "".
	Want string
	// Expected and Got are lists to be compared line by line; both are empty if there is nothing to compare.
	Expected, Got []string
	// Instants are the times when the expectation was broken, the most important one first, and Around is the
	// timeline there, one line each. An expectation that failed because something never happened has no instant.
	Instants []model.Time
	Around   []string
}

// Verdict is the result of an expectation. It is an index of counts (tally), verdictNames and verdictWords.
type Verdict uint8

// The verdicts of an expectation. One that does not concern the run's version is skipped.
const (
	Held Verdict = iota
	Failed
	Skipped
)

var verdictNames = [...]string{"held", "failed", "skipped"}

// String returns the verdict as in JSON.
func (v Verdict) String() string { return verdictNames[v] }

// header returns the run's first event's header, or an empty one where the timeline has none.
func (r *Run) header() timeline.Run {
	if len(r.Events) > 0 && r.Events[0].Run != nil {
		return *r.Events[0].Run
	}
	return timeline.Run{}
}

// result returns the timeline's last event where it is the result, else nil: the timeline was then cut off.
func (r *Run) result() *timeline.Event {
	if n := len(r.Events); n > 0 && r.Events[n-1].Result != nil {
		return &r.Events[n-1]
	}
	return nil
}

// end returns the instant of the last event, 0 of an empty timeline.
func (r *Run) end() model.Time {
	if len(r.Events) == 0 {
		return 0
	}
	return r.Events[len(r.Events)-1].T
}

// askEvery is the number of events after which Enough is called.
const askEvery = 1 << 10

// enough reports whether to end the output before the i-th event.
func (r *Run) enough(i int) bool { return i%askEvery == 0 && r.Enough != nil && r.Enough() }

// tally counts expectations by verdict.
func tally(all []Expectation) (counts [3]int) {
	for i := range all {
		counts[all[i].Verdict]++
	}
	return counts
}
