package manager

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
)

// watch is the controller's watch of one kind of object. Usually it delivers at once, and everything in it is zero. A
// delay of the scenario, or a fault, makes it hold changes back.
type watch struct {
	// pending are the changes on their way, in the order of the writes, and due are the instants when they arrive.
	// Both have the same length, and due never decreases. Their By is nil.
	pending []store.Change
	due     []model.Time
	// timer is for the first of them, or for the list after a break. Unless broken, it is pending if pending is not empty.
	timer *kernel.Timer
	// slow is the time that a fault adds to the delay of changes before slowUntil; 0 without one.
	slow      time.Duration
	slowUntil model.Time `print:"left"`
	// broken is true from a break to the list that ends it. Changes are in pending meanwhile, undelivered.
	broken bool
}

// watch hands a change to the watch of its kind. A change without a delay goes to watched, unless an earlier one of
// its kind is still on its way: then it queues after that one, since a watch never reorders. While no controller
// runs, there are no watches.
func (m *Manager) watch(change *store.Change) {
	m.remember(change)
	watch := &m.watches[change.Kind]
	var delay time.Duration
	if m.latency.Watch != nil {
		delay = m.kernel.Takes(m.latency.Watch)
	}
	if m.kernel.Now() < watch.slowUntil {
		delay += watch.slow
	}
	switch {
	case m.down:
		// There is no watch. The next controller lists everything.
	case delay == 0 && len(watch.pending) == 0 && !watch.broken:
		m.watched = append(m.watched, *change)
		m.watched[len(m.watched)-1].By = nil
	default:
		watch.pending = append(watch.pending, *change)
		watch.pending[len(watch.pending)-1].By = nil
		at := m.kernel.Now().Add(delay)
		if n := len(watch.due); n > 0 {
			at = max(at, watch.due[n-1])
		}
		watch.due = append(watch.due, at)
		m.wind(change.Kind)
	}
}

// wind sets the timer of a watch for the first change on its way. It does nothing if the timer is set, the watch is
// broken, or nothing is on its way, so it may be called at any time.
func (m *Manager) wind(kind model.Kind) {
	watch := &m.watches[kind]
	if watch.broken || watch.timer.Pending() || len(watch.pending) == 0 {
		return
	}
	watch.timer = m.kernel.At(max(watch.due[0], m.kernel.Now()), kernel.ByWatch, watchEvent(deliver, kind))
}

// watchEvent returns an event about the watch of a kind.
func watchEvent(what uint8, kind model.Kind) kernel.Event {
	return kernel.Event{Room: kernel.Manager, Kind: what, Of: kind}
}

// deliverNext delivers the first change that is on its way. Only the timer calls it, so there is one.
func (m *Manager) deliverNext(kind model.Kind) {
	watch := &m.watches[kind]
	change := watch.pending[0]
	watch.pending, watch.due = watch.pending[1:], watch.due[1:]
	m.late++
	m.receive(&change)
	m.wind(kind)
}

// release lets the API server write over the versions that it has replaced. It is called between two instants, when
// no room is at work. It does nothing as long as the manager holds an object that the API server has replaced,
// because a sync is under way, or a change is on its way or remembered: that object would change under its holder.
func (m *Manager) release() {
	if m.store.Ripe() && m.holdsNothing() {
		m.store.Release()
	}
}

// holdsNothing reports whether all objects that the manager holds are the newest in the store.
func (m *Manager) holdsNothing() bool {
	if len(m.running) > 0 || len(m.watched) > 0 || len(m.recent) > 0 || m.down {
		return false
	}
	for kind := range m.watches {
		if watch := &m.watches[kind]; watch.broken || len(watch.pending) > 0 {
			return false
		}
	}
	return true
}

// Lag is how far the controller is behind the API server, at a fixed point. A greater value is further behind.
type Lag uint8

// CaughtUp: the controller has seen everything, and has nothing to do or to retry. AtWork: it has seen everything,
// and is at work or will retry a failed set. Unseen: it has yet to see a change, possibly in the list that the next
// controller starts with.
const (
	CaughtUp Lag = iota
	AtWork
	Unseen
)

// Lag returns how far the controller is behind.
func (m *Manager) Lag() Lag {
	switch {
	case m.down, slices.ContainsFunc(m.watches[:], func(w watch) bool { return w.broken || len(w.pending) > 0 }):
		return Unseen
	case len(m.running) > 0, m.work.Len() > 0,
		slices.ContainsFunc(m.sets.Values(), func(s *setState) bool { return s.failed != "" }):
		return AtWork
	}
	return CaughtUp
}

// Deliver hands to the controller what the watches without a delay have seen, in the order of the writes. The world
// calls it after each event and each sync, so a sync sees its own writes only through the replies to its calls,
// except claims (deliverClaims).
func (m *Manager) Deliver() {
	if len(m.watched) == 0 {
		return
	}
	for i := 0; i < len(m.watched); i++ {
		m.receive(&m.watched[i])
	}
	m.watched = m.watched[:0]
}

// deliverClaims hands the controller's last writes of claims to the cache at once, if its watch takes no time. A
// sync reads claims live, and rereads the claims that it has just created or changed. Claims put no set into the
// work queue, so the controller need not be told. Only the claims at the end of watched are taken, because they
// must not overtake an earlier change of another kind.
func (m *Manager) deliverClaims() {
	first := len(m.watched)
	for first > 0 && m.watched[first-1].Kind == model.KindClaim {
		first--
	}
	for i := first; i < len(m.watched); i++ {
		m.cache.Apply(&m.watched[i], m.kernel.Now())
	}
	clear(m.watched[first:])
	m.watched = m.watched[:first]
}

// seenPod returns a pod as the controller's watch has it at this moment, for the cache's latest: the store's, unless
// a change of it is on its way; then the version before the first such change. It costs O(changes on their way).
func (m *Manager) seenPod(key model.Key) *model.Pod {
	pending := m.watches[model.KindPod].pending
	for i := range pending {
		if pending[i].Key() == key {
			return pending[i].OldPod
		}
	}
	return m.store.Pod(key)
}

// receive takes a change into the cache and asks the controller which sets it puts into the work queue. Claims and
// revisions have no event handler upstream, so they put none there.
func (m *Manager) receive(change *store.Change) {
	m.cache.Apply(change, m.kernel.Now())
	if change.Kind == model.KindPod || change.Kind == model.KindStatefulSet {
		m.controller.Enqueue(model.Change{
			Type:   change.Type,
			OldPod: change.OldPod, Pod: change.Pod,
			OldSet: change.OldSet, Set: change.Set,
		}, m.cache, m.enqueue)
	}
}

// breakWatch breaks the watch of a kind. After a time everything is listed instead: intermediate states are never
// seen, and an object that was created and deleted in between leaves no trace.
func (m *Manager) breakWatch(kind model.Kind, d time.Duration) {
	watch := &m.watches[kind]
	m.kernel.Cancel(watch.timer)
	watch.broken = true
	watch.timer = m.kernel.At(m.kernel.Now().Add(d), kernel.ByWatch, watchEvent(list, kind))
}

// list ends the break of a watch. It counts as one late delivery, even if nothing was missed: the resync of all
// sets that it causes changes what syncs have seen.
func (m *Manager) list(kind model.Kind) {
	watch := &m.watches[kind]
	missed := watch.pending
	watch.pending, watch.due, watch.broken = nil, nil, false
	m.late++
	m.relist(kind, missed)
}

// relist delivers the net effect of the missed changes, one change per object: first the objects that exist, in the
// order of their keys, then the deleted ones, as client-go's informers do (Replace of a DeltaFIFO). Every set is
// enqueued, because a list is an update of every object, whether it has changed or not; the update handler of pods
// ignores unchanged pods.
func (m *Manager) relist(kind model.Kind, missed []store.Change) {
	list := store.Merge(missed)
	slices.SortStableFunc(list, func(a, b store.Change) int {
		if gone := a.Type == model.Deleted; gone != (b.Type == model.Deleted) {
			if gone {
				return 1
			}
			return -1
		}
		return a.Key().Compare(b.Key())
	})
	m.cache.Reached(kind, m.store.Version())
	for _, change := range list {
		m.receive(&change)
	}
	if kind == model.KindStatefulSet {
		// A list is an update of every set, whether it has changed or not.
		m.cache.EachSet(m.work.Add)
	}
}
