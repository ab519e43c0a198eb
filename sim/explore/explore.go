// Package explore runs one function of a chooser many times: for many seeds, or for every answer to every question.
// It knows nothing of what the function does.
package explore

import (
	"fmt"

	"github.com/statefulsim/statefulsim/sim/choose"
)

// Seeds runs f with the sweep of each seed from first on, n times, until f returns an error. It returns the seed that
// failed and its error, or nil.
func Seeds(first uint64, n int, f func(choose.Chooser) error) (seed uint64, err error) {
	for seed = first; seed < first+uint64(n); seed++ {
		if err := f(choose.Sweep(seed)); err != nil {
			return seed, err
		}
	}
	return 0, nil
}

// All runs f with every sequence of answers that it can be given, the all-dull one first, until f returns an error or
// limit runs have been made. f must ask the same questions after the same answers: if it does not, All panics. It
// returns the answers that failed and the error, and the number of runs.
func All(limit int, f func(choose.Chooser) error) (answers []int, runs int, err error) {
	walk := &walk{}
	for runs = 1; ; runs++ {
		if err := f(walk); err != nil {
			return walk.answers(), runs, err
		}
		if !walk.next() || runs == limit {
			return nil, runs, nil
		}
	}
}

// walk enumerates sequences of answers as an odometer does: the last question's answer counts up, and the one before it
// when that has had its last.
type walk struct {
	taken []question
	at    int
}

type question struct{ answer, n int }

// Choose gives the answer whose turn it is.
func (w *walk) Choose(kind choose.Kind, n int) int {
	if w.at == len(w.taken) {
		w.taken = append(w.taken, question{0, n})
	}
	q := w.taken[w.at]
	if q.n != n {
		panic(fmt.Sprintf("explore: question %d (%s) had %d answers and now has %d after the same ones: "+
			"the run is not determined by its chooser", w.at, kind, q.n, n))
	}
	w.at++
	return q.answer
}

// next moves on to the next sequence and returns false when there is none.
func (w *walk) next() bool {
	w.taken, w.at = w.taken[:w.at], 0
	for len(w.taken) > 0 {
		last := &w.taken[len(w.taken)-1]
		if last.answer++; last.answer < last.n {
			return true
		}
		w.taken = w.taken[:len(w.taken)-1]
	}
	return false
}

func (w *walk) answers() []int {
	answers := make([]int, w.at)
	for i := range answers {
		answers[i] = w.taken[i].answer
	}
	return answers
}
