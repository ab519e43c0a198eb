package manager

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// sync lets the controller work on one set that the work queue has handed out. Without latency the sync is over
// when the method returns; with latency it may be suspended. If the cache does not have the set, its state and its
// back-off are forgotten, as upstream forgets a set that its lister does not find.
func (m *Manager) sync(key model.Key) {
	if m.latency.suspends() {
		if view := m.cache.Freeze(key, m.kernel.Now()); view != nil {
			m.launch(m.begins(key), view, key)
			return
		}
	} else if view := m.cache.View(key, m.kernel.Now()); view != nil {
		m.straightOn(m.begins(key), view, key)
		return
	}
	m.work.Forget(key)
	m.dropSet(key)
	m.work.Done(key)
}

// begins counts a sync that starts, and returns the set's state.
func (m *Manager) begins(key model.Key) *setState {
	m.syncs++
	state := m.stateOf(key)
	state.began = m.progress()
	return state
}

// straightOn runs a sync from start to end.
func (m *Manager) straightOn(state *setState, view model.View, key model.Key) {
	r := m.spare
	if r == nil {
		r = &running{m: m}
	}
	// What only a sync has that is suspended it has never had.
	r.key, r.began, r.dead, r.idle, r.faulted, r.misled = key, m.kernel.Now(), false, false, false, ""
	r.wrote, r.writes = false, nil
	m.straight, m.spare = r, nil
	result := m.controller.Sync(view, r)
	m.straight = nil
	m.concludeIn(state, r, &result)
	m.spare = r
}

// conclude ends a sync that may have been suspended. Its set's state is looked up again, since it may be dropped.
func (m *Manager) conclude(r *running, result *model.Result) {
	if !r.dead {
		m.concludeIn(m.stateOf(r.key), r, result)
	}
}

// concludeIn ends a sync: it notes what the set waits for, arranges for the next sync, and returns the set to the
// work queue, which hands it out again if it was added meanwhile. Done comes after the requeue, as in upstream's
// processNextWorkItem. A dead sync changes nothing.
func (m *Manager) concludeIn(state *setState, r *running, result *model.Result) {
	if r.dead {
		return
	}
	if r.view != nil {
		m.isOver(r)
	}
	state.saw = r.saw
	state.waits = append(state.waits[:0], result.Waits...)
	if r.misled != "" && result.Err == nil {
		// The controller waits for nothing, and will not come back to the pod by itself.
		state.waits = append(state.waits, model.Why{Code: model.TakenForGone, Object: r.misled})
	}
	if last := len(m.touched) - 1; last < 0 || !m.touched[last].Shares(r.key) {
		m.touched = append(m.touched, r.key)
	}
	m.retry(r, state, result)
	m.work.Done(r.key)
	if m.instant.end(r, m.replicas) {
		m.livelock()
	}
}

// isOver takes a sync off the list of those that are under way.
func (m *Manager) isOver(r *running) {
	if len(m.running) == 1 && m.running[0] == r {
		m.running = m.running[:0]
	} else if at := slices.Index(m.running, r); at >= 0 {
		m.running = slices.Delete(m.running, at, at+1)
	}
}

// retry arranges for the next sync after one that has ended. An error adds to the back-off of the set, which
// doubles; success forgets it. An error is recorded only if its text differs from the previous sync's error, so
// that a set that fails again and again does not fill the timeline.
func (m *Manager) retry(r *running, state *setState, result *model.Result) {
	if result.Err == nil {
		m.work.Forget(r.key)
		state.failed, state.faulted = "", false
		if result.Requeue {
			after := result.After
			if result.FromStart {
				after -= m.kernel.Now().Sub(r.began)
			}
			m.requeue(r.key, after)
		}
		return
	}
	if message := result.Err.Error(); message != state.failed {
		state.failed = message
		m.kernel.Record(timeline.Entry{
			Kind: timeline.KindSync, Actor: timeline.Controller, Set: r.key, Reason: string(model.SyncError), Message: message,
		})
	}
	state.faulted = r.faulted
	m.requeue(r.key, m.work.Fail(r.key, m.kernel.Now()))
}

// progress identifies the state that a retry may depend on: the API server's version, and the number of its changes
// that the watches have delivered late. Two equal values mean that neither the store nor a cache has changed in
// between. The zero value belongs to no sync.
type progress struct {
	version uint64
	late    int
}

// progress returns the progress of this moment.
func (m *Manager) progress() progress { return progress{m.store.Version(), m.late} }

// sight identifies everything that a sync may see: the progress of the world, and the number of pods that became
// available by time alone. A sync that has the sight of the one before it does the same. The zero value belongs to no
// sync.
type sight struct {
	progress
	ripe int
}

// sight returns everything that is visible at this moment.
func (m *Manager) sight() sight { return sight{m.progress(), m.ripened} }

// retryMayHelp reports whether the retry of a failed set may end in another way: because something has changed
// since the failed sync started, possibly by that sync itself, or because a fault made it fail that may have
// passed. A set that only fails again and again does not keep a run open.
func (m *Manager) retryMayHelp() bool {
	for _, key := range keyed.Sorted(m.requeues) {
		state := m.sets.Get(key)
		if !m.requeues[key].Pending() || state == nil || state.failed == "" {
			continue
		}
		if state.faulted || state.began != m.progress() {
			return true
		}
	}
	return false
}

// unseen reports whether something has changed that the set's last or running sync has not seen. At a fixed point
// this is possible only if syncs take time; otherwise the queue is empty there.
func (m *Manager) unseen() bool {
	for _, r := range m.running {
		if r.saw != m.sight() {
			return true
		}
	}
	return m.work.Any(func(key model.Key) bool {
		state := m.sets.Get(key)
		return state == nil || state.saw != m.sight() || state.faulted
	})
}

// stateOf returns what is remembered about a set, creating an empty state if needed. The pointer is valid until
// dropSet.
func (m *Manager) stateOf(key model.Key) *setState {
	state := m.sets.Get(key)
	if state == nil {
		state = &setState{}
		m.sets.Put(key, state)
	}
	return state
}

// dropSet forgets a set that is gone: its waits end in the timeline, and its delayed sync is cancelled.
func (m *Manager) dropSet(key model.Key) {
	if state := m.sets.Get(key); state != nil {
		state.waits = state.waits[:0]
		m.noteWaitsOf(key, state)
		m.sets.Delete(key)
	}
	m.kernel.Cancel(m.requeues[key])
	delete(m.requeues, key)
}

// requeue puts a set into the work queue after a delay, or at once. If a set has several delays, the earliest
// counts, as in client-go's delaying queue. A delayed sync is a background event: anything that it could find out
// has an event of its own, such as a pod that becomes available.
func (m *Manager) requeue(key model.Key, after time.Duration) {
	if after <= 0 {
		m.work.Add(key)
		return
	}
	at := m.kernel.Now().Add(after)
	if pending := m.requeues[key]; pending.Pending() {
		if pending.At <= at {
			return
		}
		m.kernel.Cancel(pending)
	}
	keyed.Put(&m.requeues, key, m.kernel.Behind(at, kernel.ByController, event(enqueue, key)))
}

// writtenVersion returns the resource version of the object in the reply to a write, 0 if there is none. Revisions
// are left out: the stale-cache guard (PR 137254) compares the versions of pods, claims and sets only.
func writtenVersion(reply *model.Reply) uint64 {
	switch {
	case reply.Pod != nil:
		return reply.Pod.ResourceVersion
	case reply.Claim != nil:
		return reply.Claim.ResourceVersion
	case reply.Set != nil:
		return reply.Set.ResourceVersion
	}
	return 0
}

// Latency sets how long calls, watches and syncs take. With the zero value nothing takes time: every write is made,
// answered and seen by the watches within its instant, and no sync is ever suspended. It does not change during a
// run, except while a livelock is played on (slowDown).
type Latency struct {
	// Write is the time that a call takes, from the controller's request to its answer. The call is carried out at the
	// end of it: what others write meanwhile comes before it. Reads past the cache take as long. nil means no time.
	Write behaviour.Delay
	// Watch is the time from a write until the controller's cache has it, drawn for each write. The changes of one
	// kind of object keep their order, so a change may also wait for an earlier one; changes of different kinds may
	// overtake each other. nil means no time.
	Watch behaviour.Delay

	// Workers is the number of syncs that run at the same time, at most one per set; 0 means 5, the default of
	// kube-controller-manager's --concurrent-statefulset-syncs. It only matters if syncs take time.
	Workers int
	// Sync is the time of its own that a sync takes, from its look at the cache to its first call. Changes that arrive
	// meanwhile are not seen by it. nil means no time.
	Sync behaviour.Delay
	// Resync is the interval of the informer's resync, which puts every set into the work queue; 0 means never. A resync
	// never keeps a run open.
	Resync time.Duration
	// Behind is how far the API server that a new controller lists from may lag behind; see Beginning. It is also
	// how long changes are remembered, so 0 costs no memory.
	Behind time.Duration
	// QPS and Burst limit the calls of the controller, as --kube-api-qps and --kube-api-burst of
	// kube-controller-manager do: one token bucket of client-go for all calls of one controller, which is full at
	// first. QPS 0 means no limit. Only a sync that may be suspended is limited, but a QPS alone makes it one
	// (suspends).
	QPS, Burst int
}

// defaultWorkers is the number of workers of kube-controller-manager for StatefulSets.
const defaultWorkers = 5

// workers returns the number of syncs that may be under way at the same time, at least 1.
func (m *Latency) workers() int {
	if m.Workers == 0 {
		return defaultWorkers
	}
	return m.Workers
}

// suspends reports whether a sync may take time, so that something may happen before it ends. Watch does not count:
// it delays what syncs see, not the syncs.
func (m *Latency) suspends() bool { return m.Write != nil || m.Sync != nil || m.QPS > 0 }

// throttle returns the client-side limit of the controller's calls, with all its tokens, or nil if there is no limit.
// Each new controller gets its own: a restart of kube-controller-manager fills the bucket.
func (m *Latency) throttle() *workqueue.Bucket {
	if m.QPS == 0 {
		return nil
	}
	return workqueue.NewBucket(time.Second/time.Duration(m.QPS), m.Burst)
}
