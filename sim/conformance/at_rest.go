package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// AtRest renders all that two controllers must agree in whatever the number of syncs that an instant takes: the changes
// of pods, claims and revisions, each write and its answer, and each set's status at the end of an instant. What is done
// again in the same instant, because a cache was behind, counts once.
//
// Of what is before an instant it only renders what has become of it: how long a retry waits hangs on how many syncs
// have failed.
func AtRest(events []timeline.Event, writes []write, from model.Time) string {
	r := restRecord{instants: map[model.Time][]string{}, statuses: map[model.Key]*statusAtRest{}, before: map[string]string{}}
	for _, w := range writes {
		if w.at >= from {
			r.add(w.at, w.text)
		}
	}
	for i := range events {
		r.event(&events[i], from)
	}
	for _, key := range slices.SortedFunc(maps.Keys(r.statuses), model.Key.Compare) {
		r.settle(r.statuses[key])
	}
	lines := slices.Sorted(maps.Values(r.before))
	for _, at := range slices.Sorted(maps.Keys(r.instants)) {
		slices.Sort(r.instants[at])
		lines = append(lines, at.Seconds()+" "+strings.Join(slices.Compact(r.instants[at]), "\n  "))
	}
	return strings.Join(lines, "\n") + "\n"
}

type restRecord struct {
	// instants are what happened, before is what became of each thing by its name.
	instants map[model.Time][]string
	statuses map[model.Key]*statusAtRest
	before   map[string]string
}

func (r *restRecord) add(at model.Time, text string) { r.instants[at] = append(r.instants[at], text) }

func (r *restRecord) event(e *timeline.Event, from model.Time) {
	text, name := "", ""
	switch e.Kind {
	case timeline.KindPod:
		text, name = podText(e), e.Pod
	case timeline.KindRevision:
		text, name = storedText(e), e.Rev.Name
	case timeline.KindClaim:
		text, name = storedText(e), e.Claim.Name
	case timeline.KindStatus:
		text, name = "status of "+e.Set.Name+" gone", e.Set.Name
		if e.Status != nil {
			text = "status of " + e.Set.Name + " " + statusText(e.Status)
		}
	}
	switch {
	case text == "":
	case e.T < from:
		r.before[e.Kind.String()+" "+name] = text
	case e.Kind == timeline.KindStatus:
		r.status(e, text)
	default:
		r.add(e.T, text)
	}
}

func storedText(e *timeline.Event) string {
	if e.Kind == timeline.KindClaim {
		return fmt.Sprintf("claim %s %d", e.Claim.Name, e.Claim.Type)
	}
	return fmt.Sprintf("revision %s #%d @%d %d", e.Rev.Name, e.Rev.Number, e.Rev.Template, e.Rev.Type)
}

// statusAtRest follows the status of a set.
type statusAtRest struct {
	at model.Time
	// now is the status, rested the one at the end of the last instant in which there was another one.
	now, rested string
}

func (r *restRecord) status(e *timeline.Event, text string) {
	s := r.statuses[e.Set]
	if s == nil {
		s = &statusAtRest{}
		r.statuses[e.Set] = s
	}
	if e.T != s.at {
		r.settle(s)
	}
	s.at, s.now = e.T, text
}

// settle ends the instant of the last change of a status.
func (r *restRecord) settle(s *statusAtRest) {
	if s.now != s.rested {
		r.add(s.at, s.now)
		s.rested = s.now
	}
}
