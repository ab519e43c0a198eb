// Package reasons says in words why a StatefulSet waits, what releases it and what the ways out cost, true of the world
// in which it waits: a pod that terminates on a node that is down is not released by its grace period. It is the one
// place for that: run, explain, plan and the report page use it. The fact and the rule alone, which every timeline
// carries, are model.Why's own.
package reasons

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// World is what is known, at the instant of a wait, of the pod that it is for. The zero value is nothing.
type World struct {
	// Namespace is that of the set.
	Namespace string
	// Node is the node of the pod, Down says that it is not heard of, OutOfService that it has the taint of that name.
	Node               string
	Down, OutOfService bool
	// Terminating says that the pod is being deleted.
	Terminating bool
	// Finalizers are those of the pod that nobody but their owners takes away.
	Finalizers []string
	// Forever says that nothing that is pending will change anything.
	Forever bool
	// Shown is what kubectl shows of the pod in place of its phase, Message what is said of it.
	Shown, Message string
}

// Release says what releases a wait.
func Release(why model.Why, w World) string {
	switch why.Code {
	case model.WaitingForReady:
		return ready(why, w)
	case model.WaitingForAvailable:
		return "ends when " + why.Object + " has been Ready for minReadySeconds"
	case model.WaitingForTermination, model.WaitingForPodGone:
		return gone(why, w)
	case model.BudgetSpent:
		return "ends when one of the unavailable pods becomes available, or when maxUnavailable is raised"
	case model.BelowPartition:
		return "ends when the partition is lowered; the StatefulSet may stay like this"
	case model.OnDelete:
		return "ends when somebody deletes the old pods; the StatefulSet may stay like this"
	}
	return others(why)
}

func ready(why model.Why, w World) string {
	pod := why.Object
	switch {
	case w.Terminating:
		return gone(why, w)
	case w.Down:
		return w.Node + " is down: it has to come back, or " + pod + " has to be deleted there"
	case w.Shown != "":
		return fmt.Sprintf("ends when what keeps %s in %s is repaired, or when it is deleted or no longer required by the "+
			"spec", pod, w.Shown)
	}
	return "ends when " + pod + " becomes Ready, is deleted, or is no longer required by the spec"
}

// gone says what lets a pod go.
func gone(why model.Why, w World) string {
	pod := why.Object
	switch {
	case why.Rule == model.RuleClaimOfPod:
		return "ends when somebody deletes " + pod + " once more: kubectl deletes in the background, which ends the deadlock"
	case len(w.Finalizers) > 0:
		return fmt.Sprintf("ends when whoever put the finalizer %s on %s takes it away; neither a grace period nor --force "+
			"does that", strings.Join(w.Finalizers, ", "), pod)
	case w.Down && w.OutOfService:
		return fmt.Sprintf("%s is down and out of service: the pod garbage collector deletes %s by force", w.Node, pod)
	case w.Down:
		return fmt.Sprintf("%s is down, and only its kubelet can say that the process of %s has ended. The ways out: "+
			"%s comes back; or, only if its machine is surely off, kubectl taint nodes %s "+
			"node.kubernetes.io/out-of-service=nodeshutdown:NoExecute, or kubectl delete node %s; or, only if the process "+
			"has surely ended, %s", w.Node, pod, w.Node, w.Node, w.Node, force(w.Namespace, pod))
	case w.Forever:
		return fmt.Sprintf("ends when %s is gone, but its containers do not end: its kubelet has to end them; or, only if "+
			"its process has surely ended, %s", pod, force(w.Namespace, pod))
	}
	return "ends when " + pod + " is gone: its containers end, at the latest after its grace period"
}

func force(namespace, pod string) string {
	return fmt.Sprintf("kubectl -n %s delete pod %s --force --grace-period=0", namespace, pod)
}

func others(why model.Why) string {
	switch why.Code {
	case model.ClaimTerminating:
		return "ends when PVC " + why.Object + " is gone; the controller tries again, with growing delays"
	case model.StaleClaim:
		return "ends when PVC " + why.Object + " is gone and something wakes the controller, which does not watch PVCs: " +
			"any change of the StatefulSet, such as an annotation"
	case model.SetDeleting:
		return "nothing: the StatefulSet is being deleted; in the foreground it is gone when the last of its pods is"
	case model.StaleCache:
		return "ends when the cache shows the controller's own writes"
	case model.DrainBlocked:
		return "ends when a pod of the budget becomes healthy, when the budget allows more disruptions, or when the pod is " +
			"deleted instead of evicted"
	case model.TakenForGone:
		return "ends when something wakes the controller, which believes that " + why.Object + " is gone: any change of " +
			"the StatefulSet, such as an annotation"
	case model.Unnoticed:
		return "ends when something wakes the controller, which has missed what became of " + why.Object + ": any change " +
			"of the StatefulSet, such as an annotation, or the resync of its informers"
	case model.SyncError:
		return "ends when the call succeeds: the controller tries again, with growing delays"
	case model.NothingToDo:
		return "ends with a change of the StatefulSet or of one of its pods"
	}
	return "nothing known"
}

// Dangers are what must be true before a command is used that can do harm. Each is a sentence for its line.

// ForceDanger is that of the deletion of a pod by force.
func ForceDanger(pods ...string) string {
	of := "the process of " + strings.Join(pods, ", ")
	if len(pods) > 1 {
		of = "each process of " + strings.Join(pods, ", ")
	}
	return "only if " + of + " has surely ended: nobody asks its kubelet, and a process that still runs is a second one " +
		"of the same identity"
}

// OutOfServiceDanger is that of the taint out-of-service.
func OutOfServiceDanger(node string) string {
	return fmt.Sprintf("only if the machine of %s is surely off: its volumes are detached, and its pods start elsewhere",
		node)
}

// DeleteNodeDanger is that of the deletion of a node.
func DeleteNodeDanger(node string) string {
	return fmt.Sprintf("only if the machine of %s is surely off, or gone for good: its pods start elsewhere", node)
}

// FinalizerDanger is that of taking finalizers away.
func FinalizerDanger(object string, finalizers []string) string {
	return fmt.Sprintf("only if what %s of %s waits for is done, or not wanted any more", strings.Join(finalizers, ", "),
		object)
}

// OrphanDanger is that of a deletion that leaves the pods behind.
func OrphanDanger(set string) string {
	return fmt.Sprintf("only with the manifest of %s at hand: until the set is there again nobody replaces its pods", set)
}

// VolumeDanger is that of what deletes volumes.
func VolumeDanger(claims []string) string {
	return fmt.Sprintf("only if the data of %s may be lost, or is saved", strings.Join(claims, ", "))
}
