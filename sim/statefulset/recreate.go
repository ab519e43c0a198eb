package statefulset

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// The strategy Recreate is alpha in 1.37 (KEP-3541, PR 137187). For a new revision, all pods of old revisions are
// deleted, including condemned ones and whatever the pod management policy; no pod is created before the last of
// them is gone.

// recreates reports whether the set is updated by the strategy Recreate. Versions before 1.37 do not know it, and
// would take it for a rolling update.
func (s *sync) recreates() bool {
	return s.profile.KnowsRecreate && s.set.Spec.Strategy.Type == model.RecreateStrategy
}

// refuseUnknownStrategy fails if a set uses Recreate and the gate is off: then the sync does nothing, and does not
// even update the status. That happens if the gate was on when the set was created.
func (s *sync) refuseUnknownStrategy() error {
	if !s.recreates() || s.profile.Recreate {
		return nil
	}
	err := fmt.Errorf("statefulset %s/%s uses Recreate strategy but feature gate StatefulSetRecreateStrategy is disabled",
		s.set.Namespace, s.set.Name)
	s.record(true, "UnknownStrategy", err.Error())
	return err
}

// recreate deletes the pods of old revisions, and ends the sync as long as there are any. When it lets the sync
// continue, every pod has the update revision or is a draft, so processUpdate has nothing to do. The condition
// Progressing shows the progress; completeUpdate ends it.
func (s *sync) recreate() (end bool, err error) {
	if !s.recreates() {
		return false, nil
	}
	if s.nextOld(0) < s.podCount() {
		if err := s.inBatches(s.podCount(), s.nextOld, s.deleteOld); err != nil {
			return true, err
		}
	}
	group, i := s.position(s.nextOfRevision(0, 0))
	if i < s.view.Len(group) {
		s.setProgressing(true, "RecreateInProgress", "Deleting old revision pods")
		s.wait(model.Why{
			Code: model.WaitingForTermination, Object: s.view.Pod(group, i).Name, Rule: model.RuleRecreate,
		})
		return true, nil
	}
	if s.current.Name != s.update.Name {
		s.setProgressing(true, "RecreateInProgress", "Waiting for new-revision pods to be created")
	}
	return false, nil
}

// podCount returns the length of upstream's list of pods, drafts included.
func (s *sync) podCount() int { return s.replicas + s.view.Len(model.Condemned) }

// position turns a place in upstream's list, which has the replicas upwards and then the condemned pods downwards,
// into a position in a group.
func (s *sync) position(k int) (model.Group, int) {
	if k < s.replicas {
		return model.Replicas, k
	}
	return model.Condemned, k - s.replicas
}

// nextOld returns the lowest place >= from in that list of a pod to delete, or the length of the list.
func (s *sync) nextOld(from int) int { return s.nextOfRevision(from, model.IsTerminating) }

// nextOfRevision is nextOld for old pods that lack other traits. A draft does not count as an old pod: it lacks a
// phase.
func (s *sync) nextOfRevision(from int, lacks model.Traits) int {
	old := model.Want{Has: model.IsCreated, Lacks: lacks, Revision: s.update.Name, Other: true}
	if i := s.view.First(model.Replicas, min(from, s.replicas), old); i < s.replicas {
		return i
	}
	return s.replicas + s.view.First(model.Condemned, max(0, from-s.replicas), old)
}

// deleteOld deletes the pod at a place of that list. It is not an error if the pod is gone already.
func (s *sync) deleteOld(k int) error {
	pod := s.view.Pod(s.position(k))
	err := s.deletePod(pod, model.Why{Code: model.CodeUpdateRevision, Object: pod.Name, Rule: model.RuleRecreate})
	if model.NotFound.Is(err) {
		return nil
	}
	return err
}

// progressing is the type of the one condition that the controller writes.
const progressing = "Progressing"

// setProgressing sets the condition Progressing. A condition that says the same already is left as it is; one whose
// truth does not change keeps its time. The conditions are shared with the set of the cache, so the slice is copied
// before it changes.
func (s *sync) setProgressing(isTrue bool, reason, message string) {
	next := model.Condition{Type: progressing, Reason: reason, Message: message, True: isTrue, Since: s.view.Now()}
	i := s.progressing()
	if i < 0 {
		s.status.Conditions = append(slices.Clip(s.status.Conditions), next)
		return
	}
	old := s.status.Conditions[i]
	if old.True == isTrue {
		next.Since = old.Since
	}
	if next != old {
		s.status.Conditions = slices.Clone(s.status.Conditions)
		s.status.Conditions[i] = next
	}
}

// progressing returns the index of the condition, or -1.
func (s *sync) progressing() int {
	return slices.IndexFunc(s.status.Conditions, func(c model.Condition) bool { return c.Type == progressing })
}
