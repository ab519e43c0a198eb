package conformance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// AtRest renders all that two controllers must agree in whatever the number of syncs that an instant takes: the changes
// of pods and revisions, each write and its answer, and each claim and each set's status at the end of an instant. What
// is done again in the same instant, because a cache was behind, counts once.
//
// Of what is before an instant it only renders what has become of it: how long a retry waits hangs on how many syncs
// have failed.
func AtRest(events []timeline.Event, writes []write, from model.Time) string {
	r := restRecord{instants: map[model.Time][]string{}, things: map[string]*atRest{}, before: map[string]string{}}
	for _, w := range writes {
		if w.at >= from {
			r.add(w.at, uids.ReplaceAllString(w.text, "uid"))
		}
	}
	for i := range events {
		r.event(&events[i], from)
	}
	for _, name := range slices.Sorted(maps.Keys(r.things)) {
		r.settle(r.things[name])
	}
	lines := slices.Sorted(maps.Values(r.before))
	for _, at := range slices.Sorted(maps.Keys(r.instants)) {
		slices.Sort(r.instants[at])
		lines = append(lines, at.Seconds()+" "+strings.Join(slices.Compact(r.instants[at]), "\n  "))
	}
	return strings.Join(lines, "\n") + "\n"
}

// uids are left out: they hang on the order in which the pods of a batch are created.
var uids = regexp.MustCompile(`uid-\d+`)

type restRecord struct {
	// instants are what happened, before is what became of each thing by its name.
	instants map[model.Time][]string
	things   map[string]*atRest
	before   map[string]string
}

func (r *restRecord) add(at model.Time, text string) { r.instants[at] = append(r.instants[at], text) }

func (r *restRecord) event(e *timeline.Event, from model.Time) {
	text, name := "", ""
	switch e.Kind {
	case timeline.KindPod:
		text, name = podText(e), e.Pod
	case timeline.KindRevision:
		text, name = revisionText(e.Rev), e.Rev.Name
	case timeline.KindClaim:
		text, name = claimText(e.Claim), e.Claim.Name
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
	case e.Kind == timeline.KindStatus || e.Kind == timeline.KindClaim:
		r.change(e.T, e.Kind.String()+" "+name, text)
	default:
		r.add(e.T, text)
	}
}

// claimText renders a claim as it is after a change.
func claimText(c *timeline.Claim) string {
	if c.Type == model.Deleted {
		return "claim " + c.Name + " gone"
	}
	return fmt.Sprintf("claim %s %s %v", c.Name, c.Phase, c.Owners)
}

// atRest follows the status of a set, or a claim.
type atRest struct {
	at model.Time
	// now is what it is, rested what it was at the end of the last instant in which it was anything else.
	now, rested string
}

func (r *restRecord) change(at model.Time, name, text string) {
	thing := r.things[name]
	if thing == nil {
		thing = &atRest{}
		r.things[name] = thing
	}
	if at != thing.at {
		r.settle(thing)
	}
	thing.at, thing.now = at, text
}

// settle ends the instant of the last change of a thing.
func (r *restRecord) settle(thing *atRest) {
	if thing.now != thing.rested {
		r.add(thing.at, thing.now)
		thing.rested = thing.now
	}
}
