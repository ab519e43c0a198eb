package manager

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
)

// A controller that begins may list from an API server that is behind the others: it then sees a past that the
// controller before it has seen the end of (kubernetes#59848). With the gate WatchList, on in 1.32 and from 1.34 on,
// kube-controller-manager streams its first list, which is as new as the storage (KEP-3157, kubernetes#128053).

// Beginning says how a controller begins after a restart. After is the time that nobody runs. Behind is how far the
// API server from which the new one lists is behind the others; 0 means not at all. Restart limits Behind to
// Latency.Behind, because older changes are not remembered. That server catches up: each change arrives by Behind
// after it was made.
//
// A controller that begins may list from an API server that is behind the others: it then sees a past that the
// controller before it has seen the end of (kubernetes#59848). With the gate WatchList, on in 1.32 and from 1.34 on,
// kube-controller-manager streams its first list, which is as new as the storage (KEP-3157, kubernetes#128053).
type Beginning struct{ After, Behind time.Duration }

// past is a change of one of the watched kinds, and the instant at which it was made. Its By is nil: that pointer is
// only valid while the rooms hear of the change.
type past struct {
	at     model.Time
	change store.Change
}

// remember keeps a change as long as a controller may begin before it. It forgets old changes only when they are more
// than half of the memory, so that moving the others costs O(1) a change on average.
func (m *Manager) remember(change *store.Change) {
	if m.latency.Behind == 0 {
		return
	}
	since := m.kernel.Now().Add(-m.latency.Behind)
	if gone := m.recent.after(since); gone > len(m.recent)/2 {
		m.recent = append(m.recent[:0], m.recent[gone:]...)
	}
	m.recent = append(m.recent, past{m.kernel.Now(), *change})
	m.recent[len(m.recent)-1].change.By = nil
}

// memory holds changes, the oldest first. Some may be older than Latency.Behind: readers skip them.
type memory []past

// after returns the number of changes that were made up to and including an instant, which is the index of the first
// later one; O(log n).
func (l memory) after(t model.Time) int {
	at, _ := slices.BinarySearchFunc(l, t, func(p past, t model.Time) int {
		if p.at <= t {
			return -1
		}
		return 1
	})
	return at
}

// listAsOf fills an empty cache with what there was a time ago, and puts what has come since on its way: each change
// arrives by behind after it was made. No watch may have anything pending, so that due stays in order. It enqueues
// nothing: Start enqueues every set that is listed.
func (m *Manager) listAsOf(behind time.Duration) {
	missing := m.recent[m.recent.after(m.kernel.Now().Add(-behind)):]
	changes := make([]store.Change, len(missing))
	for i := range missing {
		changes[i] = missing[i].change
		watch := &m.watches[changes[i].Kind]
		watch.pending, watch.due = append(watch.pending, changes[i]), append(watch.due, missing[i].at.Add(behind))
	}
	for _, change := range m.store.ListBefore(changes) {
		m.cache.Apply(&change, m.kernel.Now())
	}
	for _, kind := range store.Kinds {
		m.cache.Reached(kind, m.store.Version()-uint64(len(missing)))
		m.wind(kind)
	}
}

// print prints the changes from since on, before which no controller begins any more. Older ones decide nothing, so
// they must not be part of a fingerprint.
func (l memory) print(p *kernel.Print, since model.Time) {
	l = l[l.after(since):]
	p.Int(len(l))
	for i := range l {
		p.Time(l[i].at)
		printChange(p, &l[i].change)
	}
}
