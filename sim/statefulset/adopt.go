package statefulset

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// takeOwnership is the first part of every sync after the stale-cache guard. It adopts revisions and pods that match
// the set and have no controller, and releases pods of its own that no longer match. If adopting a revision fails,
// the sync ends there; of the pods all are tried. Either way an error ends the sync before it looks at anything else,
// and not even the status is written.
func (s *sync) takeOwnership() error {
	if err := s.adoptRevisions(); err != nil {
		return err
	}
	return s.claimPods()
}

// adoptRevisions takes in the history, and adopts the revisions in it that have no owner. From then on, the history
// has an adopted revision as the API server returned it: by the time upstream lists the history again, its cache
// has caught up. The history is shared with the view until then, so it is copied before the first change.
//
// In 1.16 one orphan makes the sync adopt all that is listed, and it fails at the first revision that has an owner
// (difference orphan-revisions).
func (s *sync) adoptRevisions() error {
	s.history = s.view.Revisions()
	isOrphan := func(r *model.Revision) bool { return r.Controller() == nil }
	first := slices.IndexFunc(s.history, isOrphan)
	if first < 0 {
		return nil
	}
	why := model.Why{Code: model.CodeAdopt, Object: s.history[first].Name}
	if err := s.recheck(why, s.profile.RecheckRevisions); err != nil {
		return fmt.Errorf("can't adopt ControllerRevisions: %w", err)
	}
	s.history = slices.Clone(s.history)
	for i, revision := range s.history {
		owner := revision.Controller()
		if owner != nil && s.profile.OrphanRevisions {
			continue
		}
		if owner != nil {
			return fmt.Errorf("attempt to adopt revision owned by %s %s", owner.Kind, owner.Name)
		}
		reply := s.calls.Do(s.owning(model.Adopt, model.KindRevision, &revision.Meta))
		if reply.Err != nil {
			return reply.Err
		}
		s.history[i] = reply.Revision
	}
	return nil
}

// recheck reads the set from the API server before anything is adopted for it: the cache may not know yet that the
// set is gone, replaced by a namesake, or being deleted. Adopted objects would then be deleted with it. It costs
// one call per sync for the revisions and one for the pods, and only if there is an orphan. With deletion, a set
// that is being deleted is an error too: 1.16 does not look at that before it adopts revisions (recheck-revisions).
func (s *sync) recheck(why model.Why, deletion bool) error {
	reply := s.calls.Do(model.Call{Verb: model.Get, Kind: model.KindStatefulSet, Key: s.set.Key(), Why: why})
	if reply.Err != nil {
		return fmt.Errorf("can't recheck DeletionTimestamp: %w", reply.Err)
	}
	live := reply.Set
	if live.UID != s.set.UID {
		return fmt.Errorf("can't recheck DeletionTimestamp: original StatefulSet %s is gone: got uid %s, wanted %s",
			s.set.Key(), live.UID, s.set.UID)
	}
	if deletion && live.Terminating() {
		return fmt.Errorf("%s has just been deleted at %ss", live.Key(), live.Deletion.At.Seconds())
	}
	return nil
}

// owning returns a call that makes the set the controller of an object, or takes that from it. The uid is a
// precondition: an object of the same name that was created meanwhile stays as it is.
func (s *sync) owning(verb model.Verb, kind model.Kind, object *model.Meta) model.Call {
	code := model.CodeAdopt
	if verb == model.Release {
		code = model.CodeRelease
	}
	return model.Call{
		Verb: verb, Kind: kind, Key: object.Key(), UID: object.UID, Owner: s.owners()[0],
		Why: model.Why{Code: code, Object: object.Name},
	}
}

// claimPods releases the set's pods that no longer match it, and adopts matching pods without an owner. A set that
// is being deleted does neither: its pods are about to be deleted or orphaned as they are. The adopted pods take
// part in the rest of the sync as the cache has them, without the owner. A pod that is gone by now is not an error,
// and neither is Invalid for a release: another pod then has the name.
func (s *sync) claimPods() error {
	strays, orphans := s.view.Strays(), s.view.Orphans()
	if len(strays)+len(orphans) == 0 || s.set.Terminating() {
		return nil
	}
	var errs aggregate
	for _, pod := range strays {
		reply := s.calls.Do(s.owning(model.Release, model.KindPod, &pod.Meta))
		if reply.Err != nil && reply.Err.Reason != model.NotFound && reply.Err.Reason != model.Invalid {
			errs = append(errs, reply.Err)
		}
	}
	if err := s.adoptPods(orphans); err != nil {
		errs = append(errs, err...)
	}
	return errs.orNil()
}

// adoptPods adopts orphans, after one look at the live set. If that look forbids it, each orphan gives an error of
// its own, as upstream words it.
func (s *sync) adoptPods(orphans []*model.Pod) (errs aggregate) {
	if len(orphans) == 0 {
		return nil
	}
	refused := s.recheck(model.Why{Code: model.CodeAdopt, Object: orphans[0].Name}, true)
	var adopted []*model.Pod
	for _, pod := range orphans {
		if refused != nil {
			errs = append(errs, fmt.Errorf("can't adopt Pod %s (%s): %w", pod.Key(), pod.UID, refused))
			continue
		}
		switch reply := s.calls.Do(s.owning(model.Adopt, model.KindPod, &pod.Meta)); {
		case reply.Err == nil:
			adopted = append(adopted, pod)
		case reply.Err.Reason != model.NotFound:
			errs = append(errs, reply.Err)
		}
	}
	if len(adopted) > 0 {
		s.view = s.view.With(adopted)
	}
	return errs
}
