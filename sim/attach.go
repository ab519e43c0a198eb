package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// forceDetach is how long the attach-detach controller waits for a node that is not ready to unmount a volume before it
// detaches it by force (maxWaitForUnmountDuration, kubernetes/kubernetes#129805). It is counted from when no pod on the
// node needs the volume any more.
const forceDetach = 6 * time.Minute

// attachment is a claim's volume that is still attached to a node on which no pod needs it any more: whoever used it
// has gone without its kubelet's word.
type attachment struct {
	node *node
	// pod is the pod whose process may still use it, since is when its object went.
	pod   model.UID
	since model.Time
	// blocked are the pods that wait for it, timeout the instant at which it is detached by force.
	blocked []*life
	timeout *queue.Entry[event]
}

// leaveVolumes keeps the volumes of a pod attached to its node whose object was removed without its kubelet's word.
func (w *World) leaveVolumes(l *life, pod *model.Pod) {
	if l.ended || pod.Finished() || l.node == nil {
		return
	}
	for _, key := range w.exclusiveClaims(pod) {
		w.cluster.held[key] = &attachment{node: l.node, pod: l.uid, since: w.Now()}
	}
}

// exclusiveClaims returns the claims of a pod that only one node may use at a time.
func (w *World) exclusiveClaims(pod *model.Pod) []model.Key {
	var keys []model.Key
	for _, volume := range pod.Volumes {
		key := model.Key{Namespace: pod.Namespace, Name: volume.Claim}
		if volume.Claim != "" && !w.shared(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// shared says whether a claim's volume may be used by several nodes at a time.
func (w *World) shared(key model.Key) bool {
	set := w.store.Set(w.claimSet(key))
	if set == nil {
		return false
	}
	for i := range set.Spec.ClaimTemplates {
		template := &set.Spec.ClaimTemplates[i]
		if strings.HasPrefix(key.Name, template.Name+"-"+set.Name+"-") {
			return strings.Contains(template.Data, `"ReadWriteMany"`) || strings.Contains(template.Data, `"ReadOnlyMany"`)
		}
	}
	return false
}

// attached says whether the volumes of a pod that has just been bound can be used on its node. A pod whose volume is
// still attached elsewhere starts when it is not any more.
func (w *World) attached(l *life, pod *model.Pod) bool {
	if len(w.cluster.held) == 0 {
		return true
	}
	free := true
	for _, key := range w.exclusiveClaims(pod) {
		a := w.cluster.held[key]
		switch {
		case a == nil:
		case a.node == l.node:
			delete(w.cluster.held, key)
		default:
			a.blocked = append(a.blocked, l)
			free = false
			w.record(timeline.Event{
				Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: l.set, Pod: l.key.Name, UID: l.uid, Warning: true,
				Reason: timeline.ReasonFailedAttach, Message: fmt.Sprintf("Multi-Attach error for volume of the claim %s: "+
					"Volume is already exclusively attached to %s and can't be attached to another", key.Name, a.node.name),
			})
			if !a.timeout.Pending() {
				a.timeout = w.at(max(w.Now(), a.since.Add(forceDetach)), false, w.settleVolumes)
			}
		}
	}
	w.settleVolumes()
	return free
}

// settleVolumes detaches what can be detached, and lets the pods start that have waited for it.
func (w *World) settleVolumes() {
	for _, key := range slices.SortedFunc(maps.Keys(w.cluster.held), model.Key.Compare) {
		a := w.cluster.held[key]
		if !w.detaches(a) {
			continue
		}
		delete(w.cluster.held, key)
		w.queue.Cancel(a.timeout)
		for _, l := range a.blocked {
			w.startUnblocked(l)
		}
	}
}

// detaches says whether a volume leaves its node now: at once where the node is out of service or its process is gone
// and the kubelet there to unmount it, by force after a while where the node is not ready.
func (w *World) detaches(a *attachment) bool {
	n := a.node
	switch {
	case n.outOfService && !w.config.Cluster.Rules.IgnoresOutOfService:
		return true
	case n.down || n.gone:
		return (n.notReady || n.gone) && w.Now() >= a.since.Add(forceDetach)
	}
	return !slices.ContainsFunc(w.cluster.strays, func(s *stray) bool { return s.uid == a.pod })
}

// startUnblocked starts a pod if none of its volumes is attached elsewhere any more.
func (w *World) startUnblocked(l *life) {
	if w.pods.byUID[l.uid] != l {
		return
	}
	pod := w.store.Pod(l.key)
	for _, key := range w.exclusiveClaims(pod) {
		if a := w.cluster.held[key]; a != nil && a.node != l.node {
			return
		}
	}
	if pod.Phase == model.Pending && !pod.Terminating() {
		w.bound(l, pod)
	}
}
