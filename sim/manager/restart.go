package manager

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// controllerStarted is the Reason of the sync event for the start of a new controller.
const controllerStarted = "ControllerStarted"

// Restart lets the controller die at this moment, in the middle of its syncs if it is at any. Its writes stay
// written; a call that is under way is not carried out; and all that it had in mind is lost: its queue, its
// back-offs, its delayed syncs, the memory of its own writes, its cache. After a time another one lists everything
// and puts every set into its queue. A change of leader is the same, with the time that the lease takes to run out.
//
// The other controllers of kube-controller-manager are down with it: the controllers of nodes, lost pods, claims
// and volumes, and the garbage collector. Their events happen when the new process starts. The disruption
// controller asks the kernel (kernel.IsAway).
func (m *Manager) Restart(next Beginning) {
	m.Stop()
	m.behind = min(next.Behind, m.latency.Behind)
	back := m.kernel.Now().Add(next.After)
	m.kernel.Away(back, kernel.Nodes, kernel.Storage, kernel.Collector)
	m.start = m.kernel.At(back, kernel.ByController, event(begin, model.Key{}))
}

// begin starts a new controller.
func (m *Manager) begin() {
	past := ""
	if m.behind > 0 {
		past = fmt.Sprintf(" as it was %s ago", m.behind)
	}
	m.kernel.Record(timeline.Entry{
		Kind: timeline.KindSync, Actor: timeline.Controller, Reason: controllerStarted,
		Message: "a new controller lists everything" + past + " and syncs every set",
	})
	m.Start()
}

// Replace lets another controller take the place of the running one at once; the old one dies as in Restart. This
// is an upgrade of the control plane in the middle of a run. The other controllers of the process stay up, because
// no time passes.
func (m *Manager) Replace(controller model.Controller) {
	m.Stop()
	m.behind = 0
	m.controller = controller
	m.replaced++
	m.Start()
}

// Stop ends what the controller does, forgets its memory, and cancels the start of the next one if one was about to
// start. Afterwards its only pending timers are the timers of pods that become available and of resyncs. Watches
// deliver nothing until Start; delays that a fault has given them stay.
func (m *Manager) Stop() {
	m.Kill()
	m.kernel.Cancel(m.start)
	m.down = true
	for _, key := range keyed.Sorted(m.requeues) {
		m.kernel.Cancel(m.requeues[key])
	}
	clear(m.requeues)
	for _, key := range m.sets.Keys() {
		m.sets.Get(key).failed, m.sets.Get(key).saw = "", sight{}
	}
	m.work = workqueue.Queue{}
	m.watched = m.watched[:0]
	for kind := range m.watches {
		watch := &m.watches[kind]
		m.kernel.Cancel(watch.timer)
		watch.pending, watch.due, watch.broken = nil, nil, false
	}
}

// Start lets a new controller list everything and put every set into its queue. Stop must have been called. What is
// remembered about sets that no longer exist is dropped, with their waits: no later sync would do it.
func (m *Manager) Start() {
	m.down, m.idle.over = false, false
	m.throttle = m.latency.throttle()
	m.cache = m.emptyCache()
	m.listAsOf(m.behind)
	m.behind = 0
	m.cache.EachSet(m.work.Add)
	for _, key := range m.sets.Keys() {
		if m.store.Set(key) == nil {
			m.dropSet(key)
		}
	}
}

// SlowWatch makes the controller's watch of a kind of object slower: what changes within d from now arrives by delay
// later. A later call replaces an earlier one. KindNone means all kinds.
func (m *Manager) SlowWatch(kind model.Kind, delay, d time.Duration) {
	for _, k := range store.Kinds {
		if kind == model.KindNone || kind == k {
			m.watches[k].slow, m.watches[k].slowUntil = delay, m.kernel.Now().Add(d)
		}
	}
}

// BreakWatch breaks the controller's watch of a kind of object for a time, after which everything is listed. A
// second break replaces the first, so the later call decides when the list comes. KindNone means all kinds.
func (m *Manager) BreakWatch(kind model.Kind, d time.Duration) {
	for _, k := range store.Kinds {
		if kind == model.KindNone || kind == k {
			m.breakWatch(k, d)
		}
	}
}

// A controller that starts may list from an API server that lags behind the others: it then sees state that the
// previous controller has already moved past (kubernetes#59848). With the gate WatchList, on in 1.32 and from 1.34
// on, kube-controller-manager streams its first list, which is as new as the storage (KEP-3157, kubernetes#128053).

// Beginning describes how a controller starts after a restart. After is the time without a running controller.
// Behind is how far the API server that the new one lists from lags behind the others; 0 means not at all. Restart
// limits Behind to Latency.Behind, because older changes are not remembered. That server catches up: each change
// arrives by Behind after it was made.
//
// A controller that starts may list from an API server that lags behind the others: it then sees state that the
// previous controller has already moved past (kubernetes#59848). With the gate WatchList, on in 1.32 and from 1.34
// on, kube-controller-manager streams its first list, which is as new as the storage (KEP-3157, kubernetes#128053).
type Beginning struct{ After, Behind time.Duration }

// past is a change of one of the watched kinds, and its instant. Its By is nil: that pointer is only valid while
// the rooms are being told about the change.
type past struct {
	at     model.Time
	change store.Change
}

// remember keeps a change as long as a controller may start before it. It forgets old changes only when they are
// more than half of the memory, so that moving the others costs O(1) per change on average.
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

// listAsOf fills an empty cache with the state of a time ago, and puts later changes on their way: each change
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

// print prints the changes from since on: no controller will start before that. Older changes decide nothing, so
// they must not be part of a fingerprint.
func (l memory) print(p *kernel.Print, since model.Time) {
	l = l[l.after(since):]
	p.Int(len(l))
	for i := range l {
		p.Time(l[i].at)
		printChange(p, &l[i].change)
	}
}
