package search

import (
	"errors"
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/sim/choose"
)

// Deviation is a choice with another answer than the plain one, 0. At is the index of the choice in the run.
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

// Subject plays one run. It asks the run for every choice and reports each state that it reaches. After the same
// answers it must make the same choices. Several runs may be played at the same time. A run that resumes continues from
// the mark that it is given instead of from its beginning.
type Subject func(*Run)

// Run is one run as its subject sees it: it answers choices, and notes states and findings. Runs of a search never
// share one, and it is used by one goroutine.
type Run struct {
	tape []Deviation
	// open says which kinds of choices may deviate; nil means all.
	open func(choose.Kind) bool
	// seen are the states at which the run may stop; nil means that it never stops.
	seen *visited

	// next is the number of deviations of the tape that have happened. asked are the choices after the last of them; no
	// other run is derived from an earlier one, so no run is played twice.
	next  int
	asked []question
	// states is the number of states that this run was the first to reach.
	states int
	// found are the findings in the order in which they were noted. length is the number of choices that were made, and
	// so the number of the next one.
	found  []Finding
	length int
	// cut is true if the run was ended from outside, before its time.
	cut bool
	// draw says where a random run deviates; nil for other runs.
	draw *draw
	// from is the place at which the run begins; the zero value is its beginning.
	from mark
	// wanted is the class that the run is played for, so that it may end once it is found; "" for none.
	wanted string
	// marks, if it is not nil, collects where runs with one more deviation can begin, up to the choice last.
	marks *[]mark
	last  int
}

// mark is a place in a run from which other runs can continue: the number of choices made up to there, and what the
// subject needs to continue.
type mark struct {
	at    int
	saved any
}

// Mark says that other runs can continue from here. They get what save returns, which must not change.
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

// Enough says that the run may end: it is only played for its marks, and has all of them, or for a finding that it has.
func (r *Run) Enough() bool {
	if r.wanted != "" && r.next == len(r.tape) {
		_, shows := r.detail(r.wanted)
		return shows
	}
	return r.marks != nil && r.length > r.last
}

// detail returns the first finding of a class in words, and false if the run has none.
func (r *Run) detail(class string) (says string, found bool) {
	i := slices.IndexFunc(r.found, func(f Finding) bool { return f.Class == class })
	if i < 0 {
		return "", false
	}
	return r.found[i].Detail, true
}

// Resumes returns what was saved at the mark from which the run continues, nil if it begins at its beginning.
func (r *Run) Resumes() any { return r.from.saved }

// question is a choice that was made after the last deviation: its number, and how many answers it has.
type question struct{ at, n int }

// strata is the number of answers that are tried if a choice has very many, because they are the quantiles of a
// distribution: the first, the middle and the last.
const strata = 3

// Choose answers a choice.
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

// answer returns the answer to the current choice.
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

// Diverged is the panic of a run whose choices are not those of the recorded run.
type Diverged string

// Error says at which choice it diverged.
func (d Diverged) Error() string { return "this is not the run that was recorded: " + string(d) }

// State notes that the run has reached a state from which everything depends only on the state and on the answers to
// come. It returns true if the run may stop, because another run has continued from this state.
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

// Prunes says whether the run may stop at a known state, so that states matter at all.
func (r *Run) Prunes() bool {
	return r.seen != nil && r.next == len(r.tape) && (r.draw == nil || r.draw.over(r.length))
}

// Found notes that something has gone wrong.
func (r *Run) Found(f Finding) { r.found = append(r.found, f) }

// Cut notes that the run was ended from outside, before its time. Nothing that it has noted counts then.
func (r *Run) Cut() { r.cut = true }

// ErrCut says that a run was ended from outside, before its time: neither what it found nor what it missed is known.
var ErrCut = errors.New("the run was ended before its time")

// Deviates says whether the next choice, or a later one, deviates.
func (r *Run) Deviates() bool { return r.next < len(r.tape) }

// Length returns the number of choices that were made.
func (r *Run) Length() int { return r.length }

// visited are the states that runs have reached: those of complete levels, which do not change while a level is played,
// and those of the current batch.
type visited struct {
	// before is shared by all parts and only read; own belongs to the part.
	before map[uint64]struct{}
	own    map[uint64]struct{}
}

// has says whether a run has reached the state.
func (v *visited) has(state uint64) bool {
	if _, known := v.before[state]; known {
		return true
	}
	_, known := v.own[state]
	return known
}

// play plays one run, from a mark at which all its deviations except the last have happened.
func (s *search) play(tape []Deviation, seen *visited, from mark) *Run {
	r := &Run{tape: tape, open: s.o.Open, seen: seen, from: from}
	if from.saved != nil {
		r.next, r.length = len(tape)-1, from.at
	}
	s.subject(r)
	return r
}

// subject lets the subject play a run. It panics with Diverged if the run has ended before its last deviation: then the
// tape is of another subject. A random run may end early, and so may one that was cut off.
func (s *search) subject(r *Run) {
	s.o.Subject(r)
	if !r.cut && r.draw == nil && r.next < len(r.tape) {
		panic(Diverged(fmt.Sprintf("it ended after %d questions, but the token answers question %d", r.length,
			r.tape[r.next].At)))
	}
}

// marksOf plays a run once more to find the places from which its runs with one more deviation can begin. It begins at
// one of the marks of the plain run.
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

// before returns the last mark before a choice, the zero value if there is none.
func before(marks []mark, question int) mark {
	for i := len(marks) - 1; i >= 0; i-- {
		if marks[i].at <= question {
			return marks[i]
		}
	}
	return mark{}
}

// Play plays one run again and returns what it found. The error is a Diverged if the deviations were not recorded with
// this run, and ErrCut if the run was cut off.
func Play(subject Subject, open func(choose.Kind) bool, tape []Deviation) (found []Finding, err error) {
	s, r := search{o: Options{Subject: subject, Open: open}}, &Run{tape: tape, open: open}
	if err := s.replay(r); err != nil {
		return nil, err
	}
	return r.found, nil
}

// replay lets the subject play a run that may be none of it. The error is one of Play.
func (s *search) replay(r *Run) (err error) {
	defer func() {
		if diverged, ok := recover().(Diverged); ok {
			err = diverged
		}
	}()
	if s.subject(r); r.cut {
		return ErrCut
	}
	return nil
}
