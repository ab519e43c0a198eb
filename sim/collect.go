package sim

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// object names an object by what tells it from all others.
type object struct {
	kind model.Kind
	key  model.Key
	uid  model.UID
}

// collector is what the garbage collector has in hand.
type collector struct {
	// owners are the sets that it will look at in this instant, since one of their dependents is gone.
	owners map[model.UID]bool
}

// meta returns an object's metadata, or nil if it is gone; another object of its name is not it.
func (w *World) meta(o object) *model.Meta {
	var meta *model.Meta
	switch o.kind {
	case model.KindStatefulSet:
		if set := w.store.Set(o.key); set != nil {
			meta = &set.Meta
		}
	case model.KindPod:
		if pod := w.store.Pod(o.key); pod != nil {
			meta = &pod.Meta
		}
	case model.KindClaim:
		if claim := w.store.Claim(o.key); claim != nil {
			meta = &claim.Meta
		}
	case model.KindRevision:
		if revision := w.store.Revision(o.key); revision != nil {
			meta = &revision.Meta
		}
	}
	if meta == nil || meta.UID != o.uid {
		return nil
	}
	return meta
}

// dependents lists what a set owns, in the order in which the dull collector takes it: the revisions, the pods by their
// ordinals, the claims.
func (w *World) dependents(uid model.UID) []object {
	var list []object
	for _, revision := range w.store.Revisions() {
		if owns(uid, &revision.Meta) {
			list = append(list, object{model.KindRevision, revision.Key(), revision.UID})
		}
	}
	first := len(list)
	for _, pod := range w.store.Pods() {
		if owns(uid, &pod.Meta) {
			list = append(list, object{model.KindPod, pod.Key(), pod.UID})
		}
	}
	slices.SortStableFunc(list[first:], func(a, b object) int {
		_, i := model.SplitPodName(a.key.Name)
		_, j := model.SplitPodName(b.key.Name)
		return cmp.Compare(i, j)
	})
	return append(list, w.ownedClaims(uid)...)
}

func (w *World) ownedClaims(uid model.UID) []object {
	var list []object
	for _, key := range w.claims.owned[uid] {
		list = append(list, object{model.KindClaim, key, w.store.Claim(key).UID})
	}
	return list
}

func owns(uid model.UID, meta *model.Meta) bool {
	return slices.ContainsFunc(meta.Owners, func(o model.Owner) bool { return o.UID == uid })
}

// shuffle puts objects in the order in which the collector takes them, which the real one leaves to its workers.
func (w *World) shuffle(list []object) []object {
	for i := range list[:max(0, len(list)-1)] {
		at := i + w.chooser.Choose(choose.Branch, len(list)-i)
		taken := list[at]
		copy(list[i+1:at+1], list[i:at])
		list[i] = taken
	}
	return list
}

// collectAll lets the collector look at objects whose owner is gone or is going.
func (w *World) collectAll(list []object) {
	for _, o := range w.shuffle(list) {
		w.collectLater(o)
	}
}

func (w *World) collectLater(o object) {
	if wait, never := w.draw(w.config.Collector.Delay); !never {
		w.later(byCollector, wait, func() { w.collect(o) })
	}
}

// collect deletes an object if none of its owners is there to stay. While one is, the references to the others are
// dropped, so that these need not wait for it.
func (w *World) collect(o object) {
	meta := w.meta(o)
	if meta == nil || meta.Terminating() || len(meta.Owners) == 0 {
		return
	}
	goes := func(owner model.Owner) bool { return !w.stays(meta.Namespace, owner) }
	stay := slices.DeleteFunc(slices.Clone(meta.Owners), goes)
	switch {
	case len(stay) == len(meta.Owners):
	case len(stay) > 0:
		w.setOwners(o, stay)
	case o.kind == model.KindPod && w.awaited(meta) && w.holdsClaims(o.uid):
		w.store.HoldPod(o.key)
		w.deleteObject(o)
		w.collectAll(w.ownedClaims(o.uid))
	default:
		w.deleteObject(o)
	}
}

// awaited says whether an owner of an object is being deleted in the foreground.
func (w *World) awaited(meta *model.Meta) bool {
	return slices.ContainsFunc(meta.Owners, func(owner model.Owner) bool {
		return w.meta(ownerObject(meta.Namespace, owner)) != nil && !w.stays(meta.Namespace, owner)
	})
}

// holdsClaims says whether there are claims that keep a pod from going where it is deleted in the foreground: those
// that a scale-down with whenScaled: Delete has given to it. Up to 1.30 these references block nothing.
func (w *World) holdsClaims(pod model.UID) bool {
	return slices.ContainsFunc(w.ownedClaims(pod), func(claim object) bool { return blocks(pod, w.meta(claim)) })
}

// letGo looks, in this instant, whether a pod that waits for its claims may go.
func (w *World) letGo(o object) {
	held := func() bool { meta := w.meta(o); return meta != nil && store.InForeground(meta) }
	if o.kind != model.KindPod || !held() {
		return
	}
	w.later(byCollector, 0, func() {
		if held() && !w.holdsClaims(o.uid) {
			w.store.LetPodGo(o.key)
		}
	})
}

func ownerObject(namespace string, owner model.Owner) object {
	return object{owner.Kind, model.Key{Namespace: namespace, Name: owner.Name}, owner.UID}
}

// stays says whether an owner is there, and does not wait for its dependents to go.
func (w *World) stays(namespace string, owner model.Owner) bool {
	meta := w.meta(ownerObject(namespace, owner))
	return meta != nil && !(meta.Terminating() && store.InForeground(meta))
}

func (w *World) deleteObject(o object) {
	switch o.kind {
	case model.KindPod:
		w.store.DeletePod(o.key, o.uid, false)
	case model.KindClaim:
		w.store.DeleteClaim(o.key, o.uid)
	case model.KindRevision:
		w.store.DeleteRevision(o.key)
	}
}

func (w *World) setOwners(o object, owners []model.Owner) {
	switch o.kind {
	case model.KindPod:
		pod := *w.store.Pod(o.key)
		pod.Owners = owners
		w.store.UpdatePod(&pod)
	case model.KindClaim:
		claim := *w.store.Claim(o.key)
		claim.Owners = owners
		w.store.UpdateClaim(&claim)
	case model.KindRevision:
		revision := *w.store.Revision(o.key)
		revision.Owners = owners
		w.store.UpdateRevision(&revision)
	}
}

// dangle lets the collector look at an object that has got owners of which one is not there. That an owner waits for
// its dependents to go makes no difference here: it looks for those itself when one of them has gone.
func (w *World) dangle(o object, owners []model.Owner) {
	for _, owner := range owners {
		if w.meta(ownerObject(o.key.Namespace, owner)) == nil {
			w.collectLater(o)
			return
		}
	}
}

// lost is told that an object is gone: what it owned goes too, and an owner that waits for it may go.
func (w *World) lost(kind model.Kind, meta *model.Meta) {
	switch kind {
	case model.KindStatefulSet:
		w.collectAll(w.dependents(meta.UID))
	case model.KindPod:
		w.collectAll(w.ownedClaims(meta.UID))
	}
	for _, owner := range meta.Owners {
		w.ownerLater(ownerObject(meta.Namespace, owner))
	}
}

// ownerLater lets the collector look, in this instant, at a set that is being deleted in the foreground.
func (w *World) ownerLater(o object) {
	set := w.store.Set(o.key)
	waits := o.kind == model.KindStatefulSet && set != nil && set.UID == o.uid && store.InForeground(&set.Meta)
	if !waits || w.collector.owners[o.uid] {
		return
	}
	w.collector.owners[o.uid] = true
	w.later(byCollector, 0, func() {
		delete(w.collector.owners, o.uid)
		w.collectOwner(o)
	})
}

// collectOwner removes a set that is being deleted in the foreground when nothing is left that blocks it. What has come
// since its deletion began, a revision that the controller has made again, say, is to be deleted first.
func (w *World) collectOwner(o object) {
	if w.meta(o) == nil {
		return
	}
	blocked := false
	for _, dependent := range w.dependents(o.uid) {
		meta := w.meta(dependent)
		if !blocks(o.uid, meta) {
			continue
		}
		blocked = true
		if !meta.Terminating() {
			w.collectLater(dependent)
		}
	}
	if !blocked {
		w.store.RemoveSet(o.key)
	}
}

// blocks says whether a dependent keeps its owner from going (blockOwnerDeletion). All references that the controller
// writes as a controller's do, and no others.
func blocks(uid model.UID, meta *model.Meta) bool {
	return slices.ContainsFunc(meta.Owners, func(o model.Owner) bool { return o.UID == uid && o.Controller })
}

// deleteForeground lets the collector follow a set that waits for its dependents to go.
func (w *World) deleteForeground(set *model.StatefulSet) {
	dependents := w.dependents(set.UID)
	w.collectAll(dependents)
	if slices.ContainsFunc(dependents, func(d object) bool { return blocks(set.UID, w.meta(d)) }) {
		return
	}
	if wait, never := w.draw(w.config.Collector.Delay); !never {
		w.later(byCollector, wait, func() { w.collectOwner(object{model.KindStatefulSet, set.Key(), set.UID}) })
	}
}

// orphan takes the owner from all that a set owns, and then removes the set.
func (w *World) orphan(o object) {
	meta := w.meta(o)
	if meta == nil || !slices.Contains(meta.Finalizers, store.FinalizerOrphan) {
		return
	}
	w.orphanAll(o)
	w.store.RemoveSet(o.key)
}

func (w *World) orphanAll(o object) {
	for _, dependent := range w.shuffle(w.dependents(o.uid)) {
		rest := func(owner model.Owner) bool { return owner.UID == o.uid }
		w.setOwners(dependent, slices.DeleteFunc(slices.Clone(w.meta(dependent).Owners), rest))
	}
}

// whyGone says why a set is gone that no step has removed.
func whyGone(set *model.StatefulSet) string {
	if slices.Contains(set.Finalizers, store.FinalizerOrphan) {
		return "what it owned belongs to nobody"
	}
	return "the last of its pods is gone"
}

// DeletionPolicy says what becomes of a set's pods when the set is deleted.
type DeletionPolicy uint8

// The policies.
const (
	// Background removes the set at once; what it owns is deleted after it.
	Background DeletionPolicy = iota
	// Foreground deletes what it owns first; the set goes with the last of that.
	Foreground
	// Orphan removes the set and leaves its pods, its revisions and its claims without an owner.
	Orphan
)

// DeleteSet deletes a set. What becomes of what it owns is the garbage collector's work; a set that is being deleted
// does nothing for its pods itself.
func (u *User) DeleteSet(key model.Key, policy DeletionPolicy) *model.APIError {
	w := u.w
	set := w.store.Set(key)
	switch {
	case set == nil || policy == Background:
		return w.store.RemoveSet(key)
	case policy == Foreground:
		w.store.MarkSetDeleted(key, store.FinalizerForeground)
	default:
		return u.orphanSet(object{model.KindStatefulSet, key, set.UID})
	}
	return nil
}

// orphanSet lets a set go without what it owns. Where the collector takes no time the set is gone before anybody could
// have seen its finalizer.
func (u *User) orphanSet(o object) *model.APIError {
	w := u.w
	wait, never := w.draw(w.config.Collector.Delay)
	if wait == 0 && !never {
		u.as(timeline.APIServer, func() { w.orphanAll(o) })
		return w.store.RemoveSet(o.key)
	}
	w.store.MarkSetDeleted(o.key, store.FinalizerOrphan)
	if !never {
		w.later(byCollector, wait, func() { w.orphan(o) })
	}
	return nil
}
