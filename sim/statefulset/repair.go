package statefulset

import "github.com/statefulsim/statefulsim/model"

// repairAttempts is how often a repair is tried while it meets conflicts.
const repairAttempts = 4

// repair gives a replica back what makes it the pod of its ordinal: name, pod-name label and the volumes of its claims.
// After a conflict it starts again from the cache.
func (s *sync) repair(i int) error {
	pod, tried := s.view.Pod(model.Replicas, i), false
	var err error
	for attempt := 0; attempt < repairAttempts; attempt++ {
		traits := model.TraitsOf(s.set, pod, s.view.Now())
		var next *model.Pod
		if next, err = s.repaired(pod, traits, s.ordinal(i)); next == nil {
			break
		}
		tried, pod = true, next
		if err = s.updatePod(next, repairing(traits)); err == nil {
			break
		}
		if cached := s.view.Pod(model.Replicas, i); cached.Name == next.Name {
			pod = cached
		}
		if !model.Conflict.Is(err) {
			break
		}
	}
	if tried {
		s.recordPod(updating, pod.Name, err)
	}
	return err
}

// repaired returns the pod as it should be, or nil if nothing is wrong with it. Missing claims are created with missing
// volumes.
func (s *sync) repaired(pod *model.Pod, traits model.Traits, ordinal int) (*model.Pod, error) {
	const identity = model.HasIdentity | model.HasStorage
	if traits&identity == identity {
		return nil, nil
	}
	next := *pod
	if traits&model.HasIdentity == 0 {
		next.Namespace, next.Name = s.set.Namespace, s.set.PodName(ordinal)
		next.Labels = clone(pod.Labels, 2)
		s.label(&next, ordinal)
	}
	if traits&model.HasStorage == 0 {
		next.Volumes = s.volumes(ordinal, pod.Volumes)
		if err := s.createClaims(&next, ordinal); err != nil {
			s.recordPod(updating, next.Name, err)
			return nil, err
		}
	}
	return &next, nil
}

func (s *sync) updatePod(pod *model.Pod, code model.Code) error {
	reply := s.calls.Do(model.Call{
		Verb: model.Update, Kind: model.KindPod, Key: pod.Key(), Pod: pod, Why: model.Why{Code: code, Object: pod.Name},
	})
	if reply.Err != nil {
		return reply.Err
	}
	return nil
}

func repairing(traits model.Traits) model.Code {
	if traits&model.HasIdentity == 0 {
		return model.CodeRepairIdentity
	}
	return model.CodeRepairStorage
}
