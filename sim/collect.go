package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// DeletionPolicy says what becomes of a set's pods when the set is deleted.
type DeletionPolicy uint8

// The policies.
const (
	// Background removes the set at once; its pods are deleted after it.
	Background DeletionPolicy = iota
	// Foreground deletes the pods first; the set goes with the last of them.
	Foreground
	// Orphan removes the set and leaves its pods without an owner.
	Orphan
)

// DeleteSet deletes a set. The garbage collector acts in the same instant; a set that is being deleted does nothing for
// its pods itself.
func (u *User) DeleteSet(key model.Key, policy DeletionPolicy) *model.APIError {
	set := u.w.store.Set(key)
	if set == nil {
		return u.w.store.RemoveSet(key)
	}
	if policy == Foreground {
		u.w.store.MarkSetDeleted(key, store.FinalizerForeground)
		u.asCollector(func() { u.w.deleteOwned(set) })
		u.w.collectSet(key)
		return nil
	}
	err := u.w.store.RemoveSet(key)
	u.asCollector(func() {
		if policy == Orphan {
			u.w.orphanOwned(set)
			return
		}
		u.w.deleteOwned(set)
	})
	return err
}

func (w *World) deleteOwned(set *model.StatefulSet) {
	for _, revision := range w.store.Revisions() {
		if owns(set, &revision.Meta) {
			w.store.DeleteRevision(revision.Key())
		}
	}
	for _, pod := range w.store.Pods() {
		if owns(set, &pod.Meta) {
			w.store.DeletePod(pod.Key(), pod.UID, false)
		}
	}
}

func (w *World) orphanOwned(set *model.StatefulSet) {
	for _, revision := range w.store.Revisions() {
		if owns(set, &revision.Meta) {
			orphan := *revision
			orphan.Owners = without(revision.Owners, set.UID)
			w.store.UpdateRevision(&orphan)
		}
	}
	for _, pod := range w.store.Pods() {
		if owns(set, &pod.Meta) {
			orphan := *pod
			orphan.Owners = without(pod.Owners, set.UID)
			w.store.UpdatePod(&orphan)
		}
	}
}

func owns(set *model.StatefulSet, meta *model.Meta) bool {
	return slices.ContainsFunc(meta.Owners, func(o model.Owner) bool { return o.UID == set.UID })
}

func without(owners []model.Owner, uid model.UID) []model.Owner {
	return slices.DeleteFunc(slices.Clone(owners), func(o model.Owner) bool { return o.UID == uid })
}

// collect removes the set that is being deleted in the foreground when the last of what it owned is gone.
func (w *World) collect(meta *model.Meta) {
	if owner := meta.Controller(); owner != nil {
		w.collectSet(model.Key{Namespace: meta.Namespace, Name: owner.Name})
	}
}

func (w *World) collectSet(key model.Key) {
	set := w.store.Set(key)
	if set == nil || !slices.Contains(set.Finalizers, store.FinalizerForeground) {
		return
	}
	for _, pod := range w.store.Pods() {
		if owns(set, &pod.Meta) {
			return
		}
	}
	saved := w.actor
	w.actor = timeline.APIServer
	w.store.RemoveSet(key)
	w.deleteOwned(set)
	w.actor = saved
}
