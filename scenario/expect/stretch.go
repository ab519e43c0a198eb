package expect

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// stretch is the part of the timeline that an expectation about the order or the number of events looks at: the events
// of its set, or of all sets, from a step until the next one acts.
type stretch struct {
	quiet
	run *run
	set model.Key
	// from and to bound the indexes of the events: from ≤ i < to.
	from, to int
}

// during begins a watcher with the stretch after a step, until the next step acts; with the whole run for step 0.
func (r *run) during(step int, set model.Key, watch func(stretch) watcher) watcher {
	s := stretch{run: r, set: set, to: len(r.events)}
	if step == 0 {
		return watch(s)
	}
	at, ok := r.stepAt[step]
	if !ok {
		return r.neverActed(step)
	}
	s.from = at + 1
	for _, next := range r.steps {
		if next > at {
			s.to = next
			break
		}
	}
	return watch(s)
}

// look returns an event, or nil if it is outside.
func (s *stretch) look(i int) *timeline.Event {
	if e := &s.run.events[i]; s.from <= i && i < s.to && inSet(e, s.set) {
		return e
	}
	return nil
}
