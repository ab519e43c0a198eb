package statefulset

import "github.com/statefulsim/statefulsim/model"

// processUpdate deletes pods of old revisions, from the highest ordinal down to the partition, so that the next sync
// recreates them. With OrderedReady it is only called when all replicas are available and no condemned pod is left;
// with Parallel unless an earlier phase has failed or, in versions without batches, met a stale claim. Nothing in it
// creates a pod. OnDelete leaves that to people, and Recreate has deleted its pods before.
func (s *sync) processUpdate() error {
	switch {
	case s.set.Spec.Strategy.Type == model.OnDeleteStrategy:
		s.waitForOutdated(model.OnDelete, model.RuleOnDelete, 0)
		return nil
	case s.recreates():
		return nil
	case !s.profile.MaxUnavailable:
		return s.updateOneByOne()
	case s.profile.BrokenFirst && !s.monotonic:
		return s.updateBrokenFirst()
	}
	return s.updateWithinBudget()
}

// updateOneByOne is the update without the maxUnavailable gate. From the top down it skips pods that are updated
// and available, deletes the first outdated one, and waits at one that is not available. It does not look further
// down: in Parallel, lower pods that are down do not stop a rollout (issue 96218), and more than one pod may be
// down.
//
// status.currentReplicas decreases with each deletion, whatever the pod's revision was, as in upstream; with a
// third revision it may become -1, which the API server refuses (issue 121397).
func (s *sync) updateOneByOne() error {
	partition := s.set.Partition()
	done := s.wants.countedAvailable
	done.Revision = s.update.Name
	target := s.view.LastNot(model.Replicas, s.replicas, done)
	if target < partition {
		s.waitForOutdated(model.BelowPartition, model.RulePartition, partition)
		return nil
	}
	if s.isOutdated(target) {
		err := s.deleteForUpdate(target, model.Why{Rule: model.RuleRollingUpdate})
		if err == nil || s.profile.CountFailedDelete {
			s.status.Current--
		}
		return err
	}
	if s.lastOutdated(target+1, 0, 0) >= partition {
		s.waitForPod(model.Replicas, target, model.RuleRollingUpdate)
	} else {
		s.waitForOutdated(model.BelowPartition, model.RulePartition, partition)
	}
	return nil
}

// isOutdated reports whether the pod or the draft at a position is not terminating and has another revision than
// the update revision.
func (s *sync) isOutdated(i int) bool {
	return s.lastOutdated(i+1, 0, model.IsTerminating) == i
}

// lastOutdated returns the highest position below a given one whose pod has another revision than the update
// revision, has the given traits and lacks the others; or -1. A draft has a revision but no traits: it counts only
// if no traits are asked for. Pods that this sync has replaced count as drafts.
func (s *sync) lastOutdated(below int, has, lacks model.Traits) int {
	lacks |= s.wants.replaced
	last := s.view.Last(model.Replicas, below, model.Want{Has: has, Lacks: lacks, Revision: s.update.Name, Other: true})
	drafts := min(below, s.oldDrafts())
	if has != 0 || drafts == 0 {
		return last
	}
	return max(last, s.view.LastNot(model.Replicas, drafts, model.Want{Has: model.Exists, Lacks: s.wants.replaced}))
}

// deleteForUpdate deletes the pod at a position because of its revision, and completes the reason. A draft is deleted
// by the name of the ordinal: the pod that it replaced may have had another name for the same ordinal, web-01.
func (s *sync) deleteForUpdate(i int, why model.Why) error {
	var key model.Key
	if pod := s.view.Pod(model.Replicas, i); pod != nil && s.view.Traits(model.Replicas, i)&s.wants.replaced == 0 {
		key = pod.Key()
	} else {
		key = s.key(s.set.PodName(s.ordinal(i)))
	}
	why.Code, why.Object = model.CodeUpdateRevision, key.Name
	err := s.deleteNamed(key, why)
	if model.NotFound.Is(err) && s.updateIgnoresNotFound() {
		return nil
	}
	return err
}

// updateIgnoresNotFound reports whether the update counts a missing pod as deleted. With maxUnavailable it always
// has, since 1.24; without it, since PR 113834 (1.27). Up to 1.35 the failed deletion still gets its event.
func (s *sync) updateIgnoresNotFound() bool {
	return s.profile.MaxUnavailable || s.profile.UpdateIgnoresNotFound
}
