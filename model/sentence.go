package model

import "fmt"

// Sentence says the reason in words. It is the only place where the reasons of the controller become text.
//
// A sentence starts with the fact. If a rule decides what follows from the fact, that comes after a semicolon, so
// that a report can leave it out for a reader who has seen the rule before.
func (w Why) Sentence() string {
	if sentence, ok := w.callSentence(); ok {
		return sentence
	}
	return w.waitSentence()
}

func (w Why) callSentence() (string, bool) {
	switch w.Code {
	case CodeCreate:
		return fmt.Sprintf("%s does not exist yet", w.Object), true
	case CodeRecreateFailed:
		return fmt.Sprintf("%s has Failed; StatefulSet pods are always recreated", w.Object), true
	case CodeRecreateSucceeded:
		return fmt.Sprintf("%s has Succeeded; StatefulSet pods are always recreated", w.Object), true
	case CodeScaleDown:
		return fmt.Sprintf("%s is outside the range of spec.replicas", w.Object), true
	case CodeUpdateRevision:
		return fmt.Sprintf("%s is at an old revision", w.Object) + w.updateRule(), true
	case CodeRepairIdentity:
		return fmt.Sprintf("%s lacks its stable name or its pod-name label", w.Object), true
	case CodeRepairStorage:
		return fmt.Sprintf("%s lacks the volume of one of its PVCs", w.Object), true
	case CodeClaimPolicy:
		return fmt.Sprintf("the owners of %s do not match the retention policy", w.Object), true
	case CodeNewRevision:
		return "the pod template is new", true
	case CodeRenumber:
		return fmt.Sprintf("the pod template is that of %s, which becomes the newest revision", w.Object), true
	case CodeTruncateHistory:
		return fmt.Sprintf("%s is not in use, and revisionHistoryLimit is %d", w.Object, w.Want), true
	case CodeStatus:
		return "the computed status differs from the stored status", true
	case CodeAdopt:
		return fmt.Sprintf("%s matches the selector and has no controller", w.Object), true
	case CodeRelease:
		return fmt.Sprintf("%s no longer matches the selector and the name of the StatefulSet", w.Object), true
	}
	return "", false
}

func (w Why) updateRule() string {
	switch w.Rule {
	case RuleBrokenFirst:
		if w.Ready {
			return " and Ready, but not yet for minReadySeconds; 1.37 counts that as broken and replaces it whatever " +
				"maxUnavailable says"
		}
		return " and already unavailable, so replacing it does not use up maxUnavailable"
	case RuleMaxUnavailable:
		return ", " + w.unavailable() + fmt.Sprintf(", and maxUnavailable allows %d", w.Want)
	case RuleRecreate:
		return ", and Recreate deletes all old pods before it creates any"
	}
	return ", and all higher ordinals are up to date"
}

// unavailable states how many pods are unavailable.
func (w Why) unavailable() string {
	switch w.Have {
	case 0:
		return "no pod is unavailable"
	case 1:
		return "1 pod is unavailable"
	}
	return fmt.Sprintf("%d pods are unavailable", w.Have)
}

// budgetSpent names the unavailable pods, and how many maxUnavailable allows, which may be fewer. If none is
// unavailable, maxUnavailable is a percentage that amounts to less than one pod, and the object is the pod that
// waits for its update.
func (w Why) budgetSpent() string {
	allows := fmt.Sprintf("maxUnavailable allows only %d unavailable pods", w.Want)
	switch w.Want {
	case 0:
		allows = "maxUnavailable allows no unavailable pod"
	case 1:
		allows = "maxUnavailable allows only 1 unavailable pod"
	}
	switch w.Have {
	case 0:
		return fmt.Sprintf("%s, so %s is not updated", allows, w.Object)
	case 1:
		return fmt.Sprintf("%s is unavailable, and %s", w.Object, allows)
	}
	return fmt.Sprintf("%s (lowest: %s), and %s", w.unavailable(), w.Object, allows)
}

func (w Why) waitSentence() string {
	switch w.Code {
	case WaitingForReady:
		return fmt.Sprintf("%s is not Running and Ready", w.Object) + w.waitRule("until it is")
	case WaitingForAvailable:
		return fmt.Sprintf("%s has not been Ready for minReadySeconds", w.Object) + w.waitRule("until it has")
	case WaitingForTermination:
		return fmt.Sprintf("%s is still terminating", w.Object) + w.waitRule("until it is gone")
	case WaitingForPodGone:
		return fmt.Sprintf("%s has ended and is being deleted; it is recreated when it is gone", w.Object)
	case BudgetSpent:
		return w.budgetSpent()
	case BelowPartition:
		if w.Have == 1 {
			return fmt.Sprintf("1 pod below partition %d keeps the old revision", w.Want)
		}
		return fmt.Sprintf("%d pods below partition %d keep the old revision", w.Have, w.Want)
	case OnDelete:
		if w.Have == 1 {
			return "1 pod at an old revision stays until somebody deletes it"
		}
		return fmt.Sprintf("%d pods at an old revision stay until somebody deletes them", w.Have)
	case ClaimTerminating:
		return fmt.Sprintf("PVC %s is being deleted, and no pod may be created for it", w.Object)
	case StaleClaim:
		return fmt.Sprintf("PVC %s belongs to a previous pod of this name and will be deleted with it", w.Object)
	case NothingToDo:
		return "the StatefulSet matches its spec"
	}
	return w.outsideSentence()
}

// outsideSentence words the waits for something other than a pod or a claim of the set.
func (w Why) outsideSentence() string {
	switch w.Code {
	case SetDeleting:
		return "the StatefulSet is being deleted, so its controller leaves its pods alone"
	case StaleCache:
		return "the cache does not show the controller's own last writes yet"
	case DrainBlocked:
		return fmt.Sprintf("%s cannot be evicted: its PodDisruptionBudget allows no more disruptions", w.Object)
	case TakenForGone:
		return fmt.Sprintf("%s is believed deleted: the API server wrongly answered NotFound", w.Object)
	case Unnoticed:
		return fmt.Sprintf("%s does not serve, the controller has not noticed, and no event is left to wake it", w.Object)
	case SyncError:
		return "a call failed, and the controller will try again"
	}
	return string(w.Code)
}

// waitRule describes the effect of the rule on a wait. Until says when the wait ends, in words that refer to the pod
// as "it".
func (w Why) waitRule(until string) string {
	switch w.Rule {
	case RuleOrderedReplicas:
		return "; " + until + ", OrderedReady neither touches higher ordinals nor continues the update"
	case RuleOrderedScaleDown:
		return "; OrderedReady scales down one pod at a time, from the top"
	case RuleFirstUnavailable:
		return "; OrderedReady removes an unavailable pod only when no lower pod is unavailable"
	case RuleRollingUpdate:
		return "; the rolling update does not move to lower ordinals " + until
	case RuleRecreate:
		return "; Recreate creates no pod until all old pods are gone"
	case RuleParallel:
		return "; Parallel does not wait for it, but the StatefulSet is not complete " + until
	case RuleOneName:
		return "; its name is not free until it is gone"
	case RuleForegroundDeletion:
		return "; foreground deletion keeps the StatefulSet until this pod is gone"
	case RuleClaimOfPod:
		return "; its containers have ended, but foreground deletion makes it wait for its PVCs, which wait for it (deadlock)"
	}
	return ""
}
