package statefulset

import (
	"maps"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Enqueue puts the sets that a change affects into the work queue, each with its delay. It implements
// model.Controller with the rules of upstream's event handlers. Any change of a set enqueues it, the controller's
// own status writes included; a change of a pod enqueues the set that owns it, and an orphan each set that might
// adopt it. Changes of claims and of revisions enqueue nothing: so a set may wait forever for a deleted claim.
func (c *controller) Enqueue(change model.Change, sets model.Sets, add func(model.Key, time.Duration)) {
	switch {
	case change.Set != nil:
		add(change.Set.Key(), 0)
	case change.OldSet != nil:
		add(change.OldSet.Key(), 0)
	case change.Type == model.Added && !change.Pod.Terminating():
		podAdded(change.Pod, sets, add)
	case change.Type == model.Added:
		podDeleted(change.Pod, sets, add)
	case change.Type == model.Modified:
		c.podUpdated(&change, sets, add)
	case change.Type == model.Deleted:
		podDeleted(change.OldPod, sets, add)
	}
}

// podAdded handles a pod that is new to the cache. One that is already terminating is handled as a deletion
// (Enqueue): that happens after a controller's restart.
func podAdded(pod *model.Pod, sets model.Sets, add func(model.Key, time.Duration)) {
	if owner := pod.Controller(); owner != nil {
		enqueueOwner(pod, owner, sets, add)
		return
	}
	enqueueSelecting(pod, sets, add)
}

// podDeleted enqueues the owner. The deletion of an orphan affects no set.
func podDeleted(pod *model.Pod, sets model.Sets, add func(model.Key, time.Duration)) {
	if owner := pod.Controller(); owner != nil {
		enqueueOwner(pod, owner, sets, add)
	}
}

// podUpdated handles a change of a pod. A resync delivers a pod with an unchanged version, and enqueues nothing. A
// change of the owner enqueues the old owner as well. An orphan matters only if its labels or its owner have
// changed: nothing else makes a set adopt it.
func (c *controller) podUpdated(change *model.Change, sets model.Sets, add func(model.Key, time.Duration)) {
	old, pod := change.OldPod, change.Pod
	if old.ResourceVersion == pod.ResourceVersion {
		return
	}
	oldOwner, owner := old.Controller(), pod.Controller()
	ownerChanged := !sameOwner(oldOwner, owner)
	if ownerChanged && oldOwner != nil {
		enqueueOwner(old, oldOwner, sets, add)
	}
	if owner != nil {
		if set := enqueueOwner(pod, owner, sets, add); set != nil && !old.Ready && pod.Ready {
			c.enqueueAvailability(set, add)
		}
		return
	}
	if ownerChanged || !maps.Equal(old.Labels, pod.Labels) {
		enqueueSelecting(pod, sets, add)
	}
}

// enqueueAvailability enqueues a set for the moment when a pod that has just become Ready is available. Before PR
// 135428 one second was added to it, against clocks that differ. The delay counts from the delivery to the cache, so
// it is late by the delay of the watch.
func (c *controller) enqueueAvailability(set *model.StatefulSet, add func(model.Key, time.Duration)) {
	if !c.profile.MinReadySeconds || set.Spec.MinReadySeconds <= 0 {
		return
	}
	after := time.Duration(set.Spec.MinReadySeconds) * time.Second
	if !c.profile.ExactRequeue {
		after += time.Second
	}
	add(set.Key(), after)
}

// enqueueOwner enqueues the set that an owner reference means, if the cache has it, and returns it. A set of the same
// name with another uid is another set. An owner of another kind is not the controller's business, even if it has the
// name of a set.
func enqueueOwner(
	pod *model.Pod, owner *model.Owner, sets model.Sets, add func(model.Key, time.Duration),
) *model.StatefulSet {
	if owner.Kind != model.KindStatefulSet {
		return nil
	}
	set := sets.Set(model.Key{Namespace: pod.Namespace, Name: owner.Name})
	if set == nil || set.UID != owner.UID {
		return nil
	}
	add(set.Key(), 0)
	return set
}

// enqueueSelecting enqueues every set that selects an orphan, whether the pod's name fits or not, which the sync
// checks. A pod without labels belongs to no set, and an empty selector selects nothing here (upstream:
// getStatefulSetsForPod).
func enqueueSelecting(pod *model.Pod, sets model.Sets, add func(model.Key, time.Duration)) {
	if len(pod.Labels) == 0 {
		return
	}
	sets.Selecting(pod.Namespace, pod.Labels, func(set *model.StatefulSet) {
		if len(set.Spec.Selector.Needs) > 0 {
			add(set.Key(), 0)
		}
	})
}

// sameOwner reports whether two owner references are equal; nil means that there is none.
func sameOwner(a, b *model.Owner) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || *a == *b
}
