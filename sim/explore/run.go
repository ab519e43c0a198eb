package explore

import (
	"fmt"

	"github.com/statefulsim/statefulsim/sim/choose"
)

// Deviation is a question that is not answered dully: the At-th of the run, counted from 0.
type Deviation struct {
	At     int `json:"at"`
	Answer int `json:"answer"`
}

// Finding is what went wrong in a run.
type Finding struct {
	// Class tells findings apart: two of one class are the same trap, found twice.
	Class string `json:"class"`
	// Detail says in words what went wrong in this run.
	Detail string `json:"detail"`
}

// Subject plays one run. It asks the run for every answer and tells it of each state that it comes to, and it must ask
// the same questions after the same answers. Several runs may be under way at the same time.
type Subject func(*Run)

// Run is one run as its subject sees it: it answers its questions, and notes what comes of it.
type Run struct {
	tape []Deviation
	// open says which questions may be answered otherwise than dully; nil opens all.
	open func(choose.Kind) bool
	// seen are the states that need not be gone on from; nil prunes nothing.
	seen *visited

	next  int
	asked []question
	// states is how many it has come to first of all.
	states int
	found  []Finding
	length int
	// draw says where a random run deviates; nil for any other.
	draw *draw
}

// question is one that was asked after the last deviation: its number, and how many answers it has.
type question struct{ at, n int }

// strata are the answers that are tried where a question has very many, which are quantiles of a distribution: the
// first, the middle and the last.
const strata = 3

// Choose answers a question.
func (r *Run) Choose(kind choose.Kind, n int) int {
	if n == 1 || r.open != nil && !r.open(kind) {
		return 0
	}
	answers := n
	if kind == choose.Timing {
		answers = min(n, strata)
	}
	answer := r.answer(kind, answers)
	r.length++
	if answers < n {
		return answer * (n - 1) / (answers - 1)
	}
	return answer
}

// answer is the answer to the question that is asked now.
func (r *Run) answer(kind choose.Kind, n int) int {
	at := r.length
	if r.draw != nil {
		answer, deviates := r.draw.answer(at, n)
		if deviates {
			r.tape = append(r.tape, Deviation{at, answer})
		}
		return answer
	}
	if r.next == len(r.tape) {
		r.asked = append(r.asked, question{at, n})
		return 0
	}
	d := r.tape[r.next]
	if d.At != at {
		return 0
	}
	if d.Answer >= n {
		panic(Diverged(fmt.Sprintf("question %d (%s) has %d answers, and answer %d is wanted", at, kind, n, d.Answer)))
	}
	r.next++
	return d.Answer
}

// Diverged is what a run panics with that does not ask the questions it is replayed with: it is another run.
type Diverged string

// Error says where it parted.
func (d Diverged) Error() string { return "this is not the run that was recorded: " + string(d) }

// State notes that the run has come to a state at which all that is still to come depends on the state and on the
// answers to come alone. It returns true where the run need not go on, since another has gone on from there.
func (r *Run) State(fingerprint uint64) (known bool) {
	if !r.Prunes() {
		return false
	}
	if r.seen.has(fingerprint) {
		return true
	}
	r.seen.own[fingerprint] = struct{}{}
	r.states++
	return false
}

// Prunes says whether it matters what state the run is in: whether it need not go on from one that is known.
func (r *Run) Prunes() bool { return r.seen != nil && r.next == len(r.tape) }

// Found notes that something has gone wrong.
func (r *Run) Found(f Finding) { r.found = append(r.found, f) }

// Deviates says whether the question that comes next is answered otherwise than dully, or one after it.
func (r *Run) Deviates() bool { return r.next < len(r.tape) }

// Length is the number of questions that have been asked.
func (r *Run) Length() int { return r.length }

// visited are states that runs have come to: those of finished levels, which nobody changes while a level goes on, and
// those of the batch at hand.
type visited struct {
	before map[uint64]struct{}
	own    map[uint64]struct{}
}

func (v *visited) has(state uint64) bool {
	if _, known := v.before[state]; known {
		return true
	}
	_, known := v.own[state]
	return known
}

// play plays one run.
func (s *search) play(tape []Deviation, seen *visited) *Run {
	r := &Run{tape: tape, open: s.o.Open, seen: seen}
	s.o.Subject(r)
	if r.next < len(tape) {
		panic(Diverged(fmt.Sprintf("it ended after %d questions, and question %d was to be answered", r.length,
			tape[r.next].At)))
	}
	return r
}

// Play plays one run again and returns what it found. The error is a Diverged where it is not the run that the
// deviations were recorded of.
func Play(subject Subject, open func(choose.Kind) bool, tape []Deviation) (found []Finding, err error) {
	defer func() {
		if diverged, ok := recover().(Diverged); ok {
			err = diverged
		}
	}()
	s := search{o: Options{Subject: subject, Open: open}}
	return s.play(tape, nil).found, nil
}
