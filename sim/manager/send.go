package manager

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// send carries out a call of the controller in the store, as the actor controller, with the call's reason. Calls
// without faults and without latency come straight here. It fills in a reply that is empty: a struct that is copied
// from result to result right after it was filled in costs more time than the call.
func (m *Manager) send(call *model.Call, reply *model.Reply) {
	m.by.Actor, m.by.Reason = timeline.Controller, ""
	m.by.Why = call.Why
	w := m.store.In(&m.by)
	switch call.Kind {
	case model.KindPod:
		if call.Verb == model.Create && m.admit != nil {
			if reply.Err = m.admit(call.Pod); reply.Err != nil {
				return
			}
		}
		sendPod(w, call, reply)
	case model.KindClaim:
		sendClaim(w, call, reply)
	case model.KindRevision:
		sendRevision(w, call, reply)
	default:
		sendSet(w, call, reply)
	}
}

// sendPod sends a call about a pod. A deletion is never forced: the controller deletes with the grace period of the
// pod, and the uid of the call is a precondition if it is not 0. A Get of a pod returns no error if there is none.
func sendPod(w store.Writer, call *model.Call, reply *model.Reply) {
	switch call.Verb {
	case model.Create:
		reply.Pod, reply.Err = w.CreatePod(call.Pod)
	case model.Update:
		reply.Pod, reply.Err = w.UpdatePod(call.Pod)
	case model.Delete:
		reply.Err = w.DeletePod(call.Key, call.UID, false)
	case model.Adopt:
		reply.Pod, reply.Err = w.AdoptPod(call.Key, call.UID, call.Owner)
	case model.Release:
		reply.Pod, reply.Err = w.ReleasePod(call.Key, call.UID, call.Owner.UID)
	default:
		reply.Pod = w.Pod(call.Key)
	}
}

// sendClaim sends a call about a claim. A Get returns no error if there is none, and no claim.
func sendClaim(w store.Writer, call *model.Call, reply *model.Reply) {
	switch call.Verb {
	case model.Create:
		reply.Claim, reply.Err = w.CreateClaim(call.Claim)
	case model.Update:
		reply.Claim, reply.Err = w.UpdateClaim(call.Claim)
	default:
		reply.Claim = w.Claim(call.Key)
	}
}

// sendRevision sends a call about a revision. A Get of a missing revision returns NotFound, unlike a Get of a pod
// or a claim: the controller reads a revision whose name is taken, and fails if that revision is gone by then.
func sendRevision(w store.Writer, call *model.Call, reply *model.Reply) {
	switch call.Verb {
	case model.Create:
		reply.Revision, reply.Err = w.CreateRevision(call.Revision)
	case model.Update:
		reply.Revision, reply.Err = w.UpdateRevision(call.Revision)
	case model.Delete:
		reply.Err = w.DeleteRevision(call.Key)
	case model.Adopt:
		reply.Revision, reply.Err = w.AdoptRevision(call.Key, call.UID, call.Owner)
	default:
		reply.Revision, reply.Err = w.GetRevision(call.Key)
	}
}

// sendSet sends a call about the set: its status, or a Get past the cache, with NotFound for a set that is gone. The
// controller makes no other call about a set.
func sendSet(w store.Writer, call *model.Call, reply *model.Reply) {
	if call.Verb == model.UpdateStatus {
		reply.Set, reply.Err = w.UpdateSetStatus(call.Set)
		return
	}
	reply.Set, reply.Err = w.GetSet(call.Key)
}
