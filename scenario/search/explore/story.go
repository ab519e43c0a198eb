package explore

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Line is a line of a story: one thing that happened.
type Line struct {
	// At is when it happened, as a text like 12s; "" if it holds for the whole run.
	At string `json:"at,omitempty"`
	// Serving says how many pods of the StatefulSet serve after it, as "1 of 2", with the name of the set if there are
	// several; "" if the line is about none.
	Serving string `json:"serving,omitempty"`
	// Says is the line in words, without the time and without a full stop.
	Says string `json:"says"`
	// Deviates says how it differs from the plain run: added or early; "" if it does not.
	Deviates string `json:"deviates,omitempty"`
	// Breaks is the promise that is broken here, if one is.
	Breaks string `json:"breaks,omitempty"`
}

// The ways in which a line differs from the plain run.
const (
	// added marks what the plain run does not have; early marks a step of the plain run that does not wait. Both stand in
	// scenarios as comments, from which deviation reads them, and in JSON.
	added = "not in the plain run"
	early = "without waiting until all has settled"
)

// Sentence returns the line as a sentence that stands by itself. An early step needs no remark: its text says so.
func (l *Line) Sentence() string {
	text := l.Says
	if l.At != "" {
		text = l.At + ": " + text
	}
	switch {
	case l.Breaks != "":
		text += " (this breaks " + l.Breaks + ")"
	case l.Deviates == added:
		text += " (" + added + ")"
	}
	return text
}

// told is a run of which a story is told: its events and all that they do not say.
type told struct {
	// events are the whole timeline, from the header to the result and what follows it.
	events []timeline.Event
	// breaches are the breaches that the story mentions, at least one. The last is the finding, and ends the story.
	breaches []promise.Breach
	// steps has, for the number of a step from 1, how it differs from the plain run, if it does. Faults with numbers
	// above ownFaults are not the scenario's own.
	steps     map[int]string
	ownFaults int
	// sights are what the syncs saw, in their order. Without them a story does not say on what the controller decided.
	sights []sight
	// odd are the deviations that are neither steps nor faults, in their order.
	odd []oddity
}

// oddity is a deviation that no scenario can express: the index of the event that comes next, and what is unusual.
type oddity struct {
	event int
	says  string
}

// story describes a run up to its last breach: what people did and what happened to pods; what the controller did with
// pods and claims, and why it did that right before a breach; and how the run goes on. The sync that is tried after
// the run's end is not in it. O(events).
func (r told) story() []Line {
	w := teller{told: r}
	end := r.breaches[len(r.breaches)-1].Event
	for i := range r.events {
		if i > end {
			break
		}
		for len(w.odd) > 0 && w.odd[0].event <= i {
			w.add(line{Line: Line{At: r.events[i].T.Clock(), Says: w.odd[0].says, Deviates: added}})
			w.odd = w.odd[1:]
		}
		w.see(&r.events[i])
		w.breaks(i)
		if r.events[i].Kind == timeline.KindResult {
			break
		}
	}
	w.breaks(end)
	w.settle()
	return append(w.all(), w.outcome(end)...)
}

// outcome says how the run goes on after its last breach, in one line; nothing if the breach is at its end, or if the
// run has no result because it was cut off. It moves the fold to the end, so it must come last.
func (w *teller) outcome(from int) []Line {
	end := slices.IndexFunc(w.events, func(e timeline.Event) bool { return e.Kind == timeline.KindResult })
	if end <= from {
		return nil
	}
	for w.world.Index <= end {
		w.world.Apply(&w.events[w.world.Index])
	}
	sets, last := w.world.Sets(), &w.events[end]
	l := Line{At: last.T.Clock(), Says: "all is gone"}
	for _, set := range sets {
		l.Serving = strings.TrimPrefix(l.Serving+", "+servingOf(set, len(sets)), ", ")
	}
	switch verdict := last.Result.Verdict; {
	case len(sets) == 0:
	case verdict == timeline.Settled:
		l.Says = "everything has settled again"
	case verdict == timeline.IsStuck:
		l.Says = "nothing changes any more: " + last.Result.Stuck[0].Why.Sentence()
	default:
		l.Says = "this never comes to rest"
	}
	return []Line{l}
}

// leads says whether an event leads to a breach, so that it needs a reason: it is of the same instant, and no step
// comes between them. What a breach follows from earlier is told too, but without reasons.
func (r *told) leads(event int) bool {
	return slices.ContainsFunc(r.breaches, func(b promise.Breach) bool {
		end := min(b.Event+1, len(r.events))
		return event < end && r.events[event].T == b.At &&
			!slices.ContainsFunc(r.events[event:end], func(e timeline.Event) bool { return e.Kind == timeline.KindStep })
	})
}
