package sim

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// NodeDown stops the kubelet of a node: nothing that it would have to do happens, and it reports nothing. Its processes
// run on, as behind a cut network, or with off are dead, as without power. It returns false if there is no such node,
// or it is down already.
func (u *User) NodeDown(name string, off bool) bool {
	w := u.w
	n := w.cluster.node(name)
	if n == nil || n.gone || n.down {
		return false
	}
	w.actor = timeline.Kubelet
	n.down, n.off = true, off
	message := n.name + " is down: its kubelet does nothing, and its processes run on"
	if off {
		message = n.name + " is off: its kubelet does nothing, and its processes are dead"
	}
	w.noteNode(n, timeline.ReasonNodeDown, message)
	for _, l := range w.livesOn(n) {
		w.freeze(l)
	}
	w.freezeStrays(n)
	if !n.notReady {
		n.monitor = w.at(w.Now().Add(w.monitorGrace()), false, func() { w.silent(n) })
	}
	return true
}

// NodeUp lets the kubelet of a node go on. It reports its pods as they are, ends those that were deleted meanwhile, and
// kills the processes of pods that it does not find any more. A node whose object was deleted registers anew. It
// returns false if there is no such node, or it is up.
func (u *User) NodeUp(name string) bool {
	w := u.w
	n := w.cluster.node(name)
	if n == nil || !n.gone && !n.down {
		return false
	}
	w.actor = timeline.Kubelet
	off := n.off
	n.down, n.off, n.notReady, n.gone = false, false, false, false
	w.queue.Cancel(n.monitor)
	w.untaint(n)
	w.noteNode(n, timeline.ReasonNodeUp, n.name+" is back: its kubelet goes on")
	for _, l := range w.livesOn(n) {
		if off {
			w.beginAnew(l)
		}
		w.thaw(l)
		w.speakAgain(l, off)
	}
	w.thawStrays(n)
	w.balance()
	w.reschedule()
	w.settleVolumes()
	return true
}

// Cordon says whether the scheduler may bind pods to a node. It returns false if that changes nothing.
func (u *User) Cordon(name string, cordoned bool) bool {
	n := u.w.cluster.node(name)
	if n == nil || n.gone || n.cordoned == cordoned {
		return false
	}
	n.cordoned = cordoned
	if cordoned {
		u.w.noteNode(n, timeline.ReasonCordoned, n.name+" is cordoned: the scheduler binds no pod to it")
		return true
	}
	u.w.noteNode(n, timeline.ReasonUncordoned, n.name+" is uncordoned: the scheduler binds pods to it again")
	u.w.reschedule()
	return true
}

// OutOfService puts the taint node.kubernetes.io/out-of-service:NoExecute on a node, or takes it off. Its pods are
// deleted at once, and the pod garbage collector does not wait for a kubelet that is down. It returns false if that
// changes nothing.
func (u *User) OutOfService(name string, out bool) bool {
	w := u.w
	n := w.cluster.node(name)
	if n == nil || n.gone || n.outOfService == out {
		return false
	}
	n.outOfService = out
	if !out {
		w.noteNode(n, timeline.ReasonInService, n.name+" is in service again: the taint out-of-service is taken off")
		w.reschedule()
		return true
	}
	w.noteNode(n, timeline.ReasonOutOfService, n.name+" gets the taint node.kubernetes.io/out-of-service:NoExecute")
	u.as(timeline.APIServer, func() {
		w.reason = timeline.ReasonTaintEviction
		for _, l := range w.livesOn(n) {
			w.store.DeletePod(l.key, l.uid, false)
		}
		w.reason = ""
	})
	w.wantSweep()
	w.settleVolumes()
	return true
}

// DeleteNode deletes the object of a node. The pod garbage collector finds its pods orphaned and, after a quarantine,
// deletes them by force. It returns false if there is no such node.
func (u *User) DeleteNode(name string) bool {
	w := u.w
	n := w.cluster.node(name)
	if n == nil || n.gone {
		return false
	}
	w.untaint(n)
	w.queue.Cancel(n.monitor)
	n.gone = true
	w.noteNode(n, timeline.ReasonNodeDeleted, n.name+" is deleted")
	w.at(w.nextSweep().Add(quarantine), false, func() {
		w.sweepNode(n, func(*life) bool { return true })
	})
	w.balance()
	return true
}

// Hang lets the kubelet forget a pod: none of its changes come true any more, nor its end.
func (u *User) Hang(key model.Key) bool {
	pod := u.w.store.Pod(key)
	if pod == nil {
		return false
	}
	l := u.w.pods.byUID[pod.UID]
	if l.hung {
		return false
	}
	l.hung = true
	u.w.freeze(l)
	u.w.record(timeline.Event{
		Kind: timeline.KindK8sEvent, Actor: timeline.Kubelet, Set: l.set, Pod: l.key.Name, UID: l.uid, Warning: true,
		Reason: timeline.ReasonHung, Message: fmt.Sprintf("the kubelet has forgotten %s", key.Name),
	})
	return true
}
