package store

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Key returns the key of the object that has changed. It is the same before and after the change.
func (c *Change) Key() model.Key {
	switch {
	case c.Set != nil:
		return c.Set.Key()
	case c.OldSet != nil:
		return c.OldSet.Key()
	case c.Pod != nil:
		return c.Pod.Key()
	case c.OldPod != nil:
		return c.OldPod.Key()
	case c.Claim != nil:
		return c.Claim.Key()
	case c.OldClaim != nil:
		return c.OldClaim.Key()
	case c.Revision != nil:
		return c.Revision.Key()
	}
	return c.OldRevision.Key()
}

// Merge combines the changes of one kind into one change per object: what an observer sees who looks only before
// and after. An object that was created and deleted is not seen at all, and an object that was replaced by a
// namesake appears to have changed, with another uid. The result is ordered by the first changes. It is for a watch
// that lists after a break.
func Merge(changes []Change) []Change {
	at := map[model.Key]int{}
	var merged []Change
	for i := range changes {
		key := changes[i].Key()
		first, seen := at[key]
		if !seen {
			at[key] = len(merged)
			merged = append(merged, changes[i])
			continue
		}
		merged[first] = merged[first].then(&changes[i])
	}
	var list []Change
	for i := range merged {
		c := &merged[i]
		switch isNew, isGone := c.isNew(), c.isGone(); {
		case isNew && isGone:
		case isNew:
			c.Type = model.Added
			list = append(list, *c)
		case isGone:
			c.Type = model.Deleted
			list = append(list, *c)
		default:
			c.Type = model.Modified
			list = append(list, *c)
		}
	}
	return list
}

// then returns a change and a later one of the same object as one: the old object of the first, the new one of the
// later. The Type is not adapted; Merge does that.
func (c Change) then(later *Change) Change {
	c.Set, c.Pod, c.Claim, c.Revision = later.Set, later.Pod, later.Claim, later.Revision
	return c
}

// isNew reports whether there was no object before, and isGone whether there is none after; for a merged change,
// whose Type is not adapted yet, only the objects show this. Both are true for an object that was created and
// deleted.
func (c *Change) isNew() bool {
	return c.OldSet == nil && c.OldPod == nil && c.OldClaim == nil && c.OldRevision == nil
}

// isGone reports whether the change has no new object, so that its object was removed.
func (c *Change) isGone() bool {
	return c.Set == nil && c.Pod == nil && c.Claim == nil && c.Revision == nil
}

// List returns all objects as if they had just been added: revisions, claims and pods before the sets that own them,
// each kind in the order of keys. No change has a By.
func (s *Store) List() []Change {
	list := slices.Grow([]Change(nil), s.revisions.Len()+s.claims.Len()+s.pods.Len()+s.sets.Len())
	for _, kind := range []model.Kind{model.KindRevision, model.KindClaim, model.KindPod, model.KindStatefulSet} {
		list = s.listOf(list, kind)
	}
	return list
}

// listOf adds the objects of a kind to a list.
func (s *Store) listOf(list []Change, kind model.Kind) []Change {
	switch kind {
	case model.KindRevision:
		for _, revision := range s.Revisions() {
			list = append(list, Change{Kind: kind, Type: model.Added, Revision: revision})
		}
	case model.KindClaim:
		for _, claim := range s.claims.Values() {
			list = append(list, Change{Kind: kind, Type: model.Added, Claim: claim})
		}
	case model.KindPod:
		for _, pod := range s.Pods() {
			list = append(list, Change{Kind: kind, Type: model.Added, Pod: pod})
		}
	case model.KindStatefulSet:
		for _, set := range s.Sets() {
			list = append(list, Change{Kind: kind, Type: model.Added, Set: set})
		}
	}
	return list
}

// ListBefore returns what List would have returned before the last changes, which are given with the oldest first and
// must be complete: all that were made since that moment, of all kinds. It costs O(objects).
func (s *Store) ListBefore(changes []Change) []Change {
	if len(changes) == 0 {
		return s.List()
	}
	type object struct {
		kind model.Kind
		key  model.Key
	}
	changed := map[object]bool{}
	var list []Change
	for i := range changes {
		c := &changes[i]
		o := object{c.Kind, c.Key()}
		if !changed[o] && !c.isNew() {
			list = append(list, Change{
				Kind: c.Kind, Type: model.Added, Set: c.OldSet, Pod: c.OldPod, Claim: c.OldClaim, Revision: c.OldRevision,
			})
		}
		changed[o] = true
	}
	for _, c := range s.List() {
		if !changed[object{c.Kind, c.Key()}] {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Or(cmp.Compare(listed[a.Kind], listed[b.Kind]), a.Key().Compare(b.Key()))
	})
	return list
}

// listed is the order in which List returns the kinds. A controller that fills an empty cache in this order never
// sees a set before its pods.
var listed = [...]int{model.KindRevision: 0, model.KindClaim: 1, model.KindPod: 2, model.KindStatefulSet: 3}
