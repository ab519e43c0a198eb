package sim

import (
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// controllerStarted is the Reason of the sync event that says that a new controller begins.
const controllerStarted = "ControllerStarted"

// RestartController lets the controller die at this moment, in the middle of its syncs if it is at any: what it has
// written stays written, a call that is under way is not carried out, and all that it had in mind is lost: its queue,
// its back-offs, what it had asked to do later, what it remembers of its own writes, its cache. After a time another
// one lists everything and puts every set into its queue. A change of leader is the same, with the time that the lease
// takes to run out.
func (u *User) RestartController(after time.Duration) {
	w := u.w
	w.stopController()
	w.start = w.queue.Schedule(w.Now().Add(after), byController, false, event{do: func() {
		w.record(timeline.Event{
			Kind: timeline.KindSync, Actor: timeline.Controller, Reason: controllerStarted,
			Message: "a new controller lists everything and syncs every set",
		})
		w.startController()
	}})
}

// stopController ends what the controller does and forgets what it had in mind, and keeps the next one from starting if
// one was about to.
func (w *World) stopController() {
	w.killAll()
	w.queue.Cancel(w.start)
	w.down = true
	for _, key := range slices.SortedFunc(maps.Keys(w.requeues), model.Key.Compare) {
		w.queue.Cancel(w.requeues[key])
	}
	clear(w.requeues)
	for _, key := range slices.SortedFunc(maps.Keys(w.sets), model.Key.Compare) {
		w.sets[key].failed, w.sets[key].saw = "", sight{}
	}
	w.work = workqueue.Queue{}
	w.watched = w.watched[:0]
	for kind := range w.watches {
		watch := &w.watches[kind]
		w.queue.Cancel(watch.timer)
		watch.pending, watch.due, watch.broken = nil, nil, false
	}
}

// startController lets a new controller list everything and put every set into its queue.
func (w *World) startController() {
	w.down = false
	w.throttle = w.config.Machinery.throttle()
	w.cache = cache.New(w.seenPod)
	for _, change := range w.store.List() {
		w.cache.Apply(change, w.Now())
	}
	for kind := range w.watches {
		w.cache.Reached(model.Kind(kind), w.store.Version())
	}
	w.cache.EachSet(w.work.Add)
	for _, key := range slices.SortedFunc(maps.Keys(w.sets), model.Key.Compare) {
		if w.store.Set(key) == nil {
			w.dropSet(key)
		}
	}
}

// watchedKinds are the kinds of object that the controller watches.
var watchedKinds = []model.Kind{model.KindStatefulSet, model.KindPod, model.KindClaim, model.KindRevision}

// SlowWatch makes the controller's watch of a kind of object slower: what changes within the time given arrives by a
// delay later. KindNone is all kinds.
func (u *User) SlowWatch(kind model.Kind, delay, d time.Duration) {
	for _, k := range watchedKinds {
		if kind == model.KindNone || kind == k {
			u.w.slowWatch(k, delay, d)
		}
	}
}

// BreakWatch breaks the controller's watch of a kind of object for a time, after which everything is listed. KindNone
// is all kinds.
func (u *User) BreakWatch(kind model.Kind, d time.Duration) {
	for _, k := range watchedKinds {
		if kind == model.KindNone || kind == k {
			u.w.breakWatch(k, d)
		}
	}
}
