// Package atlas knows the traps of StatefulSets: what they look like in a manifest, ten lines of scenario that show
// each, and the way out. Which versions have a trap is not written down but played: its scenario expects what goes
// wrong, and a version on which the expectations hold has it.
//
// Each trap has a file traps/NAME.yaml. plan and upgrade ask which traps a set has the shape of.
//
// The command line prints them. Traps never change, and nothing is kept between two calls: each question about versions
// plays the scenarios again.
package atlas

import "github.com/statefulsim/statefulsim/model"

// Traps are all that are known, the worst first: Rank is the place here, by which reports order them.
var Traps = []Trap{
	{
		Name:  "young-pods",
		Title: "One update deletes every pod that is Ready but not yet available, whatever maxUnavailable says.",
		When: "podManagementPolicy Parallel, a rolling update and minReadySeconds above 0, when the template changes " +
			"while pods have been " +
			"Ready for less than minReadySeconds: after a start, a node upgrade or a restart, or if the same change raises " +
			"minReadySeconds.",
		WayOut: "Wait until all pods are available before the change (kubectl rollout status returns too early); raise " +
			"minReadySeconds in a change of its own; or update by partition, one ordinal at a time.",
		Promise:   "keeps-serving",
		Confirmed: "13 of 13 runs on a real control plane, 1.37.1; the real controller code of 1.37.1",
		Links:     []string{"https://github.com/kubernetes/kubernetes/pull/137666"},
		shape: func(s *model.StatefulSet) bool {
			return parallel(s) && rolling(s) && s.Spec.MinReadySeconds > 0 && s.Spec.Replicas > 1
		},
	},
	{
		Name:  "hot-loop",
		Title: "The controller creates and deletes one pod for ever, about twice a second.",
		When: "podManagementPolicy Parallel, at least three replicas and an updateStrategy of type RollingUpdate without " +
			"the block rollingUpdate, where a pod is deleted, fails or becomes unready at about the time when an update begins.",
		WayOut:    "Add the block: updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}.",
		Promise:   "comes-to-rest",
		Confirmed: "a run on a real control plane, 1.37.1; the real controller code of 1.37.1",
		Links: []string{
			"https://github.com/kubernetes/kubernetes/issues/137409",
			"https://github.com/kubernetes/kubernetes/pull/137666",
		},
		shape: loops,
	},
	{
		Name:  "hot-loop-second-change",
		Title: "A second change of the template, or its rollback, starts the hot loop although every pod is healthy.",
		When: "podManagementPolicy Parallel, at least three replicas, an updateStrategy of type RollingUpdate without the " +
			"block rollingUpdate, and minReadySeconds above 0, where the second change comes before the last pod of the " +
			"first is available.",
		WayOut:    "Add the block rollingUpdate, or wait for minReadySeconds after each rollout.",
		Promise:   "comes-to-rest",
		Confirmed: "8 of 8 runs on a real control plane, 1.37.1; the real controller code of 1.37.1",
		Links:     []string{"https://github.com/kubernetes/kubernetes/issues/136831"},
		shape: func(s *model.StatefulSet) bool {
			return loops(s) && s.Spec.MinReadySeconds > 0
		},
	},
	{
		Name:  "late-caches",
		Title: "While its watches are late, the controller creates and deletes one pod again and again.",
		When: "podManagementPolicy Parallel and an updateStrategy of type RollingUpdate without the block rollingUpdate. " +
			"The controller's watches are seconds late, as with an overloaded API server, and a pod is deleted just before " +
			"the rollout comes to it. The loop continues as long as the watches are late. When they are on time again, " +
			"the rollout ends.",
		WayOut: "Write the block out: updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}; find out why " +
			"watches are late.",
		Promise:   "comes-to-rest",
		Confirmed: "the real controller code of 1.36.3",
		Common:    true,
		shape:     func(s *model.StatefulSet) bool { return parallel(s) && typeOnly(s) },
	},
	{
		Name:  "list-from-the-past",
		Title: "A controller that restarts, and lists from an API server that is behind, repeats a rollout that has ended.",
		When: "The controller restarts or another leader takes over, and the API server from which it lists is some " +
			"seconds behind the others. The new controller sees the old pods, and deletes each by its name, which a new pod " +
			"has by now. 1.32, 1.34 and 1.35 have the trap only if the feature gate WatchList is switched off: with it, " +
			"the first list is up to date. From 1.36 on, the controller deletes only one pod too many, even without the " +
			"gate: after a write it waits until its cache shows that write.",
		WayOut:    "Nothing needs to be done: the rollout ends. Find out why an API server is behind.",
		Promise:   "no-double-delete",
		Confirmed: "the real controller code of 1.34 and 1.36.3",
		Links: []string{
			"https://github.com/kubernetes/kubernetes/issues/59848", "https://github.com/kubernetes/kubernetes/pull/128053",
		},
		Common: true,
		shape:  func(s *model.StatefulSet) bool { return rolling(s) && s.Spec.Replicas > 0 },
	},
	{
		Name:  "broken-image-taken-back",
		Title: "Reverting a broken image does not heal the rollout: the broken pod stays, and nothing moves.",
		When:  "podManagementPolicy OrderedReady, where a pod of the broken revision never becomes Ready.",
		WayOut: "Revert the image and delete the broken pod (kubectl delete pod), or scale down to remove the pod and up " +
			"again.",
		Promise:   "revert-heals",
		Confirmed: "a run on a real control plane, 1.36.3; the documentation calls it \"forced rollback\"",
		Links:     []string{"https://github.com/kubernetes/kubernetes/issues/67250"},
		Common:    true,
		shape: func(s *model.StatefulSet) bool {
			return !parallel(s) && rolling(s) && s.Spec.Replicas > 0
		},
	},
	{
		Name:  "budget-of-broken-pods",
		Title: "Pods of a broken first revision use up maxUnavailable, so a good image is never rolled out.",
		When: "podManagementPolicy Parallel with the feature gate MaxUnavailableStatefulSet (on by default only in " +
			"1.35.0 to 1.35.3 and from 1.37), where at least maxUnavailable pods are not Ready when the template changes.",
		WayOut:    "Delete the broken pods: they come back at the new revision.",
		Promise:   "arrives",
		Confirmed: "the real controller code of 1.24 to 1.36",
		Links:     []string{"https://github.com/kubernetes/enhancements/issues/961"},
		Common:    true,
		shape:     func(s *model.StatefulSet) bool { return parallel(s) && rolling(s) },
	},
	{
		Name:  "scale-down-taken-back",
		Title: "A replica that is scaled down and up again stays missing: its claim is deleted with the old pod.",
		When: "persistentVolumeClaimRetentionPolicy with whenScaled: Delete (before 1.27 only with the feature gate " +
			"StatefulSetAutoDeletePVC), where the StatefulSet is scaled up again while the pod is terminating.",
		WayOut:    "Change anything in the StatefulSet or one of its pods: kubectl annotate statefulset NAME touched=yes.",
		Promise:   "arrives",
		Confirmed: "10 of 10 runs on a real control plane, 1.36.3",
		Links:     []string{"https://github.com/kubernetes/enhancements/issues/1847"},
		shape:     func(s *model.StatefulSet) bool { return deletesScaled(s) },
	},
	{
		Name:  "claims-lost",
		Title: "Scaling down deletes the volumes of the removed pods; scaling up again creates empty ones.",
		When: "persistentVolumeClaimRetentionPolicy with whenScaled: Delete (before 1.27 only with the feature gate " +
			"StatefulSetAutoDeletePVC), and any scale-down, including one by an autoscaler.",
		WayOut:    "Set whenScaled: Retain before the scale-down. A deleted volume does not come back.",
		Promise:   "same-claim-again",
		Confirmed: "a run on a real control plane, 1.36.3; the documentation",
		Links:     []string{"https://github.com/kubernetes/enhancements/issues/1847"},
		shape:     func(s *model.StatefulSet) bool { return deletesScaled(s) },
	},
	{
		Name:  "start-moved",
		Title: "Moving ordinals.start past the range deletes all pods at once.",
		When:  "podManagementPolicy Parallel, where spec.ordinals.start grows by at least the number of replicas.",
		WayOut: "Move start by less than the number of replicas at a time, and wait for the new pods; or use " +
			"OrderedReady.",
		Promise:   "keeps-serving",
		Confirmed: "runs on real control planes, 1.36.3 and 1.37.1",
		Links:     []string{"https://github.com/kubernetes/enhancements/issues/3335"},
		Common:    true,
		shape:     func(s *model.StatefulSet) bool { return parallel(s) && s.Spec.Replicas > 1 },
	},
	{
		Name:  "two-changes",
		Title: "A second change during a rollout takes one more pod down than maxUnavailable allows.",
		When: "podManagementPolicy Parallel without maxUnavailable, where the template changes again while a pod is being " +
			"replaced.",
		WayOut:    "Wait for kubectl rollout status before the next change.",
		Promise:   "keeps-serving",
		Confirmed: "the real controller code of 1.36.3",
		Common:    true,
		shape: func(s *model.StatefulSet) bool {
			return parallel(s) && rolling(s) && s.Spec.Replicas > 1
		},
	},
	{
		Name:  "surplus-holds-up",
		Title: "A surplus pod that cannot be deleted keeps missing pods from being created.",
		When: "podManagementPolicy Parallel in 1.38, where the deletion of a pod that is out of the range of replicas fails, " +
			"for example because a webhook refuses it, or the update of its claim does, while another pod is missing.",
		WayOut: "Let the deletion through: exempt the pods from the webhook. Or scale up again, so that the pod is no surplus: " +
			"kubectl scale.",
		Promise:   "arrives",
		Confirmed: "the real controller code of 1.38.0-beta.0",
		Links:     []string{"https://github.com/kubernetes/kubernetes/pull/141057"},
		Common:    true,
		shape:     func(s *model.StatefulSet) bool { return parallel(s) && s.Spec.Replicas > 0 },
		brings: func(live, wanted *model.StatefulSet) bool {
			return parallel(wanted) && live.Start()+int(live.Spec.Replicas) > wanted.Start()+int(wanted.Spec.Replicas)
		},
	},
	{
		Name:  "below-partition",
		Title: "Pods below the partition that are not available hold up an update that does not touch them.",
		When: "podManagementPolicy Parallel and a rolling update with a partition, with the feature gate " +
			"MaxUnavailableStatefulSet (on by default in 1.35.0 to 1.35.3 and from 1.37), up to 1.37, where so many pods below " +
			"the partition are not available that they use up maxUnavailable.",
		WayOut: "Heal the pods below the partition, or raise maxUnavailable by their number. From 1.38 on they do not count, " +
			"and an update that waits for them goes on as soon as the new controller runs; if it must not, raise the " +
			"partition to the number of replicas before the upgrade.",
		Confirmed: "the real controller code of 1.37.2 and 1.38.0-beta.0",
		Links:     []string{"https://github.com/kubernetes/enhancements/issues/961"},
		shape:     heldFromBelow,
	},
	{
		Name:  "percent-of-partition",
		Title: "With a partition, maxUnavailable in percent lets fewer pods be replaced at a time than it says of the replicas.",
		When: "A rolling update with a partition and maxUnavailable in percent, from 1.38: it is a percentage of the pods " +
			"from the partition up, and no longer of all replicas.",
		WayOut:    "Write the number of pods as maxUnavailable, and no percentage: it means the same in every version.",
		Confirmed: "the real controller code of 1.37.2 and 1.38.0-beta.0",
		Links:     []string{"https://github.com/kubernetes/enhancements/issues/961"},
		shape:     fewerByPercent,
	},
	{
		Name:  "recreate-by-apply",
		Title: "kubectl apply of the strategy Recreate is refused, because the live set has the block rollingUpdate.",
		When: "From 1.38, where a manifest changes updateStrategy.type to Recreate by client-side apply: the API server has " +
			"filled in rollingUpdate when the set was created, and apply does not remove it.",
		WayOut: "Write rollingUpdate: null beside type: Recreate, or kubectl patch with both. A manifest that is to work up " +
			"to 1.37 too cannot have Recreate.",
		Confirmed: "the real API server code of 1.38.0-beta.0",
		Links:     []string{"https://github.com/kubernetes/enhancements/issues/3541"},
		Common:    true,
		Refusal:   true,
		shape:     func(s *model.StatefulSet) bool { return rolling(s) && s.Spec.Strategy.RollingUpdate != nil },
		brings: func(live, wanted *model.StatefulSet) bool {
			return wanted.Spec.Strategy.Type == model.RecreateStrategy && live.Spec.Strategy.RollingUpdate != nil
		},
	},
	{
		Name:      "completed-pod",
		Title:     "A pod whose containers end with exit code 0 stays Completed for ever.",
		When:      "Any StatefulSet, if the phase of a pod becomes Succeeded, for example on a node that shuts down.",
		WayOut:    "Delete the pod: kubectl delete pod.",
		Promise:   "arrives",
		Confirmed: "the real controller code of 1.16 to 1.27",
		Links:     []string{"https://github.com/kubernetes/kubernetes/issues/118310"},
		Common:    true,
		shape:     func(s *model.StatefulSet) bool { return s.Spec.Replicas > 0 },
	},
}

func parallel(s *model.StatefulSet) bool { return s.Spec.PodManagement == model.Parallel }

func rolling(s *model.StatefulSet) bool { return s.Spec.Strategy.Type == model.RollingUpdateStrategy }

// typeOnly says whether the strategy is a rolling update that names only its type: then the API server adds no block.
func typeOnly(s *model.StatefulSet) bool { return rolling(s) && s.Spec.Strategy.RollingUpdate == nil }

// loops says whether a set has the hot loop: a pod comes back from the current revision while status.currentReplicas is
// above its index, and the controller has subtracted the deleted pod from that twice. Of two replicas nothing is left.
func loops(s *model.StatefulSet) bool { return parallel(s) && typeOnly(s) && s.Spec.Replicas > 2 }

// deletesScaled says whether a scale-down deletes claims.
func deletesScaled(s *model.StatefulSet) bool {
	return s.Spec.Retention != nil && s.Spec.Retention.DeleteWhenScaled
}

// updated returns the number of pods that a rolling update reaches, and how many of them it may have down at a time
// from 1.38 on.
func updated(s *model.StatefulSet) (pods, down int) {
	above := *s
	above.Spec.Replicas = int32(max(0, int(s.Spec.Replicas)-s.Partition()))
	return int(above.Spec.Replicas), above.MayBeDown()
}

// fewerByPercent says whether maxUnavailable allows fewer of the pods that an update reaches as a percentage of these
// than as one of all replicas.
func fewerByPercent(s *model.StatefulSet) bool {
	pods, down := updated(s)
	return rolling(s) && down < min(pods, s.MayBeDown())
}

// heldFromBelow says whether pods below the partition can hold up an update, up to 1.37, more than from 1.38 on.
func heldFromBelow(s *model.StatefulSet) bool {
	pods, down := updated(s)
	return parallel(s) && rolling(s) && s.Partition() > 0 && max(0, s.MayBeDown()-s.Partition()) < min(pods, down)
}
