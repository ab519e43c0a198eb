package versus

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Said is the status of a set at some instant, reduced to the compared parts.
type Said struct {
	Set model.Key
	status
}

// status holds the compared parts of a status. Revisions are named by their order of creation, also in words,
// because their names depend on how a version serializes templates. 0 is a revision that the timeline does not
// have.
type status struct {
	// gone is true if the set is deleted; then the rest is 0. The counts are the status fields, currentReplicas as
	// inCurrent and updatedReplicas as inUpdate.
	gone                                            bool
	replicas, ready, available, inCurrent, inUpdate int32
	currentRevision, updateRevision                 int
}

// sameStatus reports whether two statuses belong to one set and agree on everything that is compared.
func sameStatus(a, b Said) bool { return a.Set == b.Set && a.status == b.status }

// revisions numbers the revisions of each set in the order of their creation, from 1. A number is never reused. The
// search starts from the last one, since a status names the newest ones.
type revisions struct {
	list []numbered
	// asked are the last answers: a status names mostly the revisions that the one before it has named.
	asked [2]numbered
}

// numbered is a revision of a set, and its number, 0 if it has none yet.
type numbered struct {
	set    model.Key
	name   string
	number int
}

// note takes in a revision event.
func (r *revisions) note(e *timeline.Event) {
	made := 0
	for i := range slices.Backward(r.list) {
		if last := &r.list[i]; last.set == e.Set {
			made = max(made, last.number)
			if last.name == e.Rev.Name {
				return
			}
		}
	}
	r.list = append(r.list, numbered{e.Set, e.Rev.Name, made + 1})
	r.asked = [2]numbered{}
}

// number returns the number of a revision. There is a last answer for each of the two revisions of a status.
func (r *revisions) number(which int, set model.Key, name string) int {
	last := &r.asked[which]
	if last.name == name && last.set == set {
		return last.number
	}
	*last = numbered{set: set, name: name}
	for i := range slices.Backward(r.list) {
		if known := &r.list[i]; known.name == name && known.set == set {
			last.number = known.number
			break
		}
	}
	return last.number
}

// said reads a status event.
func (r *revisions) said(e *timeline.Event) Said {
	s := e.Status
	if s == nil {
		return Said{Set: e.Set, status: status{gone: true}}
	}
	return Said{Set: e.Set, status: status{
		replicas: s.Replicas, ready: s.Ready, available: s.Available, inCurrent: s.Current, inUpdate: s.Updated,
		currentRevision: r.number(0, e.Set, s.CurrentRevision), updateRevision: r.number(1, e.Set, s.UpdateRevision),
	}}
}

// say appends the contents of a status event to the last statuses of all sets, replacing the earlier one of its
// set.
func (r *revisions) say(latest []Said, e *timeline.Event) []Said {
	for i := range latest {
		if latest[i].Set == e.Set {
			latest = append(latest[:i], latest[i+1:]...)
			break
		}
	}
	return append(latest, r.said(e))
}

// statuses returns the last status of each set up to and including an instant.
func statuses(events []timeline.Event, until model.Time) []Said {
	var latest []Said
	var revisions revisions
	for i := range events {
		e := &events[i]
		switch {
		case e.T > until:
			return latest
		case e.Kind == timeline.KindRevision:
			revisions.note(e)
		case e.Kind == timeline.KindStatus:
			latest = revisions.say(latest, e)
		}
	}
	return latest
}
