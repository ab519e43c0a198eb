package explore

import (
	"iter"
	"slices"
)

// part is a part of a search that is played in one order by one worker: the first level, or a group beyond it.
type part struct {
	s     *search
	group int
	// base is the first level, nil for itself.
	base *part
	// before are the states of the first level, which is over; seen are those of this part.
	before, seen map[uint64]struct{}
	// budget is the number of runs that are left.
	budget int
	// frontier are the runs of the last complete level.
	frontier []node
	complete int
	counts   Counts
	found    classes
	stopped  bool
	// dull are the marks of the run without any deviation, where it is the first level.
	dull []mark
	// longest and widest are the most questions of a run, and the most answers of a question.
	longest, widest int
}

// node is a run that others begin with: its deviations, and the questions it has asked after the last of them.
type node struct {
	tape  []Deviation
	asked []question
}

// first plays the dull run and all runs with one deviation.
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

// search goes on from the first level: breadth first, and then at random.
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

// level plays every run that has one deviation more than those of the frontier, and says whether it got through.
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

// dullMarks are the marks of the run without any deviation.
func (p *part) dullMarks() []mark {
	if p.base == nil {
		return p.dull
	}
	return p.base.dull
}

// children yields the last deviations of the runs with one more, in order.
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

// run plays one run of the search breadth first.
func (p *part) run(tape []Deviation, from mark) {
	if p.s.o.Stop != nil && p.s.o.Stop() {
		p.stopped = true
		return
	}
	r := p.s.play(tape, p.visited(), from)
	p.budget--
	p.counts.Runs++
	p.counts.States += r.states
	p.longest = max(p.longest, r.length)
	for _, q := range r.asked {
		p.widest = max(p.widest, q.n)
	}
	p.note(r, false)
	if len(tape) < p.s.o.Deviations {
		p.frontier = append(p.frontier, node{tape, slices.Clip(r.asked)})
	}
}

// visited are the states that its runs need not go on from.
func (p *part) visited() *visited {
	if p.s.o.Blind {
		return nil
	}
	return &visited{before: p.before, own: p.seen}
}

// note takes in what a run has found.
func (p *part) note(r *Run, random bool) {
	for _, f := range r.found {
		p.found.add(Found{Finding: f, Tape: slices.Clone(r.tape), Runs: p.made(), Random: random})
	}
}

// made is the number of runs that led here.
func (p *part) made() int {
	if p.base == nil {
		return p.counts.Runs
	}
	return p.base.counts.Runs + p.counts.Runs
}
