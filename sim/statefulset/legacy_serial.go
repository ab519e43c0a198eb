package statefulset

import "github.com/statefulsim/statefulsim/model"

// Before PR 117865 (1.26.7, 1.27.4, 1.28.0) Parallel works in one goroutine: on one position after the other, and not
// past the first error.

func (s *sync) replicasOneByOne() error {
	for i := s.nextReplica(0); i < s.replicas; i = s.nextReplica(i + 1) {
		if _, err := s.processReplica(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *sync) condemnedOneByOne(count int) error {
	for i := s.lastCondemned(count); i >= 0; i = s.lastCondemned(i) {
		if err := s.removeCondemned(i, model.RuleParallel); err != nil {
			return err
		}
	}
	return nil
}
