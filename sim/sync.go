package sim

import (
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// sync lets the controller work on one set and notes what it waits for.
func (w *World) sync(key model.Key) {
	view := w.cache.View(key, w.Now())
	if view == nil {
		w.work.Forget(key)
		w.dropSet(key)
		return
	}
	w.actor = timeline.Controller
	w.syncs++
	w.instant.begin()
	w.stateOf(key).version = w.store.Version()
	r := &running{w: w, key: key}
	result := w.config.Controller.Sync(view, r)
	w.why = model.Why{}
	state := w.stateOf(key)
	state.waits = append(state.waits[:0], result.Waits...)
	w.touched = append(w.touched, key)
	w.retry(r, state, result)
	if w.instant.end(w.replicas) {
		w.livelock()
	}
}

// retry notes a failed sync and arranges for the next one.
func (w *World) retry(r *running, state *setState, result model.Result) {
	key := r.key
	if result.Err == nil {
		w.work.Forget(key)
		state.failed = ""
		if result.Requeue {
			w.requeue(key, result.After)
		}
		return
	}
	if message := result.Err.Error(); message != state.failed {
		state.failed = message
		w.record(timeline.Event{
			Kind: timeline.KindSync, Actor: timeline.Controller, Set: key, Reason: string(model.SyncError), Message: message,
		})
	}
	state.faulted = r.faulted
	w.requeue(key, w.work.Fail(key))
}

// retryMayHelp says whether anything has changed since the last sync of a set that failed has begun, be it by that sync
// itself, so that its retry may do what it could not, or may do so because a fault has made it fail. A set that only
// fails again and again keeps no run open.
func (w *World) retryMayHelp() bool {
	for _, key := range slices.SortedFunc(maps.Keys(w.requeues), model.Key.Compare) {
		state := w.sets[key]
		if !w.requeues[key].Pending() || state == nil || state.failed == "" {
			continue
		}
		if state.faulted || state.version != w.store.Version() {
			return true
		}
	}
	return false
}

func (w *World) stateOf(key model.Key) *setState {
	state := w.sets[key]
	if state == nil {
		state = &setState{}
		w.sets[key] = state
	}
	return state
}

// dropSet ends all waits of a set that is gone.
func (w *World) dropSet(key model.Key) {
	if state := w.sets[key]; state != nil {
		state.waits = state.waits[:0]
		w.noteWaitsOf(key, state)
		delete(w.sets, key)
	}
	w.queue.Cancel(w.requeues[key])
	delete(w.requeues, key)
}

// requeue puts a set into the work queue after a delay, or at once. Of several delays of one set the earliest counts. A
// delayed sync never keeps a run open: what it could find out has an event of its own.
func (w *World) requeue(key model.Key, after time.Duration) {
	if after <= 0 {
		w.work.Add(key)
		return
	}
	at := w.Now().Add(after)
	if pending := w.requeues[key]; pending.Pending() {
		if pending.At <= at {
			return
		}
		w.queue.Cancel(pending)
	}
	w.requeues[key] = w.queue.Schedule(at, byController, true, event{kind: requeue, set: key})
}

// deliver hands what the watches have seen to the cache and asks the controller which sets that concerns.
func (w *World) deliver() {
	for i := 0; i < len(w.watched); i++ {
		change := w.watched[i]
		w.cache.Apply(change, w.Now())
		if change.Kind == model.KindPod || change.Kind == model.KindStatefulSet {
			w.config.Controller.Enqueue(model.Change{
				Type:   change.Type,
				OldPod: change.OldPod, Pod: change.Pod,
				OldSet: change.OldSet, Set: change.Set,
			}, w.cache, w.requeue)
		}
	}
	clear(w.watched)
	w.watched = w.watched[:0]
}

// deliverClaims hands the controller's last write of a claim to the cache at once. A sync reads claims live, and comes
// back to those that it has just created or changed.
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

// running is the sync of one set while it is under way. It is the controller's way to the API server.
type running struct {
	w   *World
	key model.Key
	// faulted is true when a write has met a fault that another attempt may not meet.
	faulted bool
}

// Do sends a call to the API server.
func (r *running) Do(call model.Call) model.Reply {
	w := r.w
	w.why = call.Why
	var reply model.Reply
	lost := false
	if len(w.writeFaults) > 0 && call.Verb != model.Get {
		reply, lost = w.faultsAtWrite(r, &call)
	} else {
		reply = w.send(&call)
	}
	w.why = model.Why{}
	if call.Verb == model.Get || reply.Err != nil && !lost {
		return reply
	}
	w.instant.wrote(&call)
	if call.Kind == model.KindClaim {
		w.deliverClaims()
	}
	if call.Verb == model.Release {
		return reply
	}
	if version := writtenVersion(&reply); version > 0 {
		w.cache.Wrote(r.key, call.Kind, version)
	}
	return reply
}

// writtenVersion returns the resource version of the object in the reply to a write, 0 where there is none.
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

// Fork runs the branches one after the other; which one is next is a choice.
func (r *running) Fork(n int, branch func(i int)) {
	rest := make([]int, n)
	for i := range rest {
		rest[i] = i
	}
	for len(rest) > 0 {
		at := 0
		if len(rest) > 1 {
			at = r.w.chooser.Choose(choose.Branch, len(rest))
		}
		i := rest[at]
		rest = append(rest[:at], rest[at+1:]...)
		branch(i)
	}
}

// Record puts an event of the controller into the timeline.
func (r *running) Record(e model.K8sEvent) {
	r.w.record(timeline.Event{
		Kind: timeline.KindK8sEvent, Actor: timeline.Controller, Set: r.key,
		Reason: e.Reason, Message: e.Message, Warning: e.Warning,
	})
}

// send carries a call out.
func (w *World) send(call *model.Call) model.Reply {
	switch call.Kind {
	case model.KindPod:
		return w.sendPod(call)
	case model.KindClaim:
		return sendClaim(w.store, call)
	case model.KindRevision:
		return sendRevision(w.store, call)
	default:
		return sendSet(w.store, call)
	}
}

func (w *World) sendPod(call *model.Call) (reply model.Reply) {
	switch call.Verb {
	case model.Create:
		reply.Pod, reply.Err = w.store.CreatePod(call.Pod)
	case model.Update:
		reply.Pod, reply.Err = w.store.UpdatePod(call.Pod)
	case model.Delete:
		reply.Err = w.store.DeletePod(call.Key, call.UID, false)
	case model.Adopt:
		reply.Pod, reply.Err = w.store.AdoptPod(call.Key, call.UID, call.Owner)
	case model.Release:
		reply.Pod, reply.Err = w.store.ReleasePod(call.Key, call.UID, call.Owner.UID)
	default:
		reply.Pod = w.store.Pod(call.Key)
	}
	return reply
}

func sendClaim(s *store.Store, call *model.Call) (reply model.Reply) {
	switch call.Verb {
	case model.Create:
		reply.Claim, reply.Err = s.CreateClaim(call.Claim)
	case model.Update:
		reply.Claim, reply.Err = s.UpdateClaim(call.Claim)
	default:
		reply.Claim = s.Claim(call.Key)
	}
	return reply
}

func sendRevision(s *store.Store, call *model.Call) (reply model.Reply) {
	switch call.Verb {
	case model.Create:
		reply.Revision, reply.Err = s.CreateRevision(call.Revision)
	case model.Update:
		reply.Revision, reply.Err = s.UpdateRevision(call.Revision)
	case model.Delete:
		reply.Err = s.DeleteRevision(call.Key)
	case model.Adopt:
		reply.Revision, reply.Err = s.AdoptRevision(call.Key, call.UID, call.Owner)
	case model.Release:
		reply.Revision, reply.Err = s.ReleaseRevision(call.Key, call.UID, call.Owner.UID)
	default:
		reply.Revision, reply.Err = s.GetRevision(call.Key)
	}
	return reply
}

func sendSet(s *store.Store, call *model.Call) (reply model.Reply) {
	if call.Verb == model.UpdateStatus {
		reply.Set, reply.Err = s.UpdateSetStatus(call.Set)
		return reply
	}
	reply.Set, reply.Err = s.GetSet(call.Key)
	return reply
}
