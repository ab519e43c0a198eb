package manager

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Known returns the sets that have been synced and are not forgotten yet, in the order of their keys.
func (m *Manager) Known() []model.Key { return m.sets.Keys() }

// Waits returns what the last sync of the set waited for.
func (m *Manager) Waits(key model.Key) []model.Why {
	if state := m.sets.Get(key); state != nil {
		return state.waits
	}
	return nil
}

// Stuck lists what a set waits for by the timeline, other than for what its own spec makes it rest at, the oldest wait
// first.
func (m *Manager) Stuck(key model.Key) []timeline.Stuck {
	var list []timeline.Stuck
	for _, wait := range m.sets.Get(key).open {
		if !wait.why.Code.Resting() {
			list = append(list, timeline.Stuck{Set: key, Why: wait.why, Since: wait.since, Error: m.sets.Get(key).failed})
		}
	}
	return list
}

// NoteWaits updates the waits of the timeline at a fixed point: it records those that have ended and those that have
// begun. A wait that only lasted from one sync to the next within an instant is not recorded.
func (m *Manager) NoteWaits() {
	if len(m.touched) > 1 {
		slices.SortFunc(m.touched, model.Key.Compare)
		m.touched = slices.Compact(m.touched)
	}
	for _, key := range m.touched {
		if state := m.sets.Get(key); state != nil {
			m.noteWaitsOf(key, state)
		}
	}
	m.touched = m.touched[:0]
}

func (m *Manager) noteWaitsOf(key model.Key, state *setState) {
	kept := 0
	for i := range state.open {
		open := &state.open[i]
		if why := among(state.waits, &open.why); why != nil {
			open.why = *why
			if kept < i {
				state.open[kept] = *open
			}
			kept++
			continue
		}
		m.recordWait(key, open, true)
	}
	state.open = state.open[:kept]
	for i := range state.waits {
		why := &state.waits[i]
		if !opened(state.open, why) {
			state.open = append(state.open, openWait{why: *why, since: m.kernel.Now()})
			m.recordWait(key, &state.open[len(state.open)-1], false)
		}
	}
}

// among returns the wait of a list that is one with another, or nil; opened says whether there is one that is open.
func among(list []model.Why, wait *model.Why) *model.Why {
	for i := range list {
		if sameWait(&list[i], wait) {
			return &list[i]
		}
	}
	return nil
}

func opened(list []openWait, wait *model.Why) bool {
	for i := range list {
		if sameWait(wait, &list[i].why) {
			return true
		}
	}
	return false
}

// sameWait says whether two waits are one; the numbers in it may have changed meanwhile.
func sameWait(a, b *model.Why) bool {
	return a.Code == b.Code && a.Object == b.Object && a.Rule == b.Rule
}

func (m *Manager) recordWait(key model.Key, open *openWait, ended bool) {
	cause, subject := timeline.Cause{Why: open.why}, open.like.Subject
	if subject == nil {
		subject = &timeline.Subject{Origin: m.kernel.OriginOf(key), Pod: podOf(open.why.Object)}
	}
	e := timeline.Event{Kind: timeline.KindWait, Actor: timeline.Controller}
	recorded := m.kernel.RecordParts(e, subject, &cause, open.like)
	m.kernel.KeepWait(recorded, timeline.Wait{Ended: ended, Since: open.since})
	open.like = recorded.Like()
}

// podOf returns the object if it is named like a pod of a set.
func podOf(object string) string {
	if _, ordinal := model.SplitPodName(object); ordinal < 0 {
		return ""
	}
	return object
}
