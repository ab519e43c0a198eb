package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/statefulsim/statefulsim/sim/choose"
)

// shrink simplifies the runs that the random search has found.
func (p *part) shrink() {
	for _, class := range p.found.names() {
		if f := p.found[class]; f.Random {
			f.Tape, f.Detail = p.simplest(f.Finding, f.Tape)
		}
	}
}

// simplest returns the simplest run that still shows the class, and what goes wrong in it.
func (p *part) simplest(f Finding, tape []Deviation) ([]Deviation, string) {
	detail := f.Detail
	try := func(next []Deviation) bool {
		found, shows := p.shows(f.Class, next)
		if shows {
			tape, detail = next, found
		}
		return shows
	}
	for size := len(tape) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(tape); {
			if !try(slices.Delete(slices.Clone(tape), at, at+size)) {
				at++
			}
		}
	}
	for at := range tape {
		for answer := 1; answer < tape[at].Answer; answer++ {
			next := slices.Clone(tape)
			next[at].Answer = answer
			if try(next) {
				break
			}
		}
	}
	return tape, detail
}

// shows says whether a run finds the class. Without its earlier deviations a run may make other choices, so that a
// later deviation fits none of them; then it does not find the class. The run begins where it leaves the plain run.
func (p *part) shows(class string, tape []Deviation) (detail string, shows bool) {
	r := &Run{tape: tape, open: p.s.o.Open, wanted: class}
	if len(tape) > 0 {
		r.from = before(p.dullMarks(), tape[0].At)
		r.length = r.from.at
	}
	if p.s.replay(r) != nil {
		return "", false
	}
	return r.detail(class)
}

// random plays runs with up to Depth deviations until the budget is used up. Their places are drawn evenly over the
// longest run. Each run has a seed of its own, which follows from its number.
func (p *part) random() {
	for i := 0; p.budget > 0; i++ {
		if p.s.o.Stop != nil && p.s.o.Stop() {
			p.stopped = true
			return
		}
		r := p.drawn(choose.Sweep(p.s.o.Seed<<32 + uint64(i*Groups+p.group)))
		if p.stopped = r.cut; r.cut {
			return
		}
		p.budget--
		p.counts.Runs++
		p.counts.Random++
		p.s.tell(0)
		p.note(r, true)
	}
}

// drawn plays one random run. The answer at a place is drawn when the choice is made, because only then the number of
// answers is known. A place beyond the end of the run is no deviation.
//
// After its last place the run is plain, so it may stop at a state that is known: another run has continued from there.
func (p *part) drawn(source choose.Chooser) *Run {
	places := make([]int, 1+source.Choose(choose.Fault, max(1, p.s.o.Depth)))
	for i := range places {
		places[i] = source.Choose(choose.Fault, max(1, p.base.longest))
	}
	slices.Sort(places)
	r := &Run{
		open: p.s.o.Open, seen: p.visited(), from: before(p.dullMarks(), places[0]),
		draw: &draw{source: source, places: slices.Compact(places)},
	}
	r.length = r.from.at
	p.s.subject(r)
	return r
}

// draw is the place at which a random run deviates.
type draw struct {
	source choose.Chooser
	places []int
}

// over says whether the run has no more deviations after this number of choices.
func (d *draw) over(asked int) bool { return len(d.places) == 0 || d.places[len(d.places)-1] < asked }

// answer draws the answer to a choice, if the run deviates there.
func (d *draw) answer(at, n int) (int, bool) {
	for len(d.places) > 0 && d.places[0] < at {
		d.places = d.places[1:]
	}
	if len(d.places) == 0 || d.places[0] != at {
		return 0, false
	}
	return 1 + d.source.Choose(choose.Fault, n-1), true
}

// Chance returns a lower bound on the probability that one random run meets a trap of the given depth. Depth is the
// number of choices that must have certain answers to run into the trap, whatever the other answers are.
func (r *Result) Chance(depth int) float64 {
	if depth > r.Depth || r.Longest == 0 {
		return 0
	}
	places := math.Pow(float64(r.Longest), float64(depth))
	answers := math.Pow(float64(max(1, r.Widest-1)), float64(depth))
	return 1 / (float64(r.Depth) * places * answers)
}

// RunsFor returns the number of random runs that meet a trap of the given depth with a probability of 95 %.
func (r *Result) RunsFor(depth int) float64 {
	return math.Ceil(math.Log(0.05) / math.Log1p(-cmp.Or(r.Chance(depth), math.SmallestNonzeroFloat64)))
}
