package storage

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// forceDetach is the time that the attach-detach controller waits for a node that is not ready to unmount a volume,
// before it detaches the volume by force (maxWaitForUnmountDuration, kubernetes/kubernetes#129805). It counts from the
// moment when no pod on the node needs the volume.
const forceDetach = 6 * time.Minute

// attachment is the volume of a claim that is still attached to a node whose pods do not need it any more, because
// the pod that used it was removed without its kubelet. Only such volumes are remembered; a volume that a pod uses,
// or that its kubelet has unmounted, needs no entry.
type attachment struct {
	// node is never nil: a node is still known after its object is gone.
	node *nodes.Node
	// pod is the pod whose object was removed at since. runs is true while its process still runs and may use the volume.
	// It becomes false once (Ended), and never true again.
	pod   model.UID
	since model.Time
	runs  bool
	// blocked are the pods that wait for it, in the order of their arrival, each bound to another node than this one. A
	// pod that is gone meanwhile stays in the list and is skipped.
	blocked []blocked
	// timeout is the timer for the forced detach. It is set only when the first pod is blocked, so that a volume
	// that no pod wants does not keep a run open.
	timeout *kernel.Timer
}

// blocked is a pod that waits for a volume. The uid tells it from a later pod of the name.
type blocked struct {
	key model.Key
	uid model.UID
}

// Leave keeps the volumes of a pod attached to its node, because the pod's object was removed without its kubelet.
// runs is true if its process keeps running; the caller must then call Ended when it ends. A pod that has ended, or
// that was never bound, holds no volume.
func (c *Controller) Leave(pod *model.Pod, runs bool) {
	node := c.nodes.Node(pod.Node)
	if pod.Finished() || node == nil {
		return
	}
	for _, key := range c.exclusive(pod) {
		keyed.Put(&c.held, key, &attachment{node: node, pod: pod.UID, since: c.kernel.Now(), runs: runs})
	}
}

// Ended notes the end of the process of a pod whose object was already gone. It returns the pods that may start
// now, which the caller starts.
func (c *Controller) Ended(pod model.UID) []*model.Pod {
	for _, key := range c.heldKeys() {
		if a := c.held[key]; a.pod == pod {
			a.runs = false
		}
	}
	return c.Settle()
}

// heldKeys are the claims of the held volumes, sorted, because a map has no stable order.
func (c *Controller) heldKeys() []model.Key {
	return keyed.Sorted(c.held)
}

// exclusive returns the claims of a pod that only one node may use at a time, in the order of the pod's volumes.
func (c *Controller) exclusive(pod *model.Pod) []model.Key {
	var keys []model.Key
	for _, volume := range pod.Volumes {
		key := model.Key{Namespace: pod.Namespace, Name: volume.Claim}
		if volume.Claim != "" && !c.shared(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// shared reports whether a claim's volume may be used by several nodes at a time: the claim template of its set has
// the access mode ReadWriteMany or ReadOnlyMany. A claim without a set counts as exclusive.
func (c *Controller) shared(key model.Key) bool {
	set := c.store.Set(c.store.ClaimSet(key))
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

// Attach attaches the volumes of a pod that has just been bound to its node. It returns the pods that have waited and
// may start now, and whether this one may start after them. If not, one of its volumes is still attached elsewhere: a
// later call of Attach, Ended or Settle returns the pod when none is. A volume that is still attached to the pod's
// own node is simply used again.
func (c *Controller) Attach(pod *model.Pod) (others []*model.Pod, may bool) {
	if len(c.held) == 0 {
		return nil, true
	}
	may = true
	for _, key := range c.exclusive(pod) {
		a := c.held[key]
		switch {
		case a == nil:
		case a.node.Name == pod.Node:
			delete(c.held, key)
		default:
			may = false
			c.block(key, a, pod)
		}
	}
	return c.Settle(), may
}

// block makes a pod wait for a volume, and sets the timer of the forced detach for the first that waits.
func (c *Controller) block(key model.Key, a *attachment, pod *model.Pod) {
	a.blocked = append(a.blocked, blocked{pod.Key(), pod.UID})
	c.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: c.log.Pod(pod.Key()).Set, Pod: pod.Name, UID: pod.UID,
		Warning: true, Reason: timeline.ReasonFailedAttach,
		Message: fmt.Sprintf("Multi-Attach error for volume of the claim %s: "+
			"Volume is already exclusively attached to %s and can't be attached to another", key.Name, a.node.Name),
	})
	if !a.timeout.Pending() {
		e := kernel.Event{Room: kernel.Storage, Kind: detach, Key: key}
		a.timeout = c.kernel.At(max(c.kernel.Now(), a.since.Add(forceDetach)), kernel.ByCluster, e)
	}
}

// Due reports whether a forced detach has come due since the last call of Settle. The world asks after each event
// and then calls Settle, because starting pods is the kubelets' business.
func (c *Controller) Due() bool { return c.due }

// Settle detaches what can be detached, and returns the pods that waited for it and may start now: volume by volume
// in the order of the claims, and for one volume in the order of their arrival; a pod that waits for two volumes is
// returned once. Call it when a node has become not ready, is back, or is out of service, when the rules of the
// control plane have changed, and when Due says so. It costs O(volumes held).
func (c *Controller) Settle() (may []*model.Pod) {
	c.due = false
	for _, key := range c.heldKeys() {
		a := c.held[key]
		if !c.detaches(a) {
			continue
		}
		delete(c.held, key)
		c.kernel.Cancel(a.timeout)
		for _, b := range a.blocked {
			if pod := c.unblocked(b); pod != nil {
				may = append(may, pod)
			}
		}
	}
	return may
}

// detaches reports whether a volume may be detached at this moment: at once if the node is out of service, or if
// the process is gone and the kubelet can unmount it; by force after forceDetach if the node is not ready.
func (c *Controller) detaches(a *attachment) bool {
	n := a.node
	switch {
	case n.OutOfService && !c.nodes.Rules().IgnoresOutOfService:
		return true
	case n.Down || n.Gone:
		return (n.NotReady || n.Gone) && c.kernel.Now() >= a.since.Add(forceDetach)
	}
	return !a.runs
}

// unblocked returns a pod that has waited for a volume if it may start: it is still the same pod, Pending and not
// terminating, and none of its volumes is attached elsewhere. Otherwise it returns nil.
func (c *Controller) unblocked(b blocked) *model.Pod {
	pod := c.store.Pod(b.key)
	if pod == nil || pod.UID != b.uid || pod.Phase != model.Pending || pod.Terminating() {
		return nil
	}
	for _, key := range c.exclusive(pod) {
		if a := c.held[key]; a != nil && a.node.Name != pod.Node {
			return nil
		}
	}
	return pod
}
