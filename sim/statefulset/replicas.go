package statefulset

import "github.com/statefulsim/statefulsim/model"

// processReplicas looks at the replicas in the order of their ordinals: it replaces finished pods, creates missing
// ones and repairs the others. OrderedReady ends the sync at the first replica that is not available, and after one
// act. This is the trap of a broken rollout: a broken pod is never replaced by a fixed template, because the update
// comes after it and is never reached (issue 67250). Parallel continues whatever it finds, and only an error ends
// it.
func (s *sync) processReplicas() (end bool, err error) {
	switch {
	case s.monotonic:
		return s.replicasInOrder()
	case s.profile.SlowStart:
		return false, s.replicasInBatches()
	}
	return s.replicasOneByOne()
}

// replicasInOrder skips the replicas that need nothing without a call; of a set at rest it looks at none.
func (s *sync) replicasInOrder() (end bool, err error) {
	for i := s.nextInOrder(0); i < s.replicas; i = s.nextInOrder(i + 1) {
		if end, err := s.processReplica(i); end || err != nil {
			return true, err
		}
	}
	return false, nil
}

// nextInOrder returns the lowest position >= from where OrderedReady has something to do or to wait for, or the
// number of replicas. All replicas below it are available and match.
func (s *sync) nextInOrder(from int) int {
	return s.firstNotRetained(from, s.view.FirstNot(model.Replicas, from, s.wants.availableAndMatching))
}

// firstNotRetained returns the lowest position >= from and < below of a pod whose claims do not have the owners that
// the policy wants, or below. All positions in between must have a pod. It looks at each claim, but only if the set
// has a policy or some claim has an owner.
func (s *sync) firstNotRetained(from, below int) int {
	if s.retains {
		for i := from; i < below; i++ {
			if !s.claimsRetained(s.view.Pod(model.Replicas, i)) {
				return i
			}
		}
	}
	return below
}

// replicasInBatches is Parallel since PR 117865. It makes no batch, and allocates nothing, if there is nothing to do.
func (s *sync) replicasInBatches() error {
	if s.nextReplica(0) == s.replicas {
		return nil
	}
	return s.inBatches(s.replicas, s.nextReplica, func(i int) error {
		_, err := s.processReplica(i)
		return err
	})
}

// nextReplica returns the lowest position >= from where Parallel has something to do, or the number of replicas. It
// agrees with processReplica: at a skipped position, that method would make no call, record nothing and return nil.
func (s *sync) nextReplica(from int) int {
	for i := from; ; i++ {
		i = s.firstNotRetained(i, s.view.FirstNot(model.Replicas, i, s.wants.createdAndMatching))
		if i == s.replicas || s.needsWork(i) {
			return i
		}
	}
}

// needsWork reports whether a replica has to be created, deleted or repaired. The view's question
// (createdAndMatching) only finds candidates; a Pending pod, for one, is a candidate as long as it is Pending.
func (s *sync) needsWork(i int) bool {
	traits := s.view.Traits(model.Replicas, i)
	const identity = model.HasIdentity | model.HasStorage
	switch {
	case traits&s.wants.finished != 0:
		return s.wants.replaced != 0 || traits&model.IsTerminating == 0
	case traits&model.IsCreated == 0, traits&identity != identity:
		return true
	}
	pod := s.view.Pod(model.Replicas, i)
	return s.retains && !s.claimsRetained(pod) ||
		traits&model.IsPending != 0 && s.profile.PendingClaims && !s.claimsInOrder(pod, traits, s.ordinal(i))
}

// processReplica creates, deletes or repairs one replica if that is needed. end reports whether OrderedReady ends
// the sync here; Parallel in batches ignores it. A finished pod is replaced regardless of the partition and the
// budget.
func (s *sync) processReplica(i int) (end bool, err error) {
	traits := s.view.Traits(model.Replicas, i)
	switch {
	case traits&s.wants.replaced != 0:
		return s.replaceFinished(i)
	case traits&s.wants.finished != 0:
		return s.monotonic, s.deleteFinished(i, traits)
	case traits&model.IsCreated == 0:
		return s.createReplica(i, model.CodeCreate)
	case traits&model.IsPending != 0 && s.profile.PendingClaims:
		if err := s.createMissingClaims(s.view.Pod(model.Replicas, i), s.ordinal(i)); err != nil {
			return true, err
		}
	}
	if s.monotonic && !is(traits, s.wants.runningAndAvailable) {
		s.waitForPod(model.Replicas, i, model.RuleOrderedReplicas)
		return true, nil
	}
	return false, s.repair(s.view.Pod(model.Replicas, i), i)
}

// deleteFinished deletes a pod that has Failed or Succeeded. Its successor is created by a later sync, when its name
// is free (PR 123809). In OrderedReady the sync ends with it.
func (s *sync) deleteFinished(i int, traits model.Traits) error {
	pod := s.view.Pod(model.Replicas, i)
	if traits&model.IsTerminating != 0 {
		s.wait(model.Why{Code: model.WaitingForPodGone, Object: pod.Name, Rule: model.RuleOneName})
		return nil
	}
	return s.deletePod(pod, model.Why{Code: recreating(traits), Object: pod.Name, Rule: model.RuleOneName})
}

// recreating returns the code for the replacement of a finished pod.
func recreating(traits model.Traits) model.Code {
	if traits&model.IsSucceeded != 0 {
		return model.CodeRecreateSucceeded
	}
	return model.CodeRecreateFailed
}

// createReplica creates a replica, unless a stale claim blocks it. end reports whether OrderedReady ends the sync
// here, or Parallel of old versions ends the walk over the replicas. In Parallel with batches it checks the claims
// again, as for any other pod: the cache may not have seen their latest state yet.
func (s *sync) createReplica(i int, code model.Code) (end bool, err error) {
	pod := s.draft(i)
	if claim := s.staleClaim(pod); claim != "" {
		s.wait(model.Why{Code: model.StaleClaim, Object: claim})
		return true, nil
	}
	if err := s.createPod(pod, i, code); err != nil {
		return true, err
	}
	// A pod that has been named after an edited revision is at once given its right name, in vain.
	misnamed := pod.Name != s.set.PodName(s.ordinal(i)) && s.update.SetName == ""
	if s.monotonic || !s.profile.SlowStart || !s.retains && !misnamed {
		return s.monotonic, nil
	}
	return false, s.repair(pod, i)
}
