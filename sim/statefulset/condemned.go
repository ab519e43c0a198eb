package statefulset

import "github.com/statefulsim/statefulsim/model"

// processCondemned removes the pods whose ordinals are out of range, from the highest ordinal down. OrderedReady
// handles only the highest one, and then the sync ends, whether it has deleted it or not: no update begins before all
// condemned pods are gone. Parallel removes all that are not terminating yet, and goes on to the update. Unlike
// processReplicas it treats a pod that has ended like any other.
//
// Positions of the group are in ascending order of ordinals, so the highest ordinal is at the last position. With
// spec.ordinals.start, ordinals below the range come first in it and are removed last.
func (s *sync) processCondemned() (end bool, err error) {
	count := s.view.Len(model.Condemned)
	switch {
	case count == 0:
		return false, nil
	case s.monotonic:
		return true, s.condemnedInOrder(count - 1)
	case s.profile.SlowStart:
		return false, s.condemnedInBatches(count)
	}
	return false, s.condemnedOneByOne(count)
}

// condemnedInOrder removes the highest condemned pod. It waits while that one is terminating. It also waits while
// that one is not available, unless it is the first pod of the set that is not: since all replicas are available when
// this is reached, that is the lowest condemned one that is not. So two broken condemned pods block a scale-down
// until the lower one is repaired or deleted.
//
// Between the gate of minReadySeconds and 1.33 the two questions differ: the wait asks for available, the search for
// the first such pod for Running and Ready. So a Ready pod that is not available yet is never the first, and a
// scale-down waits for it (issue 123918).
func (s *sync) condemnedInOrder(top int) error {
	traits := s.view.Traits(model.Condemned, top)
	if traits&model.IsTerminating != 0 {
		s.waitForPod(model.Condemned, top, model.RuleOrderedScaleDown)
		return nil
	}
	if !is(traits, s.wants.runningAndAvailable) && s.view.FirstNot(model.Condemned, 0, s.wants.countedAvailable) != top {
		s.waitForPod(model.Condemned, top, model.RuleFirstUnavailable)
		return nil
	}
	return s.removeCondemned(top, model.RuleOrderedScaleDown)
}

// condemnedInBatches deletes all condemned pods that are not terminating, from the top.
func (s *sync) condemnedInBatches(count int) error {
	// Batches count from the top, so that position k of a batch is the pod at count-1-k.
	next := func(from int) int { return count - 1 - s.lastCondemned(count-from) }
	if next(0) == count {
		return nil
	}
	return s.inBatches(count, next, func(k int) error { return s.removeCondemned(count-1-k, model.RuleParallel) })
}

// lastCondemned returns the highest position < below of a condemned pod that is not terminating yet, or -1.
func (s *sync) lastCondemned(below int) int {
	return s.view.Last(model.Condemned, below, model.Want{Lacks: model.IsTerminating})
}

// removeCondemned deletes the condemned pod at a position.
func (s *sync) removeCondemned(i int, rule model.Rule) error {
	pod := s.view.Pod(model.Condemned, i)
	err := s.deletePod(pod, model.Why{Code: model.CodeScaleDown, Object: pod.Name, Rule: rule})
	if err == nil {
		s.countRemoved(pod)
	}
	return err
}
