package statefulset

import "github.com/statefulsim/statefulsim/model"

// Before PR 117865 (1.26.7, 1.27.4, 1.28.0) the status is counted once and then changed with each act, so that it is
// already what the act will lead to. Since then it is counted from the pods as the cache has them.

// countCreated counts the draft of a position after it has been created.
func (s *sync) countCreated(i int) {
	if !s.profile.SlowStart {
		s.status.Replicas++
		s.countRevision(s.draftRevisionOf(i).Name, 1)
	}
}

// countRemoved takes a deleted condemned pod out of the revision counts. It remains a replica until it is gone.
func (s *sync) countRemoved(pod *model.Pod) {
	if !s.profile.SlowStart {
		s.countRevision(pod.Revision(), -1)
	}
}

// countReplaced takes a finished pod that was deleted and replaced by a draft out of the counts. It does so even if
// the status is counted from the pods, because upstream counts after it has put the draft in the pod's place, and a
// draft does not count. Only a pod that was not terminating had counted for a revision.
func (s *sync) countReplaced(pod *model.Pod, traits model.Traits) {
	s.status.Replicas--
	if !s.profile.SlowStart || traits&model.IsTerminating == 0 {
		s.countRevision(pod.Revision(), -1)
	}
}

// countRevision changes the count of each revision that has the name: during no rollout that is both.
func (s *sync) countRevision(name string, by int32) {
	if name == s.current.Name {
		s.status.Current += by
	}
	if name == s.update.Name {
		s.status.Updated += by
	}
}
