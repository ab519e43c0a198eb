package store

import "github.com/statefulsim/statefulsim/model"

// CreateRevision stores a copy of the draft as a new revision. It fails with AlreadyExists if the name is taken, by
// which the controller notices a collision.
func (w Writer) CreateRevision(draft *model.Revision) (*model.Revision, *model.APIError) {
	key := draft.Key()
	if holder := w.revisions.Get(key); holder != nil {
		return nil, alreadyExists(model.KindRevision, key.Name, &holder.Meta)
	}
	revision := *draft
	w.stamp(&revision.Meta)
	w.putRevision(nil, &revision)
	return &revision, nil
}

// UpdateRevision replaces a revision's number, labels and owners. Its data never changes. The version and the uid of
// the write are preconditions.
func (w Writer) UpdateRevision(write *model.Revision) (*model.Revision, *model.APIError) {
	key := write.Key()
	old := w.revisions.Get(key)
	if old == nil {
		return nil, notFound(model.KindRevision, key.Name)
	}
	if err := check(model.KindRevision, &write.Meta, &old.Meta); err != nil {
		return nil, err
	}
	revision := *old
	revision.Number, revision.Labels, revision.Owners = write.Number, write.Labels, write.Owners
	w.touch(&revision.Meta)
	w.putRevision(old, &revision)
	return &revision, nil
}

// DeleteRevision removes a revision at once; revisions have no finalizers and no grace period.
func (w Writer) DeleteRevision(key model.Key) *model.APIError {
	old := w.revisions.Get(key)
	if old == nil {
		return notFound(model.KindRevision, key.Name)
	}
	w.revisions.Delete(key)
	w.version++
	change := w.write(model.KindRevision, model.Deleted)
	change.OldRevision = old
	w.tell(change)
	return nil
}

// putRevision stores a version of a revision and notifies the watches. old is the version before, nil for a new one.
func (w Writer) putRevision(old, revision *model.Revision) {
	w.revisions.Put(revision.Key(), revision)
	change := w.write(model.KindRevision, changeType(old == nil))
	change.OldRevision, change.Revision = old, revision
	w.tell(change)
}
