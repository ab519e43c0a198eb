package statefulset

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// takeOwnership is the first part of every sync. It adopts revisions and pods that match the set and have no
// controller, and releases pods of its own that no longer match. If one of these calls fails, the others are still
// tried, and then the sync ends with the error, before it looks at anything else.
func (s *sync) takeOwnership() error {
	if err := s.adoptRevisions(); err != nil {
		return err
	}
	return s.claimPods()
}

// adoptRevisions takes in the history, and adopts the revisions in it that belong to nobody. What it adopts is from
// then on in the history as the API server has it: by the time upstream lists it again the cache has caught up.
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

// recheck reads the set from the API server before anything is adopted for it: the cache may not know yet that it is
// gone, another one of the same name, or being deleted. What is adopted then would be deleted with it.
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

// owning returns a call that makes the set the controller of an object, or takes that from it.
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

// claimPods releases the set's pods that do not match it any more, and adopts those that match and belong to nobody. A
// set that is being deleted does neither. The pods that it has adopted take part in the rest of the sync as the cache
// has them. A pod that is gone by now is no error.
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
