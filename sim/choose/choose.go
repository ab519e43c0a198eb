// Package choose is where all chance of a run comes from: every answer that is not determined is a bounded integer that
// a Chooser gives. A seeded run, a replay, an exhaustive search and a shrinker are only different choosers.
package choose

import "math/rand/v2"

// Chooser answers the questions of a run that have more than one right answer.
type Chooser interface {
	// Choose returns a number in [0,n). 0 is the dull answer: the oldest event, the shortest delay, no fault. n is at
	// least 1. A run asks its questions in an order that depends on nothing but the answers before: two runs of one
	// scenario with the same answers are the same run.
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
	// Sync is a choice of which set is synced next, of those that wait, the oldest first; and of whether a sync comes
	// before what else is due at its instant: 0 is after it.
	Sync
)

var kindNames = [...]string{"tie", "branch", "timing", "fault", "act", "sync"}

// String returns the kind as a word.
func (k Kind) String() string { return kindNames[k] }

// Func makes a function a Chooser.
type Func func(kind Kind, n int) int

// Choose calls the function.
func (f Func) Choose(kind Kind, n int) int { return f(kind, n) }

// Dull always gives the dull answer.
var Dull Chooser = Func(func(Kind, int) int { return 0 })

// Positioned is a Chooser that can be put where another one stood.
type Positioned interface {
	Chooser
	// Position says where it stands, Resume puts it there.
	Position() []byte
	Resume([]byte)
}

// Counted is a Chooser whose next answers depend on nothing but how many questions it was asked, and on what a
// fingerprint of the world shows. Asked is that number; it only grows.
type Counted interface {
	Chooser
	Asked() int
}

// Seeded draws timings and faults from a generator that begins with the seed, and answers everything else dully: what a
// plain run of a scenario uses. Two choosers of one seed give the same answers to the same questions.
func Seeded(seed uint64) Positioned { return newSeeded(seed, true) }

// Sweep draws every answer from a generator that begins with the seed.
func Sweep(seed uint64) Positioned { return newSeeded(seed, false) }

// stream distinguishes this generator from those that are created for other purposes.
const stream = 0x5157_5345_4544

// seeded draws from a generator. A plain one answers dully what is no timing and no fault.
type seeded struct {
	source *rand.PCG
	from   *rand.Rand
	plain  bool
}

// newSeeded returns a chooser whose generator stands at its beginning. All have the same generator.
func newSeeded(seed uint64, plain bool) *seeded {
	source := rand.NewPCG(seed, stream)
	return &seeded{source, rand.New(source), plain}
}

// Choose draws an answer.
func (s *seeded) Choose(kind Kind, n int) int {
	if s.plain && kind != Timing && kind != Fault {
		return 0
	}
	return s.from.IntN(n)
}

// Position returns the state of the generator.
func (s *seeded) Position() []byte {
	state, err := s.source.MarshalBinary()
	if err != nil {
		panic("choose: the generator does not say its state: " + err.Error())
	}
	return state
}

// Resume sets the state of the generator. It panics if position was not returned by Position.
func (s *seeded) Resume(position []byte) {
	if err := s.source.UnmarshalBinary(position); err != nil {
		panic("choose: this is no position of a generator: " + err.Error())
	}
}
