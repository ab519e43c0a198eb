package versus

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Level is the aspect of a difference between two runs. A lower level carries more weight: runs that differ on it
// are not compared on the others.
type Level uint8

// Pods: what happens to pods, what steps do, or how the run ends. Status: the contents of the status. Words: how
// the API server words its refusals. Objects: the objects that are left at the end, which only Compare looks at.
const (
	Pods Level = iota
	Status
	Words
	Objects
)

// Parting is the point where two runs diverge.
type Parting struct {
	// Level is the level with the most weight on which the runs differ, T the first instant of a difference on that
	// level. On other levels they may have differed before.
	Level Level
	T     model.Time
	// Step is the last step before, in either run, and StepT when it acted; nil if there is none.
	Step  *timeline.Step
	StepT model.Time
	// Sides hold what each of the two runs does at that instant.
	Sides [2]Side
	// Left is what each run has at its end and the other has not; "" if nothing. Later are the fields of the status
	// that differ only after T. Compare fills both in.
	Left  [2]string
	Later []string

	// does are the words of Does if Told has kept them in place of the events.
	does *[2]string
}

// Side is one run at the point where it diverges from another. Its events belong to the run and must not be
// changed.
type Side struct {
	// Moment holds what the run does; nil if it does nothing.
	Moment *Moment
	// Only are the changes of pods in the moment that the other run does not have, as often as it does not have them.
	Only []*timeline.Event
	// Waits are the waits of the controller that are open after T in this run, the oldest first.
	Waits []*timeline.Event

	// latest are the last statuses of the sets up to that moment.
	latest []Said
}

// Find returns where two runs diverge, or nil if they are alike on all levels but Objects. It splits both runs into
// moments from the first different event on, and costs O(events).
func Find(a, b []timeline.Event) *Parting {
	n := common(a, b)
	if p := soon(a[:fixed(a, n+near)], b[:fixed(b, n+near)], n); p != nil {
		p.fill(a, b)
		return p
	}
	x, y := momentsFrom(a, n), momentsFrom(b, n)
	for level := Pods; level <= Words; level++ {
		if p := part(x, y, level); p != nil {
			p.fill(a, b)
			return p
		}
	}
	return nil
}

// Same reports whether two divergences, either of which may be nil, are at one instant and the second run does the
// same there. A search uses it to find out that a difference between versions explains a divergence: with the
// difference reverted, the divergence is another one.
func (p *Parting) Same(other *Parting) bool {
	if p == nil || other == nil {
		return p == other
	}
	a, b := &p.Sides[1], &other.Sides[1]
	return p.Level == other.Level && p.T == other.T && slices.EqualFunc(a.Only, b.Only, sameChange) &&
		(p.Level != Status || slices.EqualFunc(a.latest, b.latest, sameStatus))
}

// Groups puts runs that are alike together, by their indexes. The groups are in the order of their first runs, as are
// the runs in each. It compares each run with the first of each group.
func Groups(runs [][]timeline.Event) [][]int {
	var groups [][]int
	for i := range runs {
		alike := func(group []int) bool { return Compare(runs[group[0]], runs[i]) == nil }
		if at := slices.IndexFunc(groups, alike); at >= 0 {
			groups[at] = append(groups[at], i)
		} else {
			groups = append(groups, []int{i})
		}
	}
	return groups
}

// near is the number of events, from the first different one on, within which most runs differ in what happens to
// pods.
const near = 30

// fixed returns the number of events up to the end of the instant that an event belongs to.
func fixed(events []timeline.Event, i int) int {
	for i < len(events) && events[i].T == events[i-1].T {
		i++
	}
	return min(i, len(events))
}

// soon returns where two runs differ in what happens to pods, if both do something at that point before these
// events end.
func soon(a, b []timeline.Event, n int) *Parting {
	x, y := filter(momentsFrom(a, n), Pods.tells), filter(momentsFrom(b, n), Pods.tells)
	for i := range min(len(x), len(y)) {
		if !Pods.same(x[i], y[i]) {
			return between(x[i], y[i], Pods)
		}
	}
	return nil
}

// part finds the first moment that differs on a level, looking only at moments that have something on that level. If
// the moments are at different times, the later run does nothing at the earlier one.
func part(x, y []*Moment, level Level) *Parting {
	x, y = filter(x, level.tells), filter(y, level.tells)
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return &Parting{Level: level, T: y[i].T, Sides: [2]Side{{}, {Moment: y[i]}}}
		case i >= len(y):
			return &Parting{Level: level, T: x[i].T, Sides: [2]Side{{Moment: x[i]}, {}}}
		case level.same(x[i], y[i]):
			continue
		}
		return between(x[i], y[i], level)
	}
	return nil
}

// between returns the parting of two moments that differ on a level.
func between(x, y *Moment, level Level) *Parting {
	p := &Parting{Level: level, T: min(x.T, y.T), Sides: [2]Side{{Moment: x}, {Moment: y}}}
	switch order := compareMoments(x, y); {
	case order < 0:
		p.Sides[1].Moment = nil
	case order > 0:
		p.Sides[0].Moment = nil
	}
	return p
}

// filter returns the moments to keep, as a new slice in their order.
func filter(moments []*Moment, keep func(*Moment) bool) []*Moment {
	var kept []*Moment
	for _, m := range moments {
		if keep(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// tells reports whether a moment has anything on a level. A good end does not count: its time follows from what
// happens before.
func (l Level) tells(m *Moment) bool {
	switch l {
	case Pods:
		return m.Step != nil || len(m.Changes) > 0 || m.Verdict != "" && m.Verdict != timeline.Settled
	case Status:
		return len(m.Statuses) > 0
	}
	return m.Step != nil && m.Step.Refusal != ""
}

// same reports whether two moments are the same on a level. On Words both have a step that was refused.
func (l Level) same(a, b *Moment) bool {
	if l == Status {
		return a.T == b.T && slices.EqualFunc(a.Statuses, b.Statuses, sameStatus)
	}
	if compareMoments(a, b) != 0 {
		return false
	}
	if l == Words {
		return a.Step.Refusal == b.Step.Refusal
	}
	if a.Step != nil && a.Step.Effect != b.Step.Effect {
		return false
	}
	return ends(a) == ends(b) && slices.EqualFunc(a.Changes, b.Changes, sameChange)
}

// ends returns the verdict of a moment if it is a bad one, else "": what happens before shows when a good end comes.
func ends(m *Moment) timeline.Verdict {
	if m.Verdict == timeline.Settled {
		return ""
	}
	return m.Verdict
}

// change holds the parts of a pod's change of state that are compared. Node, uid and reason are not: versions may
// differ in them without a difference for users.
type change struct {
	// set and pod name the pod, template is the N of its @N.
	set        model.Key
	pod, image string
	state      timeline.State
	template   int
}

// changeOf returns the compared parts of a pod's change of state.
func changeOf(e *timeline.Event) change { return change{e.Set, e.Pod, e.Image, e.State, e.Template} }

// sameChange reports whether two changes count as the same; when they happen is not compared.
func sameChange(a, b *timeline.Event) bool { return changeOf(a) == changeOf(b) }

// fill adds what both runs have around the parting: their changes, their waits, their statuses and the last step.
func (p *Parting) fill(a, b []timeline.Event) {
	mine, others := p.Sides[0].changes(), p.Sides[1].changes()
	p.Sides[0].Only, p.Sides[1].Only = subtract(mine, others), subtract(others, mine)
	for i, events := range [2][]timeline.Event{a, b} {
		p.Sides[i].Waits = waits(events, p.T)
		p.Sides[i].latest = statuses(events, p.T)
		p.lastStep(events, p.Sides[i].Moment)
	}
}

// changes are the changes of the side's moment; nil if the side does nothing.
func (s *Side) changes() []*timeline.Event {
	if s.Moment == nil {
		return nil
	}
	return s.Moment.Changes
}

// lastStep keeps the latest step up to the parting, of either run. Steps of the instant that come after the moment
// are not looked at.
func (p *Parting) lastStep(events []timeline.Event, m *Moment) {
	for i := range events {
		e := &events[i]
		if e.T > p.T {
			return
		}
		after := m != nil && e.Step != nil && e.T == p.T && e.Step.Number > m.number()
		if e.Step != nil && !after && (p.Step == nil || e.Step.Number > p.Step.Number) {
			p.Step, p.StepT = e.Step, e.T
		}
	}
}

// subtract returns the changes that the others do not have, or not as often, in their order.
func subtract(changes, others []*timeline.Event) []*timeline.Event {
	left := map[change]int{}
	for _, e := range others {
		left[changeOf(e)]++
	}
	var only []*timeline.Event
	for _, e := range changes {
		if left[changeOf(e)]--; left[changeOf(e)] < 0 {
			only = append(only, e)
		}
	}
	return only
}

// waits lists what the controller waits for once everything up to an instant has happened, the oldest first.
func waits(events []timeline.Event, until model.Time) []*timeline.Event {
	var open []*timeline.Event
	for i := range events {
		e := &events[i]
		if e.T > until {
			break
		}
		if e.Kind != timeline.KindWait {
			continue
		}
		if e.Wait == nil || !e.Wait.Ended {
			open = append(open, e)
			continue
		}
		open = slices.DeleteFunc(open, func(begun *timeline.Event) bool {
			return begun.Set == e.Set && begun.Why.Code == e.Why.Code && begun.Why.Object == e.Why.Object
		})
	}
	return open
}
