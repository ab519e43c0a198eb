package store

import "github.com/statefulsim/statefulsim/model"

// CreateRevision stores a new revision.
func (s *Store) CreateRevision(draft *model.Revision) (*model.Revision, *model.APIError) {
	key := draft.Key()
	if holder := s.revisions[key]; holder != nil {
		return nil, alreadyExists(model.KindRevision, key.Name, &holder.Meta)
	}
	revision := *draft
	s.stamp(&revision.Meta)
	s.putRevision(nil, &revision)
	return &revision, nil
}

// UpdateRevision replaces a revision's number, labels and owners. Its data never changes.
func (s *Store) UpdateRevision(write *model.Revision) (*model.Revision, *model.APIError) {
	key := write.Key()
	old := s.revisions[key]
	if old == nil {
		return nil, notFound(model.KindRevision, key.Name)
	}
	if err := check(model.KindRevision, &write.Meta, &old.Meta); err != nil {
		return nil, err
	}
	revision := *old
	revision.Number, revision.Labels, revision.Owners = write.Number, write.Labels, write.Owners
	s.touch(&revision.Meta)
	s.putRevision(old, &revision)
	return &revision, nil
}

// DeleteRevision removes a revision at once.
func (s *Store) DeleteRevision(key model.Key) *model.APIError {
	old := s.revisions[key]
	if old == nil {
		return notFound(model.KindRevision, key.Name)
	}
	delete(s.revisions, key)
	s.version++
	s.watch(Change{Kind: model.KindRevision, Type: model.Deleted, OldRevision: old})
	return nil
}

func (s *Store) putRevision(old, revision *model.Revision) {
	s.revisions[revision.Key()] = revision
	s.watch(Change{Kind: model.KindRevision, Type: changeType(old == nil), OldRevision: old, Revision: revision})
}
