package statefulset

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// processCondemned removes the pods whose ordinals are out of range, from the highest ordinal down. OrderedReady
// handles only the highest one, and then the sync ends, whether it deleted the pod or not: no update starts before
// all condemned pods are gone. Parallel removes all that are not terminating yet, and continues with the update.
// Unlike processReplicas it treats a finished pod like any other.
//
// With spec.ordinals.start, ordinals below the range come last in the group and are removed last.
func (s *sync) processCondemned() (end bool, err error) {
	count := s.view.Len(model.Condemned)
	switch {
	case count == 0:
		return false, nil
	case s.monotonic:
		return true, s.condemnedInOrder(count)
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
func (s *sync) condemnedInOrder(count int) error {
	const top = 0
	traits := s.view.Traits(model.Condemned, top)
	if traits&model.IsTerminating != 0 {
		s.waitForPod(model.Condemned, top, model.RuleOrderedScaleDown)
		return nil
	}
	lowest := s.view.LastNot(model.Condemned, count, s.wants.countedAvailable)
	if !is(traits, s.wants.runningAndAvailable) && lowest != top {
		s.waitForPod(model.Condemned, top, model.RuleFirstUnavailable)
		return nil
	}
	return s.removeCondemned(top, model.RuleOrderedScaleDown)
}

// condemnedInBatches deletes all condemned pods that are not terminating, from the top.
func (s *sync) condemnedInBatches(count int) error {
	if s.nextCondemned(0) == count {
		return nil
	}
	return s.inBatches(count, s.nextCondemned, func(i int) error { return s.removeCondemned(i, model.RuleParallel) })
}

// nextCondemned returns the lowest position >= from of a condemned pod that is not terminating yet, or their number.
func (s *sync) nextCondemned(from int) int {
	return s.view.First(model.Condemned, from, model.Want{Lacks: model.IsTerminating})
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

// replaceFinished handles a finished pod as versions before PR 123809 (1.28.11, 1.29.6, 1.30.2, 1.31) do: the pod
// is deleted and, in the same sync, recreated. Such a pod is deleted with grace 0, so usually its name is free at
// once. If a finalizer holds it, the creation fails with AlreadyExists in every sync, and each of them records the
// event again (issue 122709).
func (s *sync) replaceFinished(i int) (end bool, err error) {
	pod, traits := s.view.Pod(model.Replicas, i), s.view.Traits(model.Replicas, i)
	s.recordReplacing(pod, traits)
	code := recreating(traits)
	if err := s.deletePod(pod, model.Why{Code: code, Object: pod.Name, Rule: model.RuleOneName}); err != nil {
		return true, err
	}
	s.countReplaced(pod, traits)
	return s.createReplica(i, code)
}

// recordReplacing records the event of such a replacement; versions with PR 123809 have none.
func (s *sync) recordReplacing(pod *model.Pod, traits model.Traits) {
	warning, reason, ended := true, "RecreatingFailedPod", "failed"
	if traits&model.IsSucceeded != 0 {
		warning, reason, ended = false, "RecreatingTerminatedPod", "terminated"
	}
	s.record(warning, reason, fmt.Sprintf("StatefulSet %s/%s is recreating %s Pod %s",
		s.set.Namespace, s.set.Name, ended, pod.Name))
}
