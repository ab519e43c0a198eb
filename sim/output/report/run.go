package report

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Run is one played scenario, as a report needs it. Reports only read it, and several may do so at once.
type Run struct {
	// Name and Description are the scenario's, File is where it was read from.
	Name, Description, File string
	// Events is the whole timeline, the header first and the result last. It may be cut off anywhere; it may be empty.
	Events []timeline.Event
	// Expectations are the scenario's, in its order, each with its verdict.
	Expectations []Expectation
	// Complaint says what makes the run fail where no expectation has failed: that it did not settle, for example. It is
	// "" if an expectation failed or the run is good.
	Complaint string
	// Cures are the ways out of a run that ends stuck, at most one for each set. Explain is the command that looks for
	// the reason, if the run has not come to rest and no way out is known; else "".
	Cures   []Cure
	Explain string
	// Untried says, in a clause, why no way out was looked for, or not for all sets; "" if it was.
	Untried string
	// Source is the scenario as its file has it, and Command is the command that printed the report; both may be "".
	Source, Command string
	// Playground is the link that opens the scenario in the playground, or "".
	Playground string
	// StepLines are the lines of Source at which its steps stand, FaultLines those of its faults, in their order, from 1.
	StepLines, FaultLines []int
	// Part is the part of the run that its text is about. The verdict, the expectations and all other forms are about the
	// whole run.
	Part Part
	// Repeat is the command that plays the run again. It is given where the run failed, and is the report's last line.
	Repeat string
	// Enough says whether to end the output, since the user has interrupted and waits; nil is never. JSON asks it: it ends
	// the document where it is, in a form that can be read. Other forms just end, by an error of the writer.
	Enough func() bool
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
	// Instants are the times at which the expectation was broken, the most important one first, and Around is the
	// timeline there, one line each. What failed because something never happened has no instant.
	Instants []model.Time
	Around   []string
}

// Verdict is the result of an expectation. It is an index of [3]int counts (tally), of verdictNames and of
// verdictWords.
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

// askEvery is the number of events after which Enough is asked.
const askEvery = 1 << 10

// enough says whether to end the output before the i-th event.
func (r *Run) enough(i int) bool { return i%askEvery == 0 && r.Enough != nil && r.Enough() }

// tally counts expectations by verdict.
func tally(all []Expectation) (counts [3]int) {
	for i := range all {
		counts[all[i].Verdict]++
	}
	return counts
}
