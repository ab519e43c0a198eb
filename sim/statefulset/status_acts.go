package statefulset

import "github.com/statefulsim/statefulsim/model"

// Before PR 117865 (1.26.7, 1.27.4, 1.28.0) the status is counted once and then changed with each act, so that it is
// already what the act will lead to. Since then it is counted from the pods as the cache has them.

// countCreated counts a draft that has been created.
func (s *sync) countCreated(i int) {
	if !s.profile.SlowStart {
		s.status.Replicas++
		s.countRevision(s.draftRevisionOf(i).Name, 1)
	}
}

// countRemoved uncounts a condemned pod that has been deleted. It is still a replica until it is gone.
func (s *sync) countRemoved(pod *model.Pod) {
	if !s.profile.SlowStart {
		s.countRevision(pod.Revision(), -1)
	}
}

// countReplaced uncounts a pod that has ended, has been deleted, and is replaced by a draft. If the status is counted
// from the pods, this is because a draft counts for nothing. Only a pod that was not terminating had counted for a
// revision.
func (s *sync) countReplaced(pod *model.Pod, traits model.Traits) {
	s.status.Replicas--
	if !s.profile.SlowStart || traits&model.IsTerminating == 0 {
		s.countRevision(pod.Revision(), -1)
	}
}

func (s *sync) countRevision(name string, by int32) {
	if name == s.current.Name {
		s.status.Current += by
	}
	if name == s.update.Name {
		s.status.Updated += by
	}
}
