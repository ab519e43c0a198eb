package manager

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// controllerStarted is the Reason of the sync event that says that a new controller begins.
const controllerStarted = "ControllerStarted"

// Restart lets the controller die at this moment, in the middle of its syncs if it is at any. Its writes stay
// written; a call that is under way is not carried out; and all that it had in mind is lost: its queue, its
// back-offs, its delayed syncs, the memory of its own writes, its cache. After a time another one lists everything
// and puts every set into its queue. A change of leader is the same, with the time that the lease takes to run out.
//
// The other controllers of kube-controller-manager are away with it: those of nodes and of lost pods, those of claims
// and volumes, and the garbage collector. Their events happen when the new process begins. The disruption controller
// asks the kernel (kernel.IsAway).
func (m *Manager) Restart(next Beginning) {
	m.Stop()
	m.behind = min(next.Behind, m.latency.Behind)
	back := m.kernel.Now().Add(next.After)
	m.kernel.Away(back, kernel.Nodes, kernel.Storage, kernel.Collector)
	m.start = m.kernel.At(back, kernel.ByController, event(begin, model.Key{}))
}

// begin lets a new controller begin.
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

// Replace lets another controller begin at once in the place of the one that runs, which dies as in Restart: this is
// an upgrade of the control plane in the middle of a run. The other controllers of the process are not away, because
// no time passes.
func (m *Manager) Replace(controller model.Controller) {
	m.Stop()
	m.behind = 0
	m.controller = controller
	m.replaced++
	m.Start()
}

// Stop ends what the controller does and forgets what it had in mind, and keeps the next one from starting if one was
// about to. Afterwards its only pending timers are those of pods that become available and of resyncs. Watches
// deliver nothing until Start; the delays that a fault has given them stay.
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
// remembered of sets that are gone by now is dropped, with their waits: no sync would come to do it.
func (m *Manager) Start() {
	m.down, m.idle.over = false, false
	m.throttle = m.latency.throttle()
	m.cache = cache.New(m.seenPod)
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

// BreakWatch breaks the controller's watch of a kind of object for a time, after which everything is listed. A second
// break replaces the first, so the later call says when the list comes. KindNone means all kinds.
func (m *Manager) BreakWatch(kind model.Kind, d time.Duration) {
	for _, k := range store.Kinds {
		if kind == model.KindNone || kind == k {
			m.breakWatch(k, d)
		}
	}
}
