package explore

import (
	"cmp"
	"math"
	"slices"

	"github.com/statefulsim/statefulsim/sim/choose"
)

// random makes runs with up to Depth deviations at places drawn evenly over the longest run, until the budget is used
// up. Every one of them begins with a seed of its own, which the number of the run gives.
func (p *part) random() {
	for i := 0; p.budget > 0; i++ {
		if p.s.o.Stop != nil && p.s.o.Stop() {
			p.stopped = true
			return
		}
		p.budget--
		p.counts.Runs++
		p.counts.Random++
		p.note(p.drawn(choose.Sweep(p.s.o.Seed<<32+uint64(i*Groups+p.group))), true)
	}
}

// drawn plays one random run. Which answer is given at a place is drawn when its question is asked, since only then is
// it known how many there are; a place beyond the end of the run is no deviation.
//
// Behind its last place it is dull, and need not go on from a state that is known: another has gone on from there.
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

// over says whether the run deviates no more, once a number of questions have been asked.
func (d *draw) over(asked int) bool { return len(d.places) == 0 || d.places[len(d.places)-1] < asked }

// answer draws the answer to a question, where the run deviates there.
func (d *draw) answer(at, n int) (int, bool) {
	for len(d.places) > 0 && d.places[0] < at {
		d.places = d.places[1:]
	}
	if len(d.places) == 0 || d.places[0] != at {
		return 0, false
	}
	return 1 + d.source.Choose(choose.Fault, n-1), true
}

// Chance is the least probability with which one random run meets a trap of the depth given: one that certain answers
// to that many questions lead to, whatever else is answered.
func (r *Result) Chance(depth int) float64 {
	if depth > r.Depth || r.Longest == 0 {
		return 0
	}
	places := math.Pow(float64(r.Longest), float64(depth))
	answers := math.Pow(float64(max(1, r.Widest-1)), float64(depth))
	return 1 / (float64(r.Depth) * places * answers)
}

// RunsFor is the number of random runs after which a trap of the depth given has been met with a probability of 95 %.
func (r *Result) RunsFor(depth int) float64 {
	return math.Ceil(math.Log(0.05) / math.Log1p(-cmp.Or(r.Chance(depth), math.SmallestNonzeroFloat64)))
}
