package statefulset

import "github.com/statefulsim/statefulsim/model"

// The calls that create and delete pods, for whatever reason: upstream has them in stateful_pod_control.go. Calls
// that change a pod in place are in repair.go.

// createPod creates the claims of a pod, then the pod, and gives the claims their owners, even if the pod could not
// be created. i is the position of the pod, and code the reason. AlreadyExists is an error without an event: it only
// means that the cache is behind, and a later sync finds the pod.
//
// The order is upstream's: a pod must not exist before its claims, and a claim that a failed creation leaves behind
// is used by the next attempt.
func (s *sync) createPod(pod *model.Pod, i int, code model.Code) error {
	if err := s.createClaims(pod, s.ordinal(i)); err != nil {
		s.recordPod(&creating, pod.Name, err)
		return err
	}
	refused := s.calls.Do(model.Call{
		Verb: model.Create, Kind: model.KindPod, Key: pod.Key(), Pod: pod,
		Why: model.Why{Code: code, Object: pod.Name},
	}).Err
	if model.AlreadyExists.Is(refused) {
		return refused
	}
	if err := s.retainClaimsOf(pod); err != nil {
		return err
	}
	if refused != nil {
		s.recordPod(&creating, pod.Name, refused)
		return refused
	}
	s.recordPod(&creating, pod.Name, nil)
	s.countCreated(i)
	return nil
}

// deletePod asks for a pod's deletion, by its name alone: no version makes its uid or its resource version a
// condition. So a sync with an outdated cache may delete the successor of the intended pod.
func (s *sync) deletePod(pod *model.Pod, why model.Why) error {
	return s.deleteNamed(pod.Key(), why)
}

// deleteNamed is deletePod for a pod that is known only by name, because this very sync created it. From 1.36 on, a
// pod that no longer exists counts as deleted (PR 136812); before, NotFound gets an event and is returned, and the
// caller decides.
func (s *sync) deleteNamed(key model.Key, why model.Why) error {
	refused := s.calls.Do(model.Call{Verb: model.Delete, Kind: model.KindPod, Key: key, Why: why}).Err
	if refused == nil || refused.Reason == model.NotFound && s.profile.DeleteIgnoresNotFound {
		s.recordPod(&deleting, key.Name, nil)
		return nil
	}
	s.recordPod(&deleting, key.Name, refused)
	return refused
}
