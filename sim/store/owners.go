package store

import (
	"fmt"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// An owner is added to an object or taken from it by a patch that holds the owner and the object's uid, and no version:
// it wins over every other write. A wrong uid and a second controller are refused as invalid, not as conflicts.

// AdoptPod adds an owner to a pod, as its controller. A pod that it owns already is not written again.
func (w Writer) AdoptPod(key model.Key, uid model.UID, owner model.Owner) (*model.Pod, *model.APIError) {
	return w.patchPod(key, uid, adopting(model.KindPod, owner))
}

// ReleasePod removes an owner from a pod. A pod without that owner is not written.
func (w Writer) ReleasePod(key model.Key, uid, owner model.UID) (*model.Pod, *model.APIError) {
	return w.patchPod(key, uid, releasing(owner))
}

// AdoptRevision adds an owner to a revision, as its controller.
func (w Writer) AdoptRevision(key model.Key, uid model.UID, owner model.Owner) (*model.Revision, *model.APIError) {
	return w.patchRevision(key, uid, adopting(model.KindRevision, owner))
}

// patch returns the owners that an object should have, as a new slice, or the refusal.
type patch func(*model.Meta) ([]model.Owner, *model.APIError)

// patchPod applies a patch of owners to a pod. The uid is the only precondition; 0 means none.
func (w Writer) patchPod(key model.Key, uid model.UID, patched patch) (*model.Pod, *model.APIError) {
	old := w.pods.Get(key)
	if old == nil {
		return nil, notFound(model.KindPod, key.Name)
	}
	if uid != 0 && uid != old.UID {
		return nil, otherUID(model.KindPod, key.Name, uid)
	}
	owners, err := patched(&old.Meta)
	if err != nil || slices.Equal(owners, old.Owners) {
		return old, err
	}
	pod := *old
	pod.Owners = owners
	return w.replacePod(old, &pod), nil
}

// patchRevision is patchPod for a revision. A patch that changes no owner makes no version, and returns the stored one.
func (w Writer) patchRevision(key model.Key, uid model.UID, patched patch) (*model.Revision, *model.APIError) {
	old := w.revisions.Get(key)
	if old == nil {
		return nil, notFound(model.KindRevision, key.Name)
	}
	if uid != 0 && uid != old.UID {
		return nil, otherUID(model.KindRevision, key.Name, uid)
	}
	owners, err := patched(&old.Meta)
	if err != nil || slices.Equal(owners, old.Owners) {
		return old, err
	}
	revision := *old
	revision.Owners = owners
	w.touch(&revision.Meta)
	w.putRevision(old, &revision)
	return &revision, nil
}

// otherUID words the refusal of a patch that names another uid than the object has: Invalid, because such a patch would
// change the uid, and not Conflict.
func otherUID(kind model.Kind, name string, uid model.UID) *model.APIError {
	return &model.APIError{Reason: model.Invalid, Message: fmt.Sprintf(
		"%s %q is invalid: metadata.uid: Invalid value: %q: field is immutable", qualified[kind], name, uid)}
}

// adopting returns the patch that makes an owner the controller, after the other owners. It refuses an object that has
// another controller. A reference with the owner's uid that is there already is replaced.
func adopting(kind model.Kind, owner model.Owner) patch {
	return func(m *model.Meta) ([]model.Owner, *model.APIError) {
		if holder := m.Controller(); holder != nil && holder.UID != owner.UID {
			return nil, &model.APIError{Reason: model.Invalid, Message: fmt.Sprintf(
				"%s %q is invalid: metadata.ownerReferences: Invalid value: Only one reference can have Controller set to "+
					"true. Found \"true\" in references for %s/%s and %s/%s",
				qualified[kind], m.Name, holder.Kind, holder.Name, owner.Kind, owner.Name)}
		}
		return append(without(m.Owners, owner.UID), owner), nil
	}
}

// releasing returns the patch that removes every reference with that uid. It is never refused.
func releasing(owner model.UID) patch {
	return func(m *model.Meta) ([]model.Owner, *model.APIError) { return without(m.Owners, owner), nil }
}

// without returns the owners that have another uid, in their order, as a new slice.
func without(owners []model.Owner, owner model.UID) []model.Owner {
	return slices.DeleteFunc(slices.Clone(owners), func(o model.Owner) bool { return o.UID == owner })
}

// sameWrite reports whether an update of a pod changes nothing: then it does not make a new version, and no watch
// sees it.
func sameWrite(a, b *model.Pod) bool {
	return maps.Equal(a.Labels, b.Labels) && maps.Equal(a.Annotations, b.Annotations) && slices.Equal(a.Owners, b.Owners)
}

// GetSet returns a set, or the API server's NotFound. It is for a caller that is a client of the API; rooms use Set.
func (s *Store) GetSet(key model.Key) (*model.StatefulSet, *model.APIError) {
	if set := s.sets.Get(key); set != nil {
		return set, nil
	}
	return nil, notFound(model.KindStatefulSet, key.Name)
}

// GetRevision returns a revision, or the API server's NotFound.
func (s *Store) GetRevision(key model.Key) (*model.Revision, *model.APIError) {
	if revision := s.revisions.Get(key); revision != nil {
		return revision, nil
	}
	return nil, notFound(model.KindRevision, key.Name)
}
