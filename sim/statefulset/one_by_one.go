package statefulset

import "github.com/statefulsim/statefulsim/model"

// Before PR 117865 (1.26.7, 1.27.4, 1.28.0) Parallel works in one goroutine: on one position after the other, and not
// past the first error.

// replicasOneByOne says whether the sync ends here, which it does at a stale claim too.
func (s *sync) replicasOneByOne() (end bool, err error) {
	for i := s.nextReplica(0); i < s.replicas; i = s.nextReplica(i + 1) {
		if end, err := s.processReplica(i); end || err != nil {
			return true, err
		}
	}
	return false, nil
}

// retainOneByOne goes up, unlike the batches that came after it. It does nothing for a pod whose claims have their
// owners.
func (s *sync) retainOneByOne(condemned int) error {
	for i := condemned - 1; i >= 0; i-- {
		if err := s.retainCondemnedAt(i); err != nil {
			return err
		}
	}
	return nil
}

// condemnedOneByOne deletes the condemned pods from the top, up to the first error.
func (s *sync) condemnedOneByOne(count int) error {
	for i := s.nextCondemned(0); i < count; i = s.nextCondemned(i + 1) {
		if err := s.removeCondemned(i, model.RuleParallel); err != nil {
			return err
		}
	}
	return nil
}
