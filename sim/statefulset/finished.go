package statefulset

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// replaceFinished handles a pod that has ended as versions before PR 123809 (1.28.11, 1.29.6, 1.30.2, 1.31) do: it is
// deleted and, in the same sync, created again. Such a pod is deleted with grace 0, so usually its name is free at
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
