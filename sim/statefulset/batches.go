package statefulset

import "github.com/statefulsim/statefulsim/model"

// batchLimit is the greatest number of positions that are worked on at the same time (upstream: MaxBatchSize).
const batchLimit = 500

// inBatches works on the n positions as Parallel does since PR 117865 (upstream: slowStartBatch): in batches of 1,
// 2, 4, ... up to the limit, all positions of a batch at the same time. A batch always runs to its end; a batch
// with an error is the last one. The first batch is small so that an error that would hit every call costs only one
// call.
//
// Positions that need nothing take their place in a batch and cost nothing: next returns the lowest position >= its
// argument that needs something, or n. It is asked again between two batches, so it must depend on the view alone.
func (s *sync) inBatches(n int, next func(from int) int, act func(i int) error) error {
	low, size := 0, 1
	for i := next(0); i < n; {
		for ; i >= low+size; size = min(2*size, batchLimit) {
			low += size
		}
		var batch []int
		for ; i < low+size && i < n; i = next(i + 1) {
			batch = append(batch, i)
		}
		if err := s.fork(batch, act); err != nil {
			return err
		}
	}
	return nil
}

// fork works on the positions of a batch at the same time, and returns the errors of all of them, in the order of
// the positions and not of their ends: the text of the error must not depend on a choice.
func (s *sync) fork(batch []int, act func(i int) error) error {
	errs := make([]error, len(batch))
	s.calls.Fork(len(batch), func(k int) { errs[k] = act(batch[k]) })
	var failed aggregate
	for _, err := range errs {
		if err != nil {
			failed = append(failed, err)
		}
	}
	return failed.orNil()
}

// Before PR 117865 (1.26.7, 1.27.4, 1.28.0) Parallel works in one goroutine: on one position after the other, and not
// past the first error.

// replicasOneByOne reports whether the sync ends here, which it does at a stale claim too.
func (s *sync) replicasOneByOne() (end bool, err error) {
	for i := s.nextReplica(0); i < s.replicas; i = s.nextReplica(i + 1) {
		if end, err := s.processReplica(i); end || err != nil {
			return true, err
		}
	}
	return false, nil
}

// retainOneByOne works upwards, unlike the batches that came after it. It does nothing for a pod whose claims have
// their owners.
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
