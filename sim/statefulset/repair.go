package statefulset

import (
	"errors"

	"github.com/statefulsim/statefulsim/model"
)

// repairAttempts is the number of times that a repair is tried if it gets conflicts. Upstream retries with a back-off
// of four steps.
const repairAttempts = 4

// repair gives a replica everything that makes it the pod of its ordinal: the name, the pod-name label and the volumes
// of its claims. It also gives its claims the owners of the retention policy; after that the pod is written too,
// although it does not change. After a conflict it starts again from the cache, which may still have the old pod: then
// it gets the same conflict. If nothing is wrong it makes no call and records no event (upstream: UpdateStatefulPod).
func (s *sync) repair(pod *model.Pod, i int) error {
	tried := false
	var err error
	for range repairAttempts {
		var code model.Code
		if pod, code, err = s.repaired(pod, s.ordinal(i)); err == nil && code == "" {
			break
		}
		if err == nil {
			tried = true
			if err = s.updatePod(pod, code); err == nil {
				break
			}
			if cached := s.view.Latest(pod.Name); cached != nil {
				pod = cached
			}
		}
		if !isConflict(err) {
			break
		}
	}
	if tried {
		s.recordPod(&updating, pod.Name, err)
	}
	return err
}

// isConflict reports whether a call failed because the cache was behind. Several errors at once do not count as a
// conflict, as in upstream's errors.IsConflict, so they are not retried.
func isConflict(err error) bool {
	var several aggregate
	var refusal *model.APIError
	return !errors.As(err, &several) && errors.As(err, &refusal) && refusal.Reason == model.Conflict
}

// repaired returns the pod as it should be, and the reason to write it; the code is "" if that is not necessary. pod
// itself is not changed. It creates missing claims together with missing volumes. If something fails, it returns the
// error with the parts that are already repaired, and these stay for the next attempt.
func (s *sync) repaired(pod *model.Pod, ordinal int) (*model.Pod, model.Code, error) {
	traits, code := model.TraitsOf(s.set, pod, s.view.Now()), model.Code("")
	next := pod
	if traits&(model.HasIdentity|model.HasStorage) != model.HasIdentity|model.HasStorage {
		copied := *pod
		next = &copied
	}
	if traits&model.HasIdentity == 0 {
		code = model.CodeRepairIdentity
		next.Namespace, next.Name = s.set.Namespace, s.set.PodName(ordinal)
		next.Labels = clone(pod.Labels, 2)
		s.label(next, ordinal)
	}
	if traits&model.HasStorage == 0 {
		if code == "" {
			code = model.CodeRepairStorage
		}
		next.Volumes = s.volumes(s.set, ordinal, pod.Volumes)
		if err := s.createClaims(next, ordinal); err != nil {
			s.recordPod(&updating, next.Name, err)
			return next, code, err
		}
	}
	if s.retains && !s.claimsRetained(next) {
		if code == "" {
			code = model.CodeClaimPolicy
		}
		if err := s.retainClaimsOf(next); err != nil {
			return next, code, err
		}
	}
	return next, code, nil
}

// updatePod writes a repaired pod; the version that it was read with is a precondition.
func (s *sync) updatePod(pod *model.Pod, code model.Code) error {
	reply := s.calls.Do(model.Call{
		Verb: model.Update, Kind: model.KindPod, Key: pod.Key(), Pod: pod, Why: model.Why{Code: code, Object: pod.Name},
	})
	if reply.Err != nil {
		return reply.Err
	}
	return nil
}
