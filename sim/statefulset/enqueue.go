package statefulset

import (
	"maps"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Enqueue says which sets a change puts into the work queue. Any change of a set does, the controller's own status
// writes included; a change of a pod does for the set that owns it, and an orphan for each set that might adopt it.
// Changes of claims and of revisions put nothing there.
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
		c.podUpdated(change, sets, add)
	case change.Type == model.Deleted:
		podDeleted(change.OldPod, sets, add)
	}
}

func podAdded(pod *model.Pod, sets model.Sets, add func(model.Key, time.Duration)) {
	if owner := pod.Controller(); owner != nil {
		enqueueOwner(pod, owner, sets, add)
		return
	}
	enqueueSelecting(pod, sets, add)
}

// podDeleted enqueues the owner. Nobody cares for an orphan that is gone.
func podDeleted(pod *model.Pod, sets model.Sets, add func(model.Key, time.Duration)) {
	if owner := pod.Controller(); owner != nil {
		enqueueOwner(pod, owner, sets, add)
	}
}

func (c *controller) podUpdated(change model.Change, sets model.Sets, add func(model.Key, time.Duration)) {
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

// enqueueAvailability enqueues a set for the moment when a pod that has just become Ready is available. One second was
// added to it until PR 135428, against clocks that differ.
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
// name with another uid is another set.
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

// enqueueSelecting enqueues every set that selects an orphan. A pod without labels is nobody's, and a selector that is
// empty selects nothing here.
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

func sameOwner(a, b *model.Owner) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || *a == *b
}
