package manager

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Known returns the sets that have been synced and are not forgotten, by key. The caller must not change the slice.
func (m *Manager) Known() []model.Key { return m.sets.Keys() }

// Waits returns what the last sync of the set waited for; nil if there was none. It is valid until the next sync.
func (m *Manager) Waits(key model.Key) []model.Why {
	if state := m.sets.Get(key); state != nil {
		return state.waits
	}
	return nil
}

// Stuck lists the open waits of a set, in the order in which they were recorded, except the waits that its own spec
// asks for (model.Code.Resting). The set must be Known. It is meant for the end of a run: a wait that is left then
// means that the set is stuck.
func (m *Manager) Stuck(key model.Key) []timeline.Stuck {
	var list []timeline.Stuck
	for _, wait := range m.sets.Get(key).open {
		if !wait.why.Code.Resting() {
			list = append(list, timeline.Stuck{Set: key, Why: wait.why, Since: wait.since, Error: m.sets.Get(key).failed})
		}
	}
	return list
}

// NoteWaits updates the waits of the timeline at a fixed point: it records the waits that have ended, then the new
// ones, set by set in the order of keys. A wait that only lasted from one sync to the next within an instant is not
// recorded. It costs O(sets that were synced).
func (m *Manager) NoteWaits() {
	if len(m.touched) == 0 {
		return
	}
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

// noteWaitsOf makes open equal to waits. A wait that continues keeps its place and since, with the latest numbers.
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
			state.open = append(state.open, openWait{})
			open := &state.open[len(state.open)-1]
			open.why, open.since = *why, m.kernel.Now()
			m.recordWait(key, open, false)
		}
	}
}

// among returns the wait of a list that is the same as another, or nil. The result points into the list. Lists have
// at most a handful of waits, so they are searched linearly.
func among(list []model.Why, wait *model.Why) *model.Why {
	for i := range list {
		if sameWait(&list[i], wait) {
			return &list[i]
		}
	}
	return nil
}

// opened reports whether an open wait is the same as another.
func opened(list []openWait, wait *model.Why) bool {
	for i := range list {
		if sameWait(wait, &list[i].why) {
			return true
		}
	}
	return false
}

// sameWait reports whether two waits are the same one; the numbers in it may have changed meanwhile.
func sameWait(a, b *model.Why) bool {
	return model.SameText(string(a.Code), string(b.Code)) && model.SameText(a.Object, b.Object) &&
		model.SameText(string(a.Rule), string(b.Rule))
}

// recordWait records the start or the end of a wait. Both events share subject and cause, which the wait keeps in
// like.
func (m *Manager) recordWait(key model.Key, open *openWait, ended bool) {
	cause, subject := m.kernel.Cause(), open.like.Subject
	cause.Why = open.why
	if subject == nil {
		subject = &timeline.Subject{Origin: m.kernel.OriginOf(key), Pod: podOf(open.why.Object)}
	}
	recorded := m.kernel.RecordParts(timeline.KindWait, timeline.Controller, subject, cause, open.like)
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
