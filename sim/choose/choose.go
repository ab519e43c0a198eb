// Package choose is where all chance of a run comes from: every answer that is not determined is a bounded integer that
// a Chooser gives. A seeded run, a replay, an exhaustive search and a shrinker are only different choosers.
package choose

import "math/rand/v2"

// Chooser answers the questions of a run that have more than one right answer.
type Chooser interface {
	// Choose returns a number in [0,n). 0 is the dull answer: the oldest event, the shortest delay, no fault. n is at
	// least 1.
	Choose(kind Kind, n int) int
}

// Kind says what a choice is about.
type Kind uint8

// The kinds of choice.
const (
	// Tie is a choice between events of different actors that are due at one instant, in the order of their age.
	Tie Kind = iota
	// Branch is a choice of which of a fork's branches runs next.
	Branch
	// Timing is a draw from a distribution: n equally likely quantiles, the shortest delay first.
	Timing
	// Fault is a chance that something goes wrong; 0 is that it does not.
	Fault
	// Act is a choice of what somebody does now; 0 is nothing.
	Act
)

var kindNames = [...]string{"tie", "branch", "timing", "fault", "act"}

// String returns the kind as a word.
func (k Kind) String() string { return kindNames[k] }

// Func makes a function a Chooser.
type Func func(kind Kind, n int) int

// Choose calls the function.
func (f Func) Choose(kind Kind, n int) int { return f(kind, n) }

// Dull always gives the dull answer.
var Dull Chooser = Func(func(Kind, int) int { return 0 })

// Seeded draws timings and faults from a generator that begins with the seed, and answers everything else dully: what a
// plain run of a scenario uses. Two choosers of one seed give the same answers to the same questions.
func Seeded(seed uint64) Chooser {
	all := Sweep(seed)
	return Func(func(kind Kind, n int) int {
		if kind == Timing || kind == Fault {
			return all.Choose(kind, n)
		}
		return 0
	})
}

// Sweep draws every answer from a generator that begins with the seed.
func Sweep(seed uint64) Chooser {
	source := rand.New(rand.NewPCG(seed, 0x5157_5345_4544))
	return Func(func(_ Kind, n int) int { return source.IntN(n) })
}
