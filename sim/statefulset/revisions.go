package statefulset

import (
	"maps"

	"github.com/statefulsim/statefulsim/model"
)

// labelHash is the label of a revision with the hash that its name was made from.
const labelHash = "controller.kubernetes.io/hash"

// chooseRevisions finds the two revisions of the set: update, which has the set's template and is created or
// renumbered if necessary, and current, which the status names; if that no longer exists, it is update. If it fails,
// both stay nil. It never changes the status itself: startStatus writes both names.
func (s *sync) chooseRevisions() error {
	s.collisions = s.set.Status.CollisionCount
	update, err := s.updateRevision(s.history)
	if err != nil {
		return err
	}
	s.update, s.current = update, update
	for _, revision := range s.history {
		if revision.Name == s.set.Status.CurrentRevision {
			s.current = revision
			break
		}
	}
	return nil
}

// updateRevision returns the revision of the set's template: the newest of the history if that has it, else the
// newest that has it, raised to the top, else a new one. The history is in its order, the oldest number first. A
// rollback therefore reuses the old object and its name, so that pods that still have it are up to date at once.
//
// From 1.34.2 on the newest revision is also taken if it means the same in another form; before, an upgrade to 1.34
// started a rollout of every set (PR 135017).
func (s *sync) updateRevision(history []*model.Revision) (*model.Revision, error) {
	if len(history) == 0 {
		return s.createRevision(1)
	}
	newest := history[len(history)-1]
	next := newest.Number + 1
	for i := len(history) - 1; i >= 0; i-- {
		if !s.holdsTemplate(history[i]) {
			continue
		}
		if s.sameRevision(newest, history[i]) {
			return newest, nil
		}
		return s.renumber(history[i], next)
	}
	if s.profile.SemanticRevisions && sameMeaning(newest.Template, s.set.Spec.Template) {
		return newest, nil
	}
	return s.createRevision(next)
}

// createRevision creates the revision of the set's template with a number. If its name is taken by a revision with
// the same template, that one is used, whatever its number; otherwise the collision count is raised until a name is
// free. The status carries the count, so later syncs try the right name first.
func (s *sync) createRevision(number int64) (*model.Revision, error) {
	revision := s.draftRevision(number)
	hash := revision.Labels[labelHash]
	for {
		revision.Name = revisionName(s.set.Name, hash)
		sent := revision
		reply := s.calls.Do(model.Call{
			Verb: model.Create, Kind: model.KindRevision, Key: sent.Key(), Revision: &sent,
			Why: model.Why{Code: model.CodeNewRevision, Object: sent.Name},
		})
		if reply.Err == nil {
			return reply.Revision, nil
		}
		if reply.Err.Reason != model.AlreadyExists {
			return nil, reply.Err
		}
		taken := s.calls.Do(model.Call{
			Verb: model.Get, Kind: model.KindRevision, Key: sent.Key(),
			Why: model.Why{Code: model.CodeNewRevision, Object: sent.Name},
		})
		if taken.Err != nil {
			return nil, taken.Err
		}
		if sameData(taken.Revision, &revision) {
			return taken.Revision, nil
		}
		s.collisions++
		hash = revisionHash(s.profile.written(s.set.Spec.Template), s.collisions)
	}
}

// draftRevision returns the revision to create, without its name. Its label has the hash of the first name tried.
func (s *sync) draftRevision(number int64) model.Revision {
	template := s.set.Spec.Template
	revision := model.Revision{Number: number, Template: template, Form: s.form()}
	revision.Namespace = s.set.Namespace
	revision.Labels = clone(template.Labels, 1)
	revision.Labels[labelHash] = revisionHash(s.profile.written(s.set.Spec.Template), s.collisions)
	revision.Annotations = maps.Clone(s.set.Annotations)
	revision.Owners = s.owners()
	return revision
}

// renumber makes an older revision the newest, and returns it as a copy with the new number. There is one attempt:
// what upstream writes after a conflict has lost its name, so that its own client refuses it.
func (s *sync) renumber(old *model.Revision, number int64) (*model.Revision, error) {
	revision := *old
	revision.Number = number
	reply := s.calls.Do(model.Call{
		Verb: model.Update, Kind: model.KindRevision, Key: revision.Key(), Revision: &revision,
		Why: model.Why{Code: model.CodeRenumber, Object: revision.Name},
	})
	if reply.Err != nil {
		return nil, reply.Err
	}
	return &revision, nil
}

// truncateHistory deletes the oldest of the revisions that nothing uses, until at most the limit of them is left.
// Revisions in use do not count: with limit 0 the current and the update revision stay. A negative limit keeps all;
// so it is from 1.33 on and in the last patches of 1.28 to 1.32 (PR 129301), and before the controller manager
// crashed there.
//
// It works on the history from the start of the sync, without a revision that this sync has created.
func (s *sync) truncateHistory() error {
	history, limit := s.history, int(s.set.Spec.RevisionHistoryLimit)
	if limit < 0 || len(history) <= limit {
		return nil
	}
	excess := -limit
	for _, revision := range history {
		if !s.live(revision.Name) {
			excess++
		}
	}
	for _, revision := range history {
		if excess <= 0 {
			break
		}
		if s.live(revision.Name) {
			continue
		}
		excess--
		reply := s.calls.Do(model.Call{
			Verb: model.Delete, Kind: model.KindRevision, Key: revision.Key(),
			Why: model.Why{
				Code: model.CodeTruncateHistory, Object: revision.Name, Rule: model.RuleHistoryLimit, Want: int32(limit),
			},
		})
		if reply.Err != nil {
			return reply.Err
		}
	}
	return nil
}

// live reports whether a revision is in use: by the status or by the label of a pod. If the sync failed before it
// had chosen its revisions, only pods count, so that even the current revision may be deleted.
func (s *sync) live(name string) bool {
	return s.update != nil && (name == s.update.Name || name == s.current.Name) || s.view.RevisionUsed(name)
}
