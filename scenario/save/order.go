package save

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// mostChanges is the number of changes after one step up to which an expectation lists them. Above it the pods are
// only counted, and their direction is named.
const mostChanges = 200

// recordedStates are the states whose changes are recorded. Running and Gone follow from these.
var recordedStates = []timeline.State{timeline.Pending, timeline.Ready, timeline.Unready, timeline.Failed,
	timeline.Succeeded, timeline.Terminating}

// change is a pod, at a template, that enters a state at an instant. byController says that the controller did it.
type change struct {
	pod          string
	template     int
	state        timeline.State
	at           model.Time
	byController bool
}

// entry returns the change as an item of a list names it: POD@TEMPLATE STATE.
func (c change) entry() string {
	if c.template == 0 {
		return fmt.Sprintf("%q", c.pod+" "+c.state.String())
	}
	return fmt.Sprintf("%q", fmt.Sprintf("%s@%d %s", c.pod, c.template, c.state))
}

// stretch is what happens to the pods of a set after a step, until the next one.
type stretch struct {
	step    *timeline.Step
	changes []change
	// set is the set as the last step up to this one left it, nil if there was none; before is the one before this step.
	set, before *model.StatefulSet
}

// order writes, for each step, what happens to the pods of a set: which change is the first, and which of them happen
// at one instant. Changes belong to the last step before them.
func (w *writer) order(key model.Key) {
	var now stretch
	for i := range w.events {
		e := &w.events[i]
		switch {
		case e.Step != nil && e.Step.Number > 0:
			w.stretch(&now)
			now = stretch{step: e.Step, set: now.set, before: now.set}
			for _, set := range e.Step.Sets {
				if set.Key() == key {
					now.set = set
				}
			}
		case e.Kind == timeline.KindPod && e.Set == key && slices.Contains(recordedStates, e.State):
			now.changes = append(now.changes, change{e.Pod, e.Template, e.State, e.T, e.Actor == timeline.Controller})
		}
	}
	w.stretch(&now)
}

// stretch writes what happens after a step. That nothing happens is only worth writing where the step changed the set.
func (w *writer) stretch(s *stretch) {
	if s.step == nil || s.set == nil {
		return
	}
	about := slices.ContainsFunc(s.step.Sets, func(set *model.StatefulSet) bool { return set.Key() == s.set.Key() })
	if len(s.changes) == 0 && (!about || s.before == nil) {
		return
	}
	during := w.reference(s.step)
	if len(s.changes) > mostChanges {
		w.many(s, during)
		return
	}
	w.add("exactly:\n  during: %s\n  states: [%s]\n%s%s", during, strings.Join(s.states(), ", "), s.list(),
		recorded(s.set))
}

// states names the states that are recorded of a stretch: those that every rollout has, and others that occurred.
func (s *stretch) states() []string {
	var names []string
	for _, state := range recordedStates {
		usual := state == timeline.Pending || state == timeline.Ready || state == timeline.Terminating
		if usual || slices.ContainsFunc(s.changes, func(c change) bool { return c.state == state }) {
			names = append(names, state.String())
		}
	}
	return names
}

// list returns the changes, a line for each instant. A pod that changes twice at one instant, because something takes
// no time, needs the order within it: then the instants are not told apart.
func (s *stretch) list() string {
	if len(s.changes) == 0 {
		return "  is: []"
	}
	var b strings.Builder
	groups := s.byInstant()
	if slices.ContainsFunc(groups, twice) {
		b.WriteString("  is:")
		for _, c := range s.changes {
			b.WriteString("\n    - " + c.entry())
		}
		return b.String()
	}
	b.WriteString("  instants: true\n  is:")
	for _, group := range groups {
		b.WriteString("\n    - " + item(group))
	}
	return b.String()
}

// byInstant divides the changes by their instants.
func (s *stretch) byInstant() [][]change {
	var groups [][]change
	for i, c := range s.changes {
		if i == 0 || c.at != s.changes[i-1].at {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], c)
	}
	return groups
}

// twice says whether a pod changes more than once.
func twice(group []change) bool {
	for i, c := range group {
		if slices.ContainsFunc(group[:i], func(before change) bool { return before.pod == c.pod }) {
			return true
		}
	}
	return false
}

// lineLength is where the list of one instant breaks.
const lineLength = 100

// item returns the changes of one instant: one by itself, several as a flow list, which breaks where a line is full.
func item(group []change) string {
	if len(group) == 1 {
		return group[0].entry()
	}
	text, used := "[", 0
	for i, c := range group {
		entry := c.entry()
		if i > 0 {
			text += ","
			if used += len(entry) + 2; used > lineLength {
				text, used = text+"\n       ", len(entry)
			} else {
				text += " "
			}
		} else {
			used = len(entry)
		}
		text += entry
	}
	return text + "]"
}

// recorded returns the fields of a set that decide the order, so that a failure can say which of them has changed.
func recorded(set *model.StatefulSet) string {
	var parts []string
	for _, f := range expect.FieldsOf(set) {
		value := f.Value
		if _, err := strconv.Atoi(value); err != nil {
			value = scalar(value)
		}
		parts = append(parts, f.Path+": "+value)
	}
	return "\nrecorded: {" + strings.Join(parts, ", ") + "}"
}

// many writes the stretch of a set with many pods: which way they go, one after the other or together, and how many.
func (w *writer) many(s *stretch, during string) {
	for _, kind := range []struct {
		state     timeline.State
		direction string
	}{{timeline.Terminating, "descending"}, {timeline.Pending, "ascending"}, {timeline.Ready, "ascending"}} {
		n := 0
		for _, c := range s.changes {
			if c.state == kind.state && (c.byController || kind.state == timeline.Ready) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		of := strconv.Quote("* " + kind.state.String())
		if !w.add("%s: %s\nduring: %s%s", kind.direction, of, during, recorded(s.set)) {
			w.add("%s: {of: %s, ties: allowed}\nduring: %s%s", kind.direction, of, during, recorded(s.set))
		}
		w.add("count: {of: %s, is: %d, during: %s}%s", of, n, during, recorded(s.set))
	}
}
