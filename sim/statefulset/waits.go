package statefulset

import "github.com/statefulsim/statefulsim/model"

// waitLimit is the greatest number of waits that a sync reports, because more are never read. A wait beyond it is
// dropped.
const waitLimit = 4

// wait adds a reason why something is left undone. It only reports: the caller still has to leave the thing undone.
func (s *sync) wait(why model.Why) {
	if len(s.waits) < waitLimit {
		s.waits = append(s.waits, why)
	}
}

// waitForPod reports that the sync waits for the pod at a position to become what the rule wants. The code names
// what it lacks first: to be gone, to be Ready, to be available. A draft is not waited for: it was only just
// created, and the next sync sees the result.
func (s *sync) waitForPod(g model.Group, i int, rule model.Rule) {
	pod := s.view.Pod(g, i)
	if pod == nil {
		return
	}
	why := model.Why{Code: model.WaitingForAvailable, Object: pod.Name, Rule: rule}
	switch traits := s.view.Traits(g, i); {
	case traits&model.IsTerminating != 0:
		why.Code = model.WaitingForTermination
	case traits&running != running:
		why.Code = model.WaitingForReady
	}
	s.wait(why)
}

// waitForOutdated reports that a user has to update or delete the outdated pods that the update leaves alone, if
// there are any. want is the partition, if that is the reason. Drafts are not counted.
func (s *sync) waitForOutdated(code model.Code, rule model.Rule, want int) {
	outdated := s.view.Count(model.Replicas, model.Want{Revision: s.update.Name, Other: true})
	if outdated > 0 {
		s.wait(model.Why{Code: code, Rule: rule, Have: int32(outdated), Want: int32(want)})
	}
}

// waitInBudget reports why an update with the maxUnavailable gate left outdated pods alone: because of the
// partition if all of them are below it, else because of the budget. The lowest unavailable pod used up the budget;
// if there is none, the budget is a percentage that amounts to less than one pod, and the outdated pod itself is
// named.
func (s *sync) waitInBudget(unavailable, budget int) {
	partition := s.set.Partition()
	outdated := s.lastOutdated(s.replicas, 0, 0)
	if outdated < 0 {
		return
	}
	if outdated < partition {
		s.waitForOutdated(model.BelowPartition, model.RulePartition, partition)
		return
	}
	if unavailable < budget {
		return
	}
	spender := s.nextUnavailable(s.budgetFrom())
	if spender == s.replicas {
		spender = outdated
	}
	if pod := s.view.Pod(model.Replicas, spender); pod != nil {
		s.wait(model.Why{
			Code: model.BudgetSpent, Object: pod.Name, Rule: model.RuleMaxUnavailable,
			Have: int32(unavailable), Want: int32(budget),
		})
	}
}

// waitInParallel reports why a Parallel set is not complete: the lowest replica that is not available, and the
// highest condemned pod that still exists. These waits block nothing; without them an idle set would look finished.
func (s *sync) waitInParallel() {
	if s.monotonic {
		return
	}
	if first := s.view.FirstNot(model.Replicas, 0, s.wants.runningAndAvailable); first < s.replicas {
		s.waitForPod(model.Replicas, first, model.RuleParallel)
	}
	const top = 0
	if s.view.Len(model.Condemned) > 0 && s.view.Traits(model.Condemned, top)&model.IsTerminating != 0 {
		s.waitForPod(model.Condemned, top, model.RuleParallel)
	}
}
