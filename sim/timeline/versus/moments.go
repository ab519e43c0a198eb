// Package versus finds where timelines diverge. Two runs are alike if the same happens to the same pods at the same
// instants, the same steps have the same effect, the status says the same at every fixed point, and both end in the
// same way. The controller's reasons, the wording of its events, and the order in which it treats different pods
// within one instant do not count as differences.
//
// It looks at timelines alone, so it compares recordings, runs of two versions and runs of two manifests alike.
// Events are compared by what users see: names of revisions, uids and nodes do not count.
//
// Invariants: the moments of a run are in its order, and no two of one run have the same instant and the same step;
// the events in them belong to the run, and are never changed; the order of two runs does not decide whether they
// differ. Packages scenario, plan and upgrade compare runs with it, and package report shows what it finds.
package versus

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Moment holds what happens between two fixed points of the controller: at an instant, or from a step at that instant
// on. An instant with two steps has up to three moments.
type Moment struct {
	T model.Time
	// Step is the step that the moment begins with, or nil.
	Step *timeline.Step
	// Changes are the changes of state of pods: the pods by their ordinals, and the changes of each in their order.
	// So the order in which different pods are treated does not count.
	Changes []*timeline.Event
	// Statuses are the statuses at the end of the moment that differ from those at the end of the moment before, set by
	// set.
	Statuses []Said
	// Verdict is set if the run ends with the moment; "" otherwise.
	Verdict timeline.Verdict
}

// number returns the moment's step, 0 for the part of an instant before any step.
func (m *Moment) number() int {
	if m.Step == nil {
		return 0
	}
	return m.Step.Number
}

// compareMoments orders moments by time, and within one instant by their steps.
func compareMoments(a, b *Moment) int {
	return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.number(), b.number()))
}

// Moments splits a timeline, in its order. It leaves out moments that change no pod and no status, have no step,
// and do not end the run.
func Moments(events []timeline.Event) []*Moment { return momentsFrom(events, 0) }

// momentsFrom returns the moments of a timeline from an event on, which must start a moment.
func momentsFrom(events []timeline.Event, n int) []*Moment {
	s := splitter{statuses: map[model.Key]status{}}
	for i := range events {
		if i < n {
			s.pass(&events[i])
		} else {
			s.add(&events[i])
		}
	}
	s.close()
	return s.moments
}

// splitter collects moments.
type splitter struct {
	moments []*Moment
	// at is the moment that is open, if any is.
	at   Moment
	open bool
	// changes are the changes of all moments so far; the open moment's start at the index first.
	changes []*timeline.Event
	first   int
	// latest has the last status of each set in the open moment; statuses those at the end of the moment before. said are
	// the statuses of all moments so far.
	latest    []Said
	statuses  map[model.Key]status
	said      []Said
	revisions revisions
	pieces    keyed.Slab[Moment]
}

// pass takes in an event of a moment that is not wanted.
func (s *splitter) pass(e *timeline.Event) {
	switch e.Kind {
	case timeline.KindRevision:
		s.revisions.note(e)
	case timeline.KindStatus:
		s.statuses[e.Set] = s.revisions.said(e).status
	}
}

// add takes in the next event; a step or another instant closes the moment before.
func (s *splitter) add(e *timeline.Event) {
	if !s.open || s.at.T != e.T || e.Kind == timeline.KindStep {
		s.close()
		s.at, s.open = Moment{T: e.T}, true
	}
	switch e.Kind {
	case timeline.KindStep:
		s.at.Step = e.Step
	case timeline.KindPod:
		s.changes = append(s.changes, e)
	case timeline.KindRevision:
		s.revisions.note(e)
	case timeline.KindStatus:
		s.latest = s.revisions.say(s.latest, e)
	case timeline.KindResult:
		s.at.Verdict = e.Result.Verdict
	}
}

// close ends the open moment, if there is one, and keeps it if anything has happened in it.
func (s *splitter) close() {
	m := &s.at
	if n := len(s.changes); n > s.first {
		m.Changes = s.changes[s.first:n:n]
		slices.SortStableFunc(m.Changes, func(a, b *timeline.Event) int {
			return cmp.Or(a.Set.Compare(b.Set), cmp.Compare(ordinal(a.Pod), ordinal(b.Pod)), cmp.Compare(a.Pod, b.Pod))
		})
		s.first = n
	}
	slices.SortFunc(s.latest, func(a, b Said) int { return a.Set.Compare(b.Set) })
	before := len(s.said)
	for _, said := range s.latest {
		if said.status != s.statuses[said.Set] {
			s.statuses[said.Set] = said.status
			s.said = append(s.said, said)
		}
	}
	if n := len(s.said); n > before {
		m.Statuses = s.said[before:n:n]
	}
	if m.Step != nil || m.Verdict != "" || len(m.Changes)+len(m.Statuses) > 0 {
		kept := s.pieces.Next()
		*kept = *m
		s.moments = append(s.moments, kept)
	}
	s.at, s.open, s.latest = Moment{}, false, s.latest[:0]
}

// ordinal returns the ordinal in a pod's name, -1 without one.
func ordinal(pod string) int {
	_, n := model.SplitPodName(pod)
	return n
}
