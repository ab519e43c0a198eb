package sim

import (
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// sync lets the controller work on one set.
func (w *World) sync(key model.Key) {
	if w.cache.Set(key) == nil {
		w.work.Forget(key)
		w.dropSet(key)
		w.work.Done(key)
		return
	}
	w.syncs++
	w.stateOf(key).began = w.progress()
	if w.config.Machinery.suspends() {
		w.launch(key)
		return
	}
	r := &running{w: w, key: key, began: w.Now()}
	w.straight = r
	result := w.config.Controller.Sync(w.cache.View(key, w.Now()), r)
	w.straight = nil
	w.conclude(r, result)
}

// conclude ends a sync and notes what it waits for.
func (w *World) conclude(r *running, result model.Result) {
	if r.dead {
		return
	}
	w.running = slices.DeleteFunc(w.running, func(other *running) bool { return other == r })
	w.why = model.Why{}
	state := w.stateOf(r.key)
	state.saw = r.saw
	state.waits = append(state.waits[:0], result.Waits...)
	if r.misled != "" && result.Err == nil {
		// The controller waits for nothing, and will not come back to the pod by itself.
		state.waits = append(state.waits, model.Why{Code: model.TakenForGone, Object: r.misled})
	}
	w.touched = append(w.touched, r.key)
	w.retry(r, state, result)
	w.work.Done(r.key)
	if w.instant.end(r, w.replicas) {
		w.livelock()
	}
}

// retry notes a failed sync and arranges for the next one.
func (w *World) retry(r *running, state *setState, result model.Result) {
	if result.Err == nil {
		w.work.Forget(r.key)
		state.failed, state.faulted = "", false
		if result.FromStart {
			result.After -= w.Now().Sub(r.began)
		}
		if result.Requeue {
			w.requeue(r.key, result.After)
		}
		return
	}
	if message := result.Err.Error(); message != state.failed {
		state.failed = message
		w.record(timeline.Event{
			Kind: timeline.KindSync, Actor: timeline.Controller, Set: r.key, Reason: string(model.SyncError), Message: message,
		})
	}
	state.faulted = r.faulted
	w.requeue(r.key, w.work.Fail(r.key, w.Now()))
}

// progress is what a retry may depend on: the API server's version, and how many of its changes the watches have
// delivered late.
type progress struct {
	version uint64
	late    int
}

func (w *World) progress() progress { return progress{w.store.Version(), w.late} }

// sight is what a sync may see: the world as it is, and how many pods have become available by time alone. The zero
// value is of no sync.
type sight struct {
	progress
	ripe int
}

func (w *World) sight() sight { return sight{w.progress(), w.ripened} }

// retryMayHelp says whether anything has changed since the last sync of a set that failed has begun, be it by that sync
// itself, so that its retry may do what it could not, or may do so because a fault has made it fail. A set that only
// fails again and again keeps no run open.
func (w *World) retryMayHelp() bool {
	for _, key := range slices.SortedFunc(maps.Keys(w.requeues), model.Key.Compare) {
		state := w.sets[key]
		if !w.requeues[key].Pending() || state == nil || state.failed == "" {
			continue
		}
		if state.faulted || state.began != w.progress() {
			return true
		}
	}
	return false
}

// unseen says whether something has changed that a set's last sync, or the one that is under way, has not seen. Only
// where syncs take time can that be so at a fixed point.
func (w *World) unseen() bool {
	for _, r := range w.running {
		if r.saw != w.sight() {
			return true
		}
	}
	return w.work.Any(func(key model.Key) bool {
		state := w.sets[key]
		return state == nil || state.saw != w.sight() || state.faulted
	})
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
		if reply.Err = w.admit(call.Pod); reply.Err == nil {
			reply.Pod, reply.Err = w.store.CreatePod(call.Pod)
		}
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

// admit asks the admission plugins for a new pod.
func (w *World) admit(pod *model.Pod) *model.APIError {
	if w.config.Admit == nil {
		return nil
	}
	return w.config.Admit(pod)
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
