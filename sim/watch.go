package sim

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/store"
)

// watch is the controller's watch of one kind of object. It delivers at once, unless the scenario gives it a delay, or
// a fault holds it up.
type watch struct {
	// pending are the changes that are on their way, in order, and due their instants.
	pending []store.Change
	due     []model.Time
	// timer is for the first of them, or for the list after a break.
	timer *queue.Entry[event]
	// slow is what a fault adds to the delay of changes that are made before slowUntil.
	slow      time.Duration
	slowUntil model.Time
	broken    bool
}

// see hands a change to the watch of its kind.
func (w *World) see(change store.Change) {
	watch := &w.watches[change.Kind]
	delay := w.takes(w.config.Machinery.Watch)
	if w.Now() < watch.slowUntil {
		delay += watch.slow
	}
	switch {
	case w.down:
		// Nobody watches. The next controller lists everything.
	case delay == 0 && len(watch.pending) == 0 && !watch.broken:
		w.watched = append(w.watched, change)
	default:
		watch.pending = append(watch.pending, change)
		at := w.Now().Add(delay)
		if n := len(watch.due); n > 0 {
			at = max(at, watch.due[n-1])
		}
		watch.due = append(watch.due, at)
		w.wind(change.Kind)
	}
}

// wind sets the timer of a watch for what is on its way.
func (w *World) wind(kind model.Kind) {
	watch := &w.watches[kind]
	if watch.broken || watch.timer.Pending() || len(watch.pending) == 0 {
		return
	}
	watch.timer = w.queue.Schedule(max(watch.due[0], w.Now()), byWatch, false, event{do: func() {
		change := watch.pending[0]
		watch.pending, watch.due = watch.pending[1:], watch.due[1:]
		w.late++
		w.receive(change)
		w.wind(kind)
	}})
}

// deliver hands to the controller what the watches have seen that deliver at once.
func (w *World) deliver() {
	for i := 0; i < len(w.watched); i++ {
		w.receive(w.watched[i])
	}
	clear(w.watched)
	w.watched = w.watched[:0]
}

// deliverClaims hands the controller's last write of a claim to the cache at once, where the watch does so. A sync
// reads claims live, and comes back to those that it has just created or changed.
func (w *World) deliverClaims() {
	first := len(w.watched)
	for first > 0 && w.watched[first-1].Kind == model.KindClaim {
		first--
	}
	for i := first; i < len(w.watched); i++ {
		w.cache.Apply(w.watched[i], w.Now())
	}
	clear(w.watched[first:])
	w.watched = w.watched[:first]
}

// seenPod returns a pod as the controller's watch has it at this moment: what is on its way has not come yet.
func (w *World) seenPod(key model.Key) *model.Pod {
	pending := w.watches[model.KindPod].pending
	for i := range pending {
		if pending[i].Key() == key {
			return pending[i].OldPod
		}
	}
	return w.store.Pod(key)
}

// receive takes a change into the cache and asks the controller which sets that concerns.
func (w *World) receive(change store.Change) {
	w.cache.Apply(change, w.Now())
	if change.Kind == model.KindPod || change.Kind == model.KindStatefulSet {
		w.config.Controller.Enqueue(model.Change{
			Type:   change.Type,
			OldPod: change.OldPod, Pod: change.Pod,
			OldSet: change.OldSet, Set: change.Set,
		}, w.cache, w.requeue)
	}
}

// slowWatch makes the watch of a kind slower for a time.
func (w *World) slowWatch(kind model.Kind, delay, d time.Duration) {
	w.watches[kind].slow, w.watches[kind].slowUntil = delay, w.Now().Add(d)
}

// breakWatch breaks the watch of a kind. After a time everything is listed instead: what is between is never seen.
func (w *World) breakWatch(kind model.Kind, d time.Duration) {
	watch := &w.watches[kind]
	w.queue.Cancel(watch.timer)
	watch.broken = true
	watch.timer = w.queue.Schedule(w.Now().Add(d), byWatch, false, event{do: func() {
		missed := watch.pending
		watch.pending, watch.due, watch.broken = nil, nil, false
		w.late++
		w.relist(kind, missed)
	}})
}

// relist delivers what has become of the objects that have changed unseen: first those that there are, in the order of
// their keys, then those that are gone, as client-go's informers do.
func (w *World) relist(kind model.Kind, missed []store.Change) {
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
	w.cache.Reached(kind, w.store.Version())
	for _, change := range list {
		w.receive(change)
	}
	if kind == model.KindStatefulSet {
		// A list is an update of every set, whether it has changed or not.
		w.cache.EachSet(w.work.Add)
	}
}
