package store

import (
	"maps"
	"reflect"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// The finalizers of a deletion, which tell the garbage collector what to do with the dependents.
const (
	// FinalizerForeground keeps a set that is deleted in the foreground until the dependents that block it are
	// gone. It does the same for a pod that is deleted with such a set and owns claims.
	FinalizerForeground = "foregroundDeletion"
	// FinalizerOrphan keeps a set that leaves its dependents behind until they have no owner.
	FinalizerOrphan = "orphan"
)

// CreateSet defaults, validates and stores a new set. Its status is empty at first, whatever was sent. It fails
// with Invalid, or with AlreadyExists if the name is taken, even by a set that is being deleted. The caller keeps
// ownership of sent.
func (w Writer) CreateSet(sent *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	key := sent.Key()
	set := *sent
	set.Status = model.Status{}
	w.admit(&set, nil)
	if problems := validateCreate(&set, w.rules); len(problems) > 0 {
		return nil, invalid(model.KindStatefulSet, key.Name, problems)
	}
	if holder := w.sets.Get(key); holder != nil {
		return nil, alreadyExists(model.KindStatefulSet, key.Name, &holder.Meta)
	}
	set.Spec.Template = w.intern(key, set.Spec.Template)
	w.stamp(&set.Meta)
	w.putSet(nil, &set)
	return &set, nil
}

// UpdateSet defaults, validates and stores a user's change of a set: of its spec, labels and annotations. The status
// stays. A write that changes nothing makes no new version and returns the old one. A changed spec raises the
// generation; labels and annotations do not.
func (w Writer) UpdateSet(sent *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	key := sent.Key()
	old := w.sets.Get(key)
	if old == nil {
		return nil, notFound(model.KindStatefulSet, key.Name)
	}
	if err := check(model.KindStatefulSet, &sent.Meta, &old.Meta); err != nil {
		return nil, err
	}
	set := *old
	set.Spec, set.Labels, set.Annotations = sent.Spec, sent.Labels, sent.Annotations
	w.admit(&set, old)
	if problems := validateUpdate(&set, old, w.rules); len(problems) > 0 {
		return nil, invalid(model.KindStatefulSet, key.Name, problems)
	}
	set.Spec.Template = w.intern(key, set.Spec.Template)
	sameSpec := sameSpec(&set.Spec, &old.Spec)
	if sameSpec && maps.Equal(set.Labels, old.Labels) && maps.Equal(set.Annotations, old.Annotations) {
		return old, nil
	}
	if !sameSpec {
		set.Generation++
	}
	w.touch(&set.Meta)
	w.putSet(old, &set)
	return &set, nil
}

// sameSpec reports whether two specs are equal. It first compares what users change most, because DeepEqual is
// slow.
func sameSpec(a, b *model.Spec) bool {
	if a.Replicas != b.Replicas || a.Template != nil && b.Template != nil && a.Template.Data != b.Template.Data {
		return false
	}
	return reflect.DeepEqual(a, b)
}

// UpdateSetStatus stores what a controller reports. Nothing but the status changes, whatever else is sent. A status
// that the API server does not accept (validateStatus) is Invalid. The version and the uid of the write are
// preconditions.
func (w Writer) UpdateSetStatus(write *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	key := write.Key()
	old := w.sets.Get(key)
	if old == nil {
		return nil, notFound(model.KindStatefulSet, key.Name)
	}
	if err := check(model.KindStatefulSet, &write.Meta, &old.Meta); err != nil {
		return nil, err
	}
	if problems := validateStatus(&write.Status, &old.Status); len(problems) > 0 {
		return nil, invalid(model.KindStatefulSet, key.Name, problems)
	}
	set := w.versions.another(old)
	*set = *old
	set.Status = write.Status
	w.touch(&set.Meta)
	w.putSet(old, set)
	return set, nil
}

// MarkSetDeleted asks for a set's deletion and keeps it, with the finalizer, until RemoveSet. The set must exist.
// Another deletion of a set that is being deleted replaces the finalizer of the first, so the last kubectl decides.
func (w Writer) MarkSetDeleted(key model.Key, finalizer string) {
	old := w.sets.Get(key)
	if slices.Contains(old.Finalizers, finalizer) {
		return
	}
	set := *old
	if !old.Terminating() {
		set.Deletion = &model.Deletion{At: w.now()}
		set.Generation++
	}
	set.Finalizers = append(slices.DeleteFunc(slices.Clone(old.Finalizers), isCascade), finalizer)
	w.touch(&set.Meta)
	w.putSet(old, &set)
}

// isCascade reports whether a finalizer tells the garbage collector what to do with the dependents. An object has
// at most one such finalizer.
func isCascade(finalizer string) bool {
	return finalizer == FinalizerForeground || finalizer == FinalizerOrphan
}

// RemoveSet removes a set permanently, whether it has finalizers or not. Its dependents are left to the garbage
// collector.
func (w Writer) RemoveSet(key model.Key) *model.APIError {
	old := w.sets.Get(key)
	if old == nil {
		return notFound(model.KindStatefulSet, key.Name)
	}
	w.sets.Delete(key)
	w.version++
	change := w.write(model.KindStatefulSet, model.Deleted)
	change.OldSet = old
	w.tell(change)
	return nil
}

// putSet stores a version of a set and notifies the watches. old is the version before, nil for a new set.
func (w Writer) putSet(old, set *model.StatefulSet) {
	w.sets.Put(set.Key(), set)
	change := w.write(model.KindStatefulSet, changeType(old == nil))
	change.OldSet, change.Set = old, set
	w.tell(change)
}

// usualTemplates is the initial capacity for templates of a set.
const usualTemplates = 4

// intern returns the set's template with that Data, with its number, and keeps it if it is new. Within a run each
// Data of a set has one pointer, so templates may be compared by pointer. Numbers start at 1 and are never reused,
// even if a set with the same name is deleted and created again. It costs O(templates of the set).
func (s *Store) intern(key model.Key, template *model.Template) *model.Template {
	known := s.templates.Get(key)
	for _, t := range known {
		if t.Data == template.Data {
			return t
		}
	}
	t := *template
	t.ID = 1
	if known == nil {
		known = make([]*model.Template, 0, usualTemplates)
	} else {
		t.ID += known[len(known)-1].ID
	}
	s.templates.Put(key, append(s.remembered(known), &t))
	return &t
}

// mostTemplates is how many templates of a set are kept that nothing has any more.
const mostTemplates = 1000

// remembered returns the templates of a set without old ones that are no longer in use, once there are many: a
// session of sim serve may last for a million changes. A forgotten template that returns is a new one, as in a
// cluster whose revision is gone.
func (s *Store) remembered(known []*model.Template) []*model.Template {
	if len(known) < 2*mostTemplates {
		return known
	}
	used := map[*model.Template]bool{}
	for _, set := range s.sets.Values() {
		used[set.Spec.Template] = true
	}
	for _, revision := range s.revisions.Values() {
		used[revision.Template] = true
	}
	for _, pod := range s.pods.Values() {
		used[pod.Template] = true
	}
	newest := known[len(known)-mostTemplates].ID
	kept := make([]*model.Template, 0, 2*mostTemplates)
	for _, t := range known {
		if t.ID >= newest || used[t] {
			kept = append(kept, t)
		}
	}
	return kept
}

// admit fills in the defaults that depend on the version and drops the fields that the version does not serve, unless
// the old object has them already (dropStatefulSetDisabledFields upstream). old is nil for a new set. Defaults that
// are the same in every version are filled in where the manifest is read.
func (s *Store) admit(set, old *model.StatefulSet) {
	s.admitMaxUnavailable(set, old)
	if old == nil || old.Spec.Template.In(s.rules.Minor) == old.Spec.Template {
		set.Spec.Template = set.Spec.Template.In(s.rules.Minor)
	}
	// An update that brings the field passes here, and is refused for changing it.
	if !s.rules.MinReadySeconds && (old == nil || !s.rules.MinReadySecondsField) {
		set.Spec.MinReadySeconds = 0
	}
	if !s.rules.StartOrdinal && (old == nil || old.Spec.Ordinals == nil) {
		set.Spec.Ordinals = nil
	}
	switch {
	case s.rules.Retention && set.Spec.Retention == nil:
		set.Spec.Retention = &model.Retention{}
	case !s.rules.Retention && (old == nil || old.Spec.Retention == nil):
		set.Spec.Retention = nil
	}
}

// admitMaxUnavailable is admit for maxUnavailable. A block is replaced and not changed, since the sender may share
// it. Without a block nothing is filled in: that is what makes updateStrategy {type: RollingUpdate} alone different.
func (s *Store) admitMaxUnavailable(set, old *model.StatefulSet) {
	block := set.Spec.Strategy.RollingUpdate
	if block == nil {
		return
	}
	rolling := set.Spec.Strategy.Type == model.RollingUpdateStrategy
	inUse := old != nil && old.Spec.Strategy.RollingUpdate != nil && old.Spec.Strategy.RollingUpdate.MaxUnavailable != nil
	switch {
	case s.rules.MaxUnavailable && block.MaxUnavailable == nil && rolling:
		set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{
			Partition: block.Partition, MaxUnavailable: &model.IntOrPercent{Value: 1},
		}
	case !s.rules.MaxUnavailable && block.MaxUnavailable != nil && !inUse:
		set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: block.Partition}
	}
}
