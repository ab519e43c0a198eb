package disruption

import (
	"fmt"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// lostPods are the pods of a budget whose sets are gone. The pods of such a set can only become fewer, so all pods
// of the store are searched once for it, not each time the disruption controller wakes.
type lostPods struct {
	// sets are the sets that were gone when the pods were listed; it is set together with the pods.
	sets []model.UID
	// pods are the names of the pods, in order. Deleted ones are cut off only at the start of the list.
	pods []model.Key
}

// see forgets the list if a pod comes to a set that is gone. A pod that only changes is in the list already.
func (l *lostPods) see(pod *model.Pod, set model.UID) {
	if len(l.sets) == 0 || !slices.Contains(l.sets, set) {
		return
	}
	if _, known := slices.BinarySearchFunc(l.pods, pod.Key(), model.Key.Compare); !known {
		*l = lostPods{}
	}
}

// copied returns a list that another world may cut.
func (l *lostPods) copied() lostPods { return lostPods{slices.Clone(l.sets), l.pods} }

// firstLost returns the first pod of a budget whose set is gone, or nil.
func (c *Controller) firstLost(b *budget) *model.Pod {
	var gone []model.UID
	for _, uid := range slices.Sorted(maps.Keys(b.owners)) {
		if c.setOf(b.owners[uid].key, uid) == nil {
			gone = append(gone, uid)
		}
	}
	if len(gone) == 0 {
		b.without = lostPods{}
		return nil
	}
	if !slices.Equal(gone, b.without.sets) {
		b.without = lostPods{sets: gone}
		for _, pod := range c.store.Pods() {
			if c.isLost(b, pod) {
				b.without.pods = append(b.without.pods, pod.Key())
			}
		}
	}
	for ; len(b.without.pods) > 0; b.without.pods = b.without.pods[1:] {
		if pod := c.store.Pod(b.without.pods[0]); pod != nil && c.isLost(b, pod) {
			return pod
		}
	}
	return nil
}

// isLost reports whether a budget covers a pod whose set is gone.
func (c *Controller) isLost(b *budget, pod *model.Pod) bool {
	owner := pod.Controller()
	return owner != nil && b.spec.Covers(pod.Namespace, pod.Labels) &&
		c.setOf(model.Key{Namespace: pod.Namespace, Name: owner.Name}, owner.UID) == nil
}

// noteLost warns of a budget that the disruption controller cannot count, because the set of a pod is gone. The
// controller warns each time it looks; the timeline has one warning for each pod that is the first one.
func (c *Controller) noteLost(b *budget) {
	if !b.due || !b.spec.CountsScale() {
		return
	}
	pod := c.firstLost(b)
	if pod == nil || pod.UID == b.lost {
		return
	}
	b.lost = pod.UID
	c.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: c.log.Pod(pod.Key()).Set, Pod: pod.Name, UID: pod.UID,
		Warning: true, Reason: "CalculateExpectedPodCountFailed",
		Message: fmt.Sprintf("Failed to calculate the number of expected pods: found no controllers for pod %q", pod.Name),
	})
}
