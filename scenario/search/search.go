// Package search searches the runs of a function that makes choices for one that goes wrong. It does not know what the
// function does.
//
// A run makes choices, and the answer 0 is the plain one (choose.Dull). So a run is identified by its deviations: the
// few choices with another answer, and that answer. The search goes breadth first by the number of deviations. A level
// is complete before the next one begins, and a trap is found first by a run with the fewest deviations (delay
// bounding, as in Microsoft's Coyote). When the next level is too large, the search goes on at random, with a bound on
// the probability to miss a trap of a given depth (PCT: Burckhardt and others, ASPLOS 2010).
//
// The work is divided by index and never by time: what is found, and every count, is the same for any number of
// workers, and for any number of shards whose results are merged.
//
// Package explore gives it the runs of a scenario as its Subject. It knows no world: a state is a number, and a finding
// is a text.
package search

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/sim/choose"
)

// Groups is the number of parts into which a search is divided after its first level, however many workers there are.
// Each has its own states and budget, so the parts are the same wherever they are played.
const Groups = 16

// Options say what is searched, and how far.
type Options struct {
	Subject Subject
	// Open says which questions may have another answer than the plain run's; nil opens all.
	Open func(choose.Kind) bool
	// Deviations is the largest number of deviations of a run in the breadth-first search.
	Deviations int
	// Runs is the largest number of runs. The search makes exactly as many, unless it is complete earlier.
	Runs int
	// Random is the percentage of the runs after the first level that is reserved for the random search. The random search
	// also gets what the breadth-first search leaves over.
	Random int
	// Depth is the largest number of deviations of a random run; 0 is Deviations.
	Depth int
	// Seed is the seed of the random search.
	Seed uint64
	// Shard is the part of the groups that is searched: those whose number leaves the rest Index when divided by Of.
	// The zero value is all of them.
	Shard Shard
	// Every, if set, plays all of n parts, possibly at the same time; nil plays one after the other.
	Every func(n int, part func(i int))
	// Blind searches without knowing states. Tests compare the search with it.
	Blind bool
	// Anew plays each run from its beginning, even if it could continue from a mark; tests use it too.
	Anew bool
	// Stop, if set, is called between runs; if it returns true, the search ends and reports that it was stopped. So it
	// does when a run was cut off.
	Stop func() bool
	// Tell, if set, is called after each run with the number of new states; perhaps by several goroutines at once.
	Tell func(states int)
}

// Shard is one of Of parts, with an Index from 0.
type Shard struct{ Index, Of int }

// String writes a shard as people count: the first of eight is 0/8, as a Job's index has it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// has says whether the group belongs to the shard. The zero shard has all groups.
func (s Shard) has(group int) bool { return s.Of <= 1 || group%s.Of == s.Index }

// Found is a class of findings with the run that shows it: the run with the fewest deviations, and of several such runs
// the one whose deviations come first.
type Found struct {
	Finding
	Tape []Deviation `json:"tape"`
	// Runs is the number of runs until it was found: those of the first level and of its group.
	Runs int `json:"runs"`
	// Random is true if the random search has found it, but not the breadth-first search.
	Random bool `json:"random,omitempty"`
}

// Result holds what a search has found, and how far it got.
type Result struct {
	// Found has one finding of each class: those with the fewest deviations first, then ordered by class.
	Found []Found `json:"found"`
	// First is the result of the first level, which every shard plays; Rest is the result of the groups of the shard.
	First Counts `json:"first"`
	Rest  Counts `json:"rest"`
	// Complete is the number of deviations up to which every run of this shard's groups was made.
	Complete int `json:"complete"`
	// Longest is the number of choices in the longest run of the first level, Widest the most answers of one of them.
	Longest int `json:"longest"`
	Widest  int `json:"widest"`
	// Depth is the largest number of deviations of the random runs.
	Depth int `json:"depth"`
	// Stopped is true if it was ended from outside.
	Stopped bool `json:"stopped,omitempty"`
}

// Counts counts the runs and the states of a part of a search.
type Counts struct {
	// Runs counts all runs, Random those of the random search. States those that the breadth-first search reached.
	Runs   int `json:"runs"`
	Random int `json:"random"`
	States int `json:"states"`
}

// Plus adds two counts.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Runs + d.Runs, c.Random + d.Random, c.States + d.States}
}

// search is the state of a search.
type search struct {
	o Options
}

// Search makes the runs. Its time is that of the runs; its memory grows with the states and the last level's questions.
func Search(o Options) Result {
	s := &search{o: o}
	if s.o.Depth == 0 {
		s.o.Depth = o.Deviations
	}
	base := &part{s: s, found: classes{}, budget: o.Runs, seen: map[uint64]struct{}{}}
	base.first()
	parts := s.cut(base)
	s.every(len(parts), func(i int) { parts[i].search() })
	return s.conclude(base, parts)
}

// cut divides what is left after the first level into the groups of the shard. Each group begins with the runs that
// deviate last: little of them is left to play, so they cost least, and most traps lie behind the last choices of a
// world.
func (s *search) cut(base *part) []*part {
	if base.stopped || s.o.Deviations < 2 && s.o.Random == 0 {
		return nil
	}
	left := s.o.Runs - base.counts.Runs
	parts := make([]*part, 0, Groups)
	for g := range Groups {
		if !s.o.Shard.has(g) {
			continue
		}
		p := &part{
			s: s, group: g, found: classes{}, base: base, seen: map[uint64]struct{}{}, before: base.seen,
			budget: left / Groups, complete: base.complete,
		}
		if g < left%Groups {
			p.budget++
		}
		for i := g; i < len(base.frontier); i += Groups {
			p.frontier = append(p.frontier, base.frontier[i])
		}
		slices.Reverse(p.frontier)
		parts = append(parts, p)
	}
	return parts
}

// every plays n parts by Options.Every, or one after the other.
func (s *search) every(n int, do func(int)) {
	if s.o.Every != nil {
		s.o.Every(n, do)
		return
	}
	for i := range n {
		do(i)
	}
}

// conclude puts the results together, in the order of the groups: of one class the run counts that comes first in the
// order of compareFound, whichever part has found it. The level that is complete is the lowest of all parts.
func (s *search) conclude(base *part, parts []*part) Result {
	r := Result{
		First: base.counts, Complete: base.complete, Longest: base.longest, Widest: base.widest, Depth: s.o.Depth,
		Stopped: base.stopped,
	}
	all := base.found
	for i, p := range parts {
		r.Rest = r.Rest.Plus(p.counts)
		r.Stopped = r.Stopped || p.stopped
		if i == 0 || p.complete < r.Complete {
			r.Complete = p.complete
		}
		for _, class := range p.found.names() {
			all.add(*p.found[class])
		}
	}
	r.Found = all.sorted()
	return r
}

// Merge combines the results of several shards of one search. Order and earlier merges do not matter.
func Merge(a, b Result) (Result, error) {
	if a.First != b.First || a.Longest != b.Longest || a.Widest != b.Widest || a.Depth != b.Depth {
		return Result{}, fmt.Errorf("these are parts of different searches: their first levels made %d and %d runs",
			a.First.Runs, b.First.Runs)
	}
	all := classes{}
	for _, f := range slices.Concat(a.Found, b.Found) {
		all.add(f)
	}
	a.Found, a.Rest = all.sorted(), a.Rest.Plus(b.Rest)
	a.Complete, a.Stopped = min(a.Complete, b.Complete), a.Stopped || b.Stopped
	return a, nil
}

// classes has the first run of each class in the order of compareFound.
type classes map[string]*Found

// add keeps a run if it is the first of its class, and says whether it is.
func (c classes) add(f Found) bool {
	if old := c[f.Class]; old != nil && compareFound(*old, f) <= 0 {
		return false
	}
	kept := f
	c[f.Class] = &kept
	return true
}

// names returns the classes in their order.
func (c classes) names() []string {
	return slices.Sorted(maps.Keys(c))
}

// sorted returns the runs in the order of compareFound.
func (c classes) sorted() []Found {
	var all []Found
	for _, name := range c.names() {
		all = append(all, *c[name])
	}
	slices.SortStableFunc(all, compareFound)
	return all
}

// compareFound orders by the number of deviations, and then by their places. How it was found makes the order total.
func compareFound(a, b Found) int {
	return cmp.Or(CompareTapes(a.Tape, b.Tape), FalseFirst(a.Random, b.Random), cmp.Compare(a.Runs, b.Runs))
}

// CompareTapes orders runs: fewer deviations first, then by their places, then by their answers.
func CompareTapes(a, b []Deviation) int {
	return cmp.Or(
		cmp.Compare(len(a), len(b)),
		slices.CompareFunc(a, b, func(x, y Deviation) int { return cmp.Compare(x.At, y.At) }),
		slices.CompareFunc(a, b, func(x, y Deviation) int { return cmp.Compare(x.Answer, y.Answer) }),
	)
}
