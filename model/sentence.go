package model

import "fmt"

// Sentence says the reason in words. It is the only place where reasons become text.
func (w Why) Sentence() string {
	if sentence, ok := w.callSentence(); ok {
		return sentence
	}
	return w.waitSentence()
}

func (w Why) callSentence() (string, bool) {
	switch w.Code {
	case CodeCreate:
		return fmt.Sprintf("%s is missing", w.Object), true
	case CodeRecreateFailed:
		return fmt.Sprintf("%s has Failed, and a pod of a StatefulSet is always made again", w.Object), true
	case CodeRecreateSucceeded:
		return fmt.Sprintf("%s has Succeeded, and a pod of a StatefulSet is always made again", w.Object), true
	case CodeScaleDown:
		return fmt.Sprintf("%s is out of the range of replicas", w.Object), true
	case CodeUpdateRevision:
		return fmt.Sprintf("%s is of an old revision", w.Object) + w.updateRule(), true
	case CodeRepairIdentity:
		return fmt.Sprintf("%s lacks its stable name or its pod-name label", w.Object), true
	case CodeRepairStorage:
		return fmt.Sprintf("%s lacks the volume of one of its claims", w.Object), true
	case CodeClaimPolicy:
		return fmt.Sprintf("the owners of %s do not match the retention policy", w.Object), true
	case CodeNewRevision:
		return "the template is new", true
	case CodeRenumber:
		return fmt.Sprintf("the template is that of %s, which becomes the newest revision", w.Object), true
	case CodeTruncateHistory:
		return fmt.Sprintf("nothing uses %s, and the history limit is %d", w.Object, w.Want), true
	case CodeStatus:
		return "what was counted differs from the status", true
	case CodeAdopt:
		return fmt.Sprintf("%s matches the selector and belongs to nobody", w.Object), true
	case CodeRelease:
		return fmt.Sprintf("%s does not match the set's selector and name any more", w.Object), true
	}
	return "", false
}

func (w Why) updateRule() string {
	switch w.Rule {
	case RuleBrokenFirst:
		return " and unavailable already, so it costs nothing of maxUnavailable"
	case RuleMaxUnavailable:
		return fmt.Sprintf(", and %d of at most %d are unavailable", w.Have, w.Want)
	case RuleRecreate:
		return ", and Recreate deletes all of them before it creates any"
	}
	return ", and all above it are done"
}

func (w Why) waitSentence() string {
	switch w.Code {
	case WaitingForReady:
		return fmt.Sprintf("%s is not Running and Ready", w.Object) + w.waitRule()
	case WaitingForAvailable:
		return fmt.Sprintf("%s has not been Ready for minReadySeconds", w.Object) + w.waitRule()
	case WaitingForTermination:
		return fmt.Sprintf("%s is still terminating", w.Object) + w.waitRule()
	case WaitingForPodGone:
		return fmt.Sprintf("%s has ended and is deleted; its successor is made when it is gone", w.Object)
	case BudgetSpent:
		return fmt.Sprintf("%d unavailable of at most %d: maxUnavailable is used up, by %s first", w.Have, w.Want, w.Object)
	case BelowPartition:
		return fmt.Sprintf("%d below partition %d keep the current revision", w.Have, w.Want)
	case OnDelete:
		return fmt.Sprintf("%d of an old revision stay until somebody deletes them", w.Have)
	case ClaimTerminating:
		return fmt.Sprintf("the claim %s is being deleted, and a pod must not be bound to it", w.Object)
	case StaleClaim:
		return fmt.Sprintf("the claim %s belongs to an earlier pod of the name and goes with it", w.Object)
	case SetDeleting:
		return "the set is being deleted: it does nothing itself"
	case StaleCache:
		return "the cache has not seen the controller's last writes yet"
	case DrainBlocked:
		return fmt.Sprintf("%s cannot be evicted: its PodDisruptionBudget has no disruption left", w.Object)
	case TakenForGone:
		return fmt.Sprintf("%s is taken for deleted: the API server has said that there is no such pod, which is not true",
			w.Object)
	case Unnoticed:
		return fmt.Sprintf("%s does not serve, the controller has not noticed, and no event is left to wake it", w.Object)
	case SyncError:
		return "a call failed, and the set is tried again later"
	case NothingToDo:
		return "the set is as its spec wants it"
	}
	return string(w.Code)
}

func (w Why) waitRule() string {
	switch w.Rule {
	case RuleOrderedReplicas:
		return "; OrderedReady does nothing above it, and no update, before"
	case RuleOrderedScaleDown:
		return "; OrderedReady scales down from the top, one after the other"
	case RuleFirstUnavailable:
		return "; OrderedReady removes an unavailable pod only when no lower one is unavailable"
	case RuleRollingUpdate:
		return "; the update goes no lower before"
	case RuleRecreate:
		return "; Recreate creates no pod before all old ones are gone"
	case RuleParallel:
		return "; Parallel holds nothing back for it, but the set is not complete without it"
	case RuleOneName:
		return "; its name is free only when it is gone"
	case RuleForegroundDeletion:
		return "; the set, which is deleted in the foreground, is there until it is gone"
	case RuleClaimOfPod:
		return "; its containers have ended, but deleted in the foreground it waits for the claims that it owns, " +
			"and they wait for it"
	}
	return ""
}
