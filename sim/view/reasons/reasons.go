// Package reasons says in words why a StatefulSet waits, what ends the wait and what the ways out cost. It looks at
// the world: the grace period does not end the wait for a pod on a node that is down. Run, explain, plan and the
// report page all use it, so that they never say different things about one wait. The fact and the rule alone, which
// every timeline has, are the words of model.Why.
//
// The results of Release and the dangers have no full stop at the end and start with a lower-case letter, unless
// they start with a name, so that callers can put them into a sentence. They must be true in the given World, not
// only likely.
package reasons

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// NeverConverges describes a controller, or a version, in a livelock, as the rest of a sentence. Run, explain, plan
// and upgrade all use these words.
const NeverConverges = "keeps writing and never converges"

// World holds what is known, at the instant of a wait, about the awaited pod. The zero value knows nothing; a text
// then says what holds for any pod.
type World struct {
	// Namespace is the namespace of the set.
	Namespace string
	// Node is the node of the pod, "" if it is not bound or not known. Down means that the node does not answer,
	// OutOfService that it has the out-of-service taint.
	Node               string
	Down, OutOfService bool
	// Terminating is true if the pod is being deleted.
	Terminating bool
	// Finalizers are the finalizers of the pod that only their owners remove.
	Finalizers []string
	// Forever is true if no pending event will change anything: the wait lasts until someone acts.
	Forever bool
	// Over is true if no container of the pod runs.
	Over bool
	// Shown is the status that kubectl shows instead of the phase, such as ImagePullBackOff.
	Shown string
}

// Release says what ends a wait, as a clause like "ends when web-0 is gone". Every wait in model.Codes has its own
// clause; for any other code the end is not known.
func Release(why model.Why, w World) string {
	switch why.Code {
	case model.WaitingForReady:
		return ready(why, w)
	case model.WaitingForAvailable:
		return "ends when " + why.Object + " has been Ready for minReadySeconds"
	case model.WaitingForTermination, model.WaitingForPodGone:
		return gone(why, w)
	case model.BudgetSpent:
		return budget(why)
	case model.BelowPartition:
		return "ends when the partition is lowered; the StatefulSet may stay like this"
	case model.OnDelete:
		return "ends when somebody deletes the old pods; the StatefulSet may stay like this"
	}
	return others(why)
}

// ready says what ends the wait for a pod that is not Ready.
func ready(why model.Why, w World) string {
	pod := why.Object
	switch {
	case w.Terminating:
		return gone(why, w)
	case w.Down:
		return w.Node + " is down: the wait ends when it comes back, or when " + pod + " is deleted there"
	case w.Shown != "":
		return fmt.Sprintf("ends when the cause of %s of %s is fixed, and it becomes Ready", w.Shown, pod)
	}
	return "ends when " + pod + " becomes Ready"
}

// gone says what ends the wait for a pod that terminates. The cases are ordered by what helps most: a finalizer
// holds the object even if its node is back, and a node that is down must be dealt with before any command.
func gone(why model.Why, w World) string {
	pod := why.Object
	switch {
	case why.Rule == model.RuleClaimOfPod:
		return "ends when somebody deletes " + pod + " once more: kubectl deletes in the background, which ends the deadlock"
	case len(w.Finalizers) > 0:
		return fmt.Sprintf("ends when the owner of the finalizer %s of %s removes it; neither a grace period nor --force "+
			"does that", strings.Join(w.Finalizers, ", "), pod)
	case w.Down && w.OutOfService:
		return fmt.Sprintf("%s is down and out of service: the pod garbage collector deletes %s by force", w.Node, pod)
	case w.Down:
		return fmt.Sprintf("%s is down, and only its kubelet can say that the process of %s has ended. The wait "+
			"ends when %s comes back. Only if its machine is certainly off: %s, or %s. Only if the process "+
			"has certainly ended: %s", w.Node, pod, w.Node, shell.OutOfService(w.Node),
			shell.Kubectl("delete", "node", w.Node), force(w.Namespace, pod))
	case w.Forever && w.Over:
		return fmt.Sprintf("ends when %s is gone: no container of it runs, but its kubelet does not finish with it. Only if "+
			"its volumes are unmounted there: %s", pod, force(w.Namespace, pod))
	case w.Forever:
		return fmt.Sprintf("ends when %s is gone, but its containers do not stop. Its kubelet has to stop them. Only if "+
			"its process has certainly ended: %s", pod, force(w.Namespace, pod))
	}
	return "ends when " + pod + " is gone: its containers stop, at the latest after its grace period"
}

// force is the command that deletes a pod's object without asking its kubelet. It never comes without its condition.
func force(namespace, pod string) string {
	return shell.DeletePods(namespace, true, pod)
}

// budget says what ends the wait for maxUnavailable: fewer unavailable pods than it allows. If it allows none, no
// pod that becomes available helps.
func budget(why model.Why) string {
	raised := ", or when maxUnavailable is raised"
	switch back := why.Have - why.Want + 1; {
	case why.Want == 0:
		return "ends when maxUnavailable is raised"
	case why.Have == 1:
		return "ends when " + why.Object + " becomes available" + raised
	case back == 1:
		return "ends when one of the unavailable pods becomes available" + raised
	default:
		return fmt.Sprintf("ends when %d of the unavailable pods become available", back) + raised
	}
}

// others says what ends the waits that are not for a pod.
func others(why model.Why) string {
	switch why.Code {
	case model.ClaimTerminating:
		return "ends when PVC " + why.Object + " is gone; the controller tries again, with growing delays"
	case model.StaleClaim:
		return "ends when PVC " + why.Object + " is gone and something wakes the controller, which does not watch PVCs: " +
			"any change of the StatefulSet, such as an annotation"
	case model.SetDeleting:
		return "ends when the StatefulSet is gone; if it is deleted in the foreground, its pods are gone before it"
	case model.StaleCache:
		return "ends when the cache shows the controller's own writes"
	case model.DrainBlocked:
		return "ends when a pod of the budget becomes healthy, when the budget allows more disruptions, or when the pod is " +
			"deleted instead of evicted"
	case model.TakenForGone:
		return "ends when something wakes the controller, which believes that " + why.Object + " is gone: any change of " +
			"the StatefulSet, such as an annotation"
	case model.Unnoticed:
		return "ends when something wakes the controller, which has missed a change of " + why.Object + ": any change " +
			"of the StatefulSet, such as an annotation, or the resync of its informers"
	case model.SyncError:
		return "ends when the call succeeds: the controller tries again, with growing delays"
	case model.NothingToDo:
		return "ends with a change of the StatefulSet or of one of its pods"
	}
	return "it is not known what ends it"
}

// A danger is a clause with the condition that must be true before a harmful command is used.

// ForceDanger returns the danger of deleting pods by force.
func ForceDanger(pods ...string) string {
	of := "the process of " + strings.Join(pods, ", ")
	if len(pods) > 1 {
		of = "each process of " + strings.Join(pods, ", ")
	}
	return "only if " + of + " has certainly ended. Nobody waits for the kubelet: if the process still runs, two " +
		"processes have the same identity"
}

// OutOfServiceDanger returns the danger of the out-of-service taint.
func OutOfServiceDanger(node string) string {
	return fmt.Sprintf("only if the machine of %s is certainly off. Its volumes are detached, and its pods start "+
		"elsewhere", node)
}

// DeleteNodeDanger returns the danger of deleting a node.
func DeleteNodeDanger(node string) string {
	return fmt.Sprintf("only if the machine of %s is certainly off, or gone for good. Its pods start elsewhere", node)
}

// DetachDanger returns the danger of detaching a volume from a node that nothing shows any more.
func DetachDanger(node string) string {
	return fmt.Sprintf("only if the machine of %s is certainly off, or gone for good. If it still writes to the volume, "+
		"the data is destroyed", node)
}

// FinalizerDanger returns the danger of removing finalizers.
func FinalizerDanger(object string, finalizers []string) string {
	return fmt.Sprintf("only if the work behind the finalizer %s of %s is done, or no longer "+
		"needed", strings.Join(finalizers, ", "), object)
}

// OrphanDanger returns the danger of deleting a StatefulSet without its pods.
func OrphanDanger(set model.Key) string {
	save := shell.Into(shell.In(set.Namespace, "get", "statefulset", set.Name, "-o", "yaml"), set.Name+".yaml")
	return fmt.Sprintf("only if you have the manifest of %s. Save it first (%s). If the second half of this command "+
		"fails, the StatefulSet is gone, and nothing replaces its pods", set.Name, save)
}

// BudgetDanger returns the danger of deleting a pod whose PodDisruptionBudgets do not allow its eviction.
func BudgetDanger(pod string, budgets []string) string {
	n := len(budgets)
	return fmt.Sprintf("only if the PodDisruptionBudget%s %s may be violated. A deletion ignores %s, and %s is "+
		"missing until it is Ready again", render.Agree(n, "", "s"), strings.Join(budgets, ", "),
		render.Agree(n, "it", "them"), pod)
}

// BareDanger returns the danger of draining a node with pods that have no controller.
func BareDanger(pods []string) string {
	it := render.Agree(len(pods), "it", "them")
	return fmt.Sprintf("only if nobody needs %s. --force deletes %s too, and no controller creates %s again",
		render.List(pods, 8), it, it)
}

// VolumeDanger returns the danger of deleting volumes; "" if there are none.
func VolumeDanger(claims []string) string {
	if len(claims) == 0 {
		return ""
	}
	return fmt.Sprintf("only if the data of %s is backed up, or no longer needed. This deletes it", render.List(claims, 8))
}

// WorkDanger returns the danger of deleting a pod while its init container works.
func WorkDanger(pod, container string) string {
	return fmt.Sprintf("only if the log of the init container %s of %s shows that it does not get further. A migration, "+
		"a copy or a restore that it works at is broken off, and the new pod begins it again, or goes without it",
		container, pod)
}
