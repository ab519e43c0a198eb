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

// Finding says what went wrong in a run.
type Finding struct {
	// Class identifies a kind of finding: two findings of one class are the same trap, found twice.
	Class string `json:"class"`
	// Detail says in words what went wrong in this run.
	Detail string `json:"detail"`
}

// Subject plays one run. It asks the run for every answer and reports each state that it reaches. It must ask the same
// questions after the same answers. Several runs may be under way at the same time. A run that resumes from somewhere
// continues from there instead of from its beginning.
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
	// states is the number of states that it reached first of all runs.
	states int
	found  []Finding
	length int
	// draw says where a random run deviates; nil for any other.
	draw *draw
	// from is the place where the run begins; the zero value is its beginning.
	from mark
	// marks, where it is not nil, is given where others can begin that have one deviation more, up to the question last.
	marks *[]mark
	last  int
}

// mark is a place in a run from which others can go on: how many questions have been asked up to there, and what the
// subject needs to go on.
type mark struct {
	at    int
	saved any
}

// Mark says that runs can go on from here: what save returns is given to them by Resumes. It must not change any more.
func (r *Run) Mark(save func() any) {
	if r.marks == nil || r.next < len(r.tape) {
		return
	}
	here := mark{r.length, save()}
	if n := len(*r.marks); n > 0 && (*r.marks)[n-1].at == here.at {
		(*r.marks)[n-1] = here
		return
	}
	*r.marks = append(*r.marks, here)
}

// Enough says that the run need not go on: it is only played for its marks, and has them all.
func (r *Run) Enough() bool { return r.marks != nil && r.length > r.last }

// Resumes returns what was saved at the mark from which the run goes on, nil where it begins at the beginning.
func (r *Run) Resumes() any { return r.from.saved }

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
		panic(Diverged(fmt.Sprintf("question %d (%s) has %d answers, "+
			"but the token asks for answer %d", at, kind, n, d.Answer)))
	}
	r.next++
	return d.Answer
}

// Diverged is the panic of a run that does not ask the questions of the recorded run: it is another run.
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
func (r *Run) Prunes() bool {
	return r.seen != nil && r.next == len(r.tape) && (r.draw == nil || r.draw.over(r.length))
}

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

// play plays one run, from a mark that lies behind all its deviations but the last.
func (s *search) play(tape []Deviation, seen *visited, from mark) *Run {
	r := &Run{tape: tape, open: s.o.Open, seen: seen, from: from}
	if from.saved != nil {
		r.next, r.length = len(tape)-1, from.at
	}
	s.subject(r)
	return r
}

func (s *search) subject(r *Run) {
	s.o.Subject(r)
	if r.draw == nil && r.next < len(r.tape) {
		panic(Diverged(fmt.Sprintf("it ended after %d questions, but the token answers question %d", r.length,
			r.tape[r.next].At)))
	}
}

// marksOf plays a run once more for the places from which those go on that have one deviation more. It begins at one of
// the marks of the run without any.
func (s *search) marksOf(n *node, dull []mark) (marks []mark) {
	if len(n.asked) == 0 || s.o.Anew {
		return nil
	}
	r := &Run{tape: n.tape, open: s.o.Open, marks: &marks, last: n.asked[len(n.asked)-1].at}
	if len(n.tape) > 0 {
		r.from = before(dull, n.tape[0].At)
		r.length = r.from.at
	}
	s.subject(r)
	return marks
}

// before is the last of marks at which a question has not been asked yet, the zero value where there is none.
func before(marks []mark, question int) mark {
	for i := len(marks) - 1; i >= 0; i-- {
		if marks[i].at <= question {
			return marks[i]
		}
	}
	return mark{}
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
	return s.play(tape, nil, mark{}).found, nil
}
