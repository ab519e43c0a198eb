package model

// Why is the reason of a call or of a wait, as data. Its sentence is made in one place (Sentence).
type Why struct {
	Code Code
	// Object is the object of the action or the wait: the name of a pod, a claim or a revision.
	Object string
	// Rule is the rule that decides so.
	Rule Rule
	// Have and Want are the numbers that the rule compares, if it compares any.
	Have, Want int32
	// Ready is true if a pod that RuleBrokenFirst replaces is Ready: it counts as broken only because it has not
	// been Ready for minReadySeconds. Every other reason leaves it false.
	Ready bool
}

// Is reports whether two reasons are equal, as == does. It is faster for texts that are in the same memory, as most
// are.
func (w *Why) Is(other *Why) bool {
	return w.Have == other.Have && w.Want == other.Want && w.Ready == other.Ready && SameText(w.Object, other.Object) &&
		SameText(string(w.Code), string(other.Code)) && SameText(string(w.Rule), string(other.Rule))
}

// Code is the public word for a reason.
type Code string

// The codes of calls.
const (
	// CodeCreate: a replica is missing.
	CodeCreate Code = "Create"
	// CodeRecreateFailed: a pod has Failed; a pod of a StatefulSet is always recreated.
	CodeRecreateFailed Code = "RecreateFailed"
	// CodeRecreateSucceeded: a pod has Succeeded; a pod of a StatefulSet is always recreated.
	CodeRecreateSucceeded Code = "RecreateSucceeded"
	// CodeScaleDown: the pod's ordinal is outside the range of spec.replicas.
	CodeScaleDown Code = "ScaleDown"
	// CodeUpdateRevision: the pod is at an old revision.
	CodeUpdateRevision Code = "UpdateRevision"
	// CodeRepairIdentity: the pod's name or its pod-name label is not what it should be.
	CodeRepairIdentity Code = "RepairIdentity"
	// CodeRepairStorage: a volume of the pod is not the one of its claim, or a claim is missing.
	CodeRepairStorage Code = "RepairStorage"
	// CodeClaimPolicy: a claim's owners do not match the retention policy.
	CodeClaimPolicy Code = "ClaimPolicy"
	// CodeNewRevision: the template is new.
	CodeNewRevision Code = "NewRevision"
	// CodeRenumber: the template is that of an older revision, which becomes the newest.
	CodeRenumber Code = "Renumber"
	// CodeTruncateHistory: more revisions are kept than the history limit allows.
	CodeTruncateHistory Code = "TruncateHistory"
	// CodeStatus: the status differs from what was counted.
	CodeStatus Code = "Status"
	// CodeAdopt: a pod or a revision matches the selector and has no owner, so the StatefulSet becomes its owner.
	CodeAdopt Code = "Adopt"
	// CodeRelease: a pod no longer matches, so the StatefulSet stops being its owner.
	CodeRelease Code = "Release"
)

// The codes of waits.
const (
	// WaitingForReady: a pod is not Running and Ready yet.
	WaitingForReady Code = "WaitingForReady"
	// WaitingForAvailable: a pod is Ready, but not for minReadySeconds yet.
	WaitingForAvailable Code = "WaitingForAvailable"
	// WaitingForTermination: a terminating pod is not gone yet.
	WaitingForTermination Code = "WaitingForTermination"
	// WaitingForPodGone: a pod that has ended is deleted; its successor is created when it is gone.
	WaitingForPodGone Code = "WaitingForPodGone"
	// BudgetSpent: with maxUnavailable, at least as many pods are unavailable as maxUnavailable allows.
	BudgetSpent Code = "BudgetSpent"
	// BelowPartition: old pods stay because of the partition.
	BelowPartition Code = "BelowPartition"
	// OnDelete: old pods stay until somebody deletes them.
	OnDelete Code = "OnDelete"
	// ClaimTerminating: a pod is not created because a claim of its name is being deleted.
	ClaimTerminating Code = "ClaimTerminating"
	// StaleClaim: a pod is not created because a claim of its name belongs to an earlier pod and is deleted with that pod.
	StaleClaim Code = "StaleClaim"
	// SetDeleting: the StatefulSet is being deleted, and its controller does nothing.
	SetDeleting Code = "SetDeleting"
	// StaleCache: the cache has not seen the controller's own writes yet.
	StaleCache Code = "StaleCache"
	// DrainBlocked: a drain waits, because a PodDisruptionBudget refuses the eviction of a pod.
	DrainBlocked Code = "DrainBlocked"
	// TakenForGone: the controller has deleted a pod and got the answer NotFound, although the pod exists; it believes
	// that the pod is gone.
	TakenForGone Code = "TakenForGone"
	// Unnoticed: a pod is missing or does not serve, but the controller waits for nothing: the pod came and went while no
	// watch saw it. Only the resync of its informers still wakes the controller.
	Unnoticed Code = "Unnoticed"
	// SyncError: a call failed; the set is tried again later.
	SyncError Code = "SyncError"
	// NothingToDo: the set matches its spec.
	NothingToDo Code = "NothingToDo"
)

// Codes lists all codes, in the order of their documentation.
var Codes = []Code{
	CodeCreate, CodeRecreateFailed, CodeRecreateSucceeded, CodeScaleDown, CodeUpdateRevision, CodeRepairIdentity,
	CodeRepairStorage, CodeClaimPolicy, CodeNewRevision, CodeRenumber, CodeTruncateHistory, CodeStatus, CodeAdopt,
	CodeRelease,
	WaitingForReady, WaitingForAvailable, WaitingForTermination, WaitingForPodGone, BudgetSpent, BelowPartition, OnDelete,
	ClaimTerminating, StaleClaim, SetDeleting, StaleCache, DrainBlocked, TakenForGone,
	Unnoticed,
	SyncError, NothingToDo,
}

// Resting reports whether the spec itself asks for a set's state in this wait. Any other wait that remains when
// nothing more can happen means that the set is stuck.
func (c Code) Resting() bool {
	return c == BelowPartition || c == OnDelete || c == NothingToDo || c == SetDeleting
}

// Rule is the public name of the rule that a reason follows.
type Rule string

// The rules.
const (
	// RuleNone: no rule, the code says it all.
	RuleNone Rule = ""
	// RuleOrderedReplicas: OrderedReady looks at a replica only when all replicas with lower ordinals are Running, Ready
	// and available.
	RuleOrderedReplicas Rule = "ordered-replicas"
	// RuleOrderedScaleDown: OrderedReady scales down from the highest ordinal, and deletes a pod only when the pod above
	// it is gone.
	RuleOrderedScaleDown Rule = "ordered-scale-down"
	// RuleFirstUnavailable: with OrderedReady a scale-down deletes an unavailable pod only if all pods that stay are
	// available, and all pods with lower ordinals that it deletes too.
	RuleFirstUnavailable Rule = "first-unavailable"
	// RuleRollingUpdate: a rolling update begins with the highest ordinal, and continues with the next lower one only when
	// the pod is updated and available.
	RuleRollingUpdate Rule = "rolling-update"
	// RuleMaxUnavailable: with the feature gate MaxUnavailableStatefulSet, an update may make maxUnavailable pods
	// unavailable; pods that are unavailable already count.
	RuleMaxUnavailable Rule = "max-unavailable"
	// RuleBrokenFirst: from 1.37 Parallel replaces all old pods that are unavailable, whatever maxUnavailable says (PR
	// 137666).
	RuleBrokenFirst Rule = "broken-first"
	// RulePartition: replicas below the partition keep the old revision.
	RulePartition Rule = "partition"
	// RuleOnDelete: with OnDelete a pod gets a new revision only when somebody deletes it.
	RuleOnDelete Rule = "on-delete"
	// RuleRecreate: Recreate deletes all old pods, and creates none before they are gone (KEP-3541).
	RuleRecreate Rule = "recreate"
	// RuleParallel: Parallel creates and removes pods without waiting for any other.
	RuleParallel Rule = "parallel"
	// RuleHistoryLimit: of the revisions that nothing uses, the newest revisionHistoryLimit are kept.
	RuleHistoryLimit Rule = "history-limit"
	// RuleDisruptionBudget: the Eviction API deletes a pod only if its PodDisruptionBudget has a disruption left.
	RuleDisruptionBudget Rule = "disruption-budget"
	// RuleOneName: a pod's name is free only when the pod that has it is gone.
	RuleOneName Rule = "one-name"
	// RuleForegroundDeletion: a set that is deleted in the foreground exists until the last of its pods is gone.
	RuleForegroundDeletion Rule = "foreground-deletion"
	// RuleClaimOfPod: a pod that is deleted in the foreground exists until the claims that it owns are gone, and these
	// exist until the pod is gone (controller references, from 1.31).
	RuleClaimOfPod Rule = "claim-of-pod"
)
