package statefulset

import "github.com/statefulsim/statefulsim/model"

// maxUnavailable returns the number of replicas that an update may have unavailable. A percentage, of spec.replicas
// or from 1.38 on of the replicas from the partition up, is rounded down. The result is at least 1, except in 1.24,
// where a small percentage of few replicas is 0 and the update never starts. Without a value it is 1.
func (s *sync) maxUnavailable() int {
	block := s.set.Spec.Strategy.RollingUpdate
	if block == nil || block.MaxUnavailable == nil {
		return 1
	}
	budget := int(block.MaxUnavailable.Value)
	if block.MaxUnavailable.Percent {
		budget = budget * s.percentOf() / 100
	}
	if s.profile.BudgetAtLeastOne {
		budget = max(budget, 1)
	}
	return budget
}

// percentOf returns the number of replicas that a percentage is one of.
func (s *sync) percentOf() int {
	if s.profile.PercentFromPartition {
		return max(0, s.replicas-s.set.Partition())
	}
	return s.replicas
}

// unavailable counts the replicas that are not available, whatever their revision, including drafts and terminating
// pods. Up to 1.37 the replicas below the partition count like the others, although the update does not touch them.
func (s *sync) unavailable() int {
	count := s.replicas - s.view.Count(model.Replicas, s.wants.countedAvailable)
	from := s.budgetFrom()
	if from == 0 {
		return count
	}
	for i := s.nextUnavailable(0); i < from; i = s.nextUnavailable(i + 1) {
		count--
	}
	return count
}

// budgetFrom returns the lowest position whose pod uses up the budget.
func (s *sync) budgetFrom() int {
	if s.profile.BudgetFromPartition {
		return min(s.set.Partition(), s.replicas)
	}
	return 0
}

// nextUnavailable returns the lowest position >= from of a replica that is not available, or the number of replicas.
func (s *sync) nextUnavailable(from int) int {
	return s.view.FirstNot(model.Replicas, from, s.wants.countedAvailable)
}

// updateWithinBudget is the update with the maxUnavailable gate: from the top it deletes as many outdated pods,
// available or not, as maxUnavailable leaves after all replicas that are unavailable already have been counted. In
// OrderedReady all replicas are available when it is reached, so it works in batches of maxUnavailable; in Parallel
// the window slides (KEP-961).
//
// A broken pod uses up the budget even if the update would replace it, so a Parallel set with one broken old pod and
// maxUnavailable 1 is stuck (1.35.0 to 1.35.3 by default, issue 137409).
func (s *sync) updateWithinBudget() error {
	why := model.Why{Rule: model.RuleMaxUnavailable, Have: int32(s.unavailable()), Want: int32(s.maxUnavailable())}
	return s.spendBudget(why, 0)
}

// spendBudget deletes outdated pods that have the traits, from the top down to the partition, until as many replicas
// as the budget allows are unavailable. why.Have is the number of those that are so already, why.Want the budget;
// each deletion gets the reason with the number as it is then. An error ends it.
func (s *sync) spendBudget(why model.Why, has model.Traits) error {
	found, budget := int(why.Have), int(why.Want)
	target := s.replicas
	for unavailable := found; unavailable < budget; unavailable++ {
		target = s.lastOutdated(target, has, model.IsTerminating)
		if target < s.set.Partition() {
			break
		}
		why.Have = int32(unavailable)
		if err := s.deleteForUpdate(target, why); err != nil {
			return err
		}
		s.status.Current--
	}
	s.waitInBudget(found, budget)
	return nil
}

// updateBrokenFirst updates a Parallel set as versions with PR 137666 do. First it deletes every outdated pod that
// is already unavailable, regardless of the budget: these pods already count in it, so replacing them costs
// nothing. Then it spends the rest of the budget on outdated pods that are available. Unavailable includes a Ready
// pod that is younger than minReadySeconds, so such pods may all be deleted at once.
//
// A draft of an old revision is unavailable and outdated as well: it is created and deleted in one sync. If the
// next sync makes the same draft again, that continues forever: the hot loop of 1.37, which manager.livelock ends.
func (s *sync) updateBrokenFirst() error {
	why := model.Why{Rule: model.RuleBrokenFirst, Have: int32(s.unavailable()), Want: int32(s.maxUnavailable())}
	partition := s.set.Partition()
	const notAvailable = model.IsAvailable | model.IsTerminating
	for i := s.lastOutdated(s.replicas, 0, notAvailable); i >= partition; i = s.lastOutdated(i, 0, notAvailable) {
		why.Ready = s.view.Traits(model.Replicas, i)&running == running
		if err := s.deleteForUpdate(i, why); err != nil {
			return err
		}
		s.status.Current--
	}
	why.Rule, why.Ready = model.RuleMaxUnavailable, false
	return s.spendBudget(why, model.IsAvailable)
}
