package search

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// part is a part of a search that one worker plays in a fixed order: the first level, or a group of the runs beyond it.
// Parts share nothing that changes, so several may be played at the same time.
type part struct {
	s     *search
	group int
	// base is the first level; nil if the part is the first level itself.
	base *part
	// before are the states of the first level, which is complete; seen are the states of this part.
	before, seen map[uint64]struct{}
	// budget is the number of runs that are left.
	budget int
	// frontier are the runs of the last complete level.
	frontier []node
	// complete is the number of deviations up to which every run of the part was made; -1 before the plain run. counts
	// are of this part alone, and found has the first run of each class in it. stopped is true once Options.Stop has said
	// so, or a run was cut off.
	complete int
	counts   Counts
	found    classes
	stopped  bool
	// dull are the marks of the plain run, if the part is the first level.
	dull []mark
	// longest is the largest number of choices in a run, widest the largest number of answers of a choice.
	longest, widest int
}

// node is a run that longer runs begin with: its deviations, and the choices that it makes after the last of them.
type node struct {
	// tape is in the order of places, and asked are the choices behind the last of them.
	tape  []Deviation
	asked []question
}

// first plays the plain run and all runs with one deviation.
func (p *part) first() {
	p.complete = -1
	p.run(nil, mark{})
	if !p.stopped && p.s.o.Runs > 0 {
		p.complete = 0
		if p.s.o.Deviations > 0 {
			p.level()
		}
	}
}

// search continues after the first level: breadth first, and then at random.
func (p *part) search() {
	kept := 0
	if p.s.o.Random > 0 {
		kept = p.budget * p.s.o.Random / 100
	}
	p.budget -= kept
	for p.complete < p.s.o.Deviations && p.level() {
	}
	p.budget += kept
	if p.s.o.Random > 0 {
		p.random()
	}
	p.shrink()
}

// level plays every run that has one deviation more than those of the frontier. It returns false if the budget ended.
func (p *part) level() bool {
	last := p.frontier
	p.frontier = nil
	for i := range last {
		n := &last[i]
		if p.budget == 0 && len(n.asked) > 0 {
			return false
		}
		marks := p.s.marksOf(n, p.dullMarks())
		if len(n.tape) == 0 {
			p.dull = marks
		}
		for d := range n.children() {
			if p.budget == 0 || p.stopped {
				return false
			}
			p.run(append(slices.Clip(n.tape), d), before(marks, d.At))
		}
	}
	if p.stopped {
		return false
	}
	p.complete++
	return true
}

// dullMarks returns the marks of the plain run.
func (p *part) dullMarks() []mark {
	if p.base == nil {
		return p.dull
	}
	return p.base.dull
}

// children yields, in order, the last deviations of the runs that have one deviation more.
func (n *node) children() iter.Seq[Deviation] {
	return func(yield func(Deviation) bool) {
		for _, q := range n.asked {
			for answer := 1; answer < q.n; answer++ {
				if !yield(Deviation{q.at, answer}) {
					return
				}
			}
		}
	}
}

// tell says that a run has ended, to whoever shows how far the search is.
func (s *search) tell(states int) {
	if s.o.Tell != nil {
		s.o.Tell(states)
	}
}

// run plays one run of the breadth-first search.
func (p *part) run(tape []Deviation, from mark) {
	if p.s.o.Stop != nil && p.s.o.Stop() {
		p.stopped = true
		return
	}
	r := p.s.play(tape, p.visited(), from)
	if p.stopped = r.cut; r.cut {
		return
	}
	p.budget--
	p.counts.Runs++
	p.counts.States += r.states
	p.s.tell(r.states)
	p.longest = max(p.longest, r.length)
	for _, q := range r.asked {
		p.widest = max(p.widest, q.n)
	}
	p.note(r, false)
	if len(tape) < p.s.o.Deviations {
		p.frontier = append(p.frontier, node{tape, slices.Clip(r.asked)})
	}
}

// visited returns the states at which a run of the part may stop.
func (p *part) visited() *visited {
	if p.s.o.Blind {
		return nil
	}
	return &visited{before: p.before, own: p.seen}
}

// note adds the findings of a run.
func (p *part) note(r *Run, random bool) {
	for _, f := range r.found {
		p.found.add(Found{Finding: f, Tape: r.tape, Runs: p.made(), Random: random})
	}
}

// made returns the number of runs so far.
func (p *part) made() int {
	if p.base == nil {
		return p.counts.Runs
	}
	return p.base.counts.Runs + p.counts.Runs
}

// Shards are the parts of one search that a report covers, as "3/8": the index and the number of parts, which is the
// same in all of them. They are in order and each is there once. If there are none, the report covers the whole search.
type Shards []string

// With adds the shards of another report of the same search, in any order. It is an error if the reports overlap, or if
// the search was divided into different numbers of parts: the counts of what is merged would not be those of the whole.
func (s Shards) With(other Shards) (Shards, error) {
	if len(s) == 0 || len(other) == 0 {
		return nil, errors.New("one of the reports covers the whole, so there is nothing to add to it: merge the reports " +
			"of --shard")
	}
	for _, shard := range other {
		if slices.Contains(s, shard) {
			return nil, fmt.Errorf("the shard %s occurs twice", shard)
		}
		if of(shard) != of(s[0]) {
			return nil, fmt.Errorf("the shards %s and %s do not fit: one is of %s parts, the other of %s", s[0], shard,
				of(s[0]), of(shard))
		}
	}
	all := slices.Concat(s, other)
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return all, nil
}

// of returns the number of parts of which a shard is one: the N of "I/N".
func of(shard string) string {
	_, of, _ := strings.Cut(shard, "/")
	return of
}

// Settled returns nil if all parts are there, as of a search that was never divided, so that both reports are the same
// byte for byte; otherwise it returns the shards. It relies on With, which adds no shard twice.
func (s Shards) Settled() Shards {
	if len(s) == 0 {
		return nil
	}
	if of(s[0]) == strconv.Itoa(len(s)) {
		return nil
	}
	return s
}

// FalseFirst orders false before true.
func FalseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
