package versus

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Said is the status of a set at some instant, reduced to what is compared.
type Said struct {
	Set model.Key
	status
}

// status holds the parts of a status that are compared. Revisions are named by their order of creation, also in
// words, because their names depend on how a version serializes templates. 0 is no revision that the timeline has.
type status struct {
	gone                                            bool
	replicas, ready, available, inCurrent, inUpdate int32
	currentRevision, updateRevision                 int
}

func sameStatus(a, b Said) bool { return a.Set == b.Set && a.status == b.status }

// revisions numbers the revisions of each set in the order in which they were created, from 1. A number is never
// given again.
type revisions struct {
	numbers map[revisionOf]int
	made    map[model.Key]int
}

// revisionOf is a revision of a set, by its name.
type revisionOf struct {
	set  model.Key
	name string
}

func newRevisions() revisions {
	return revisions{numbers: map[revisionOf]int{}, made: map[model.Key]int{}}
}

// note takes in a revision event.
func (r *revisions) note(e *timeline.Event) {
	if of := (revisionOf{e.Set, e.Rev.Name}); r.numbers[of] == 0 {
		r.made[e.Set]++
		r.numbers[of] = r.made[e.Set]
	}
}

// said reads a status event.
func (r *revisions) said(e *timeline.Event) Said {
	s := e.Status
	if s == nil {
		return Said{Set: e.Set, status: status{gone: true}}
	}
	return Said{Set: e.Set, status: status{
		replicas: s.Replicas, ready: s.Ready, available: s.Available, inCurrent: s.Current, inUpdate: s.Updated,
		currentRevision: r.numbers[revisionOf{e.Set, s.CurrentRevision}],
		updateRevision:  r.numbers[revisionOf{e.Set, s.UpdateRevision}],
	}}
}

// statuses returns the last status of each set up to and including an instant.
func statuses(events []timeline.Event, until model.Time) []Said {
	var latest []Said
	revisions := newRevisions()
	for i := range events {
		e := &events[i]
		switch {
		case e.T > until:
			return latest
		case e.Kind == timeline.KindRevision:
			revisions.note(e)
		case e.Kind == timeline.KindStatus:
			same := func(other Said) bool { return other.Set == e.Set }
			latest = append(slices.DeleteFunc(latest, same), revisions.said(e))
		}
	}
	return latest
}
