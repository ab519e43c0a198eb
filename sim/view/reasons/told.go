package reasons

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Told is the sentence of a wait in the story of a run: what is missing, and what follows from the rule.
func Told(why model.Why) string {
	if why.Rule == model.RuleParallel {
		return Incomplete(why)
	}
	fact, _, _ := strings.Cut(why.Sentence(), "; ")
	if why.Rule == model.RuleOrderedReplicas {
		return fact + "; OrderedReady: the other pods and the update wait for " + why.Object
	}
	return why.Sentence()
}

// Incomplete is the sentence about something that Parallel does not wait for, although it keeps the StatefulSet
// from being complete.
func Incomplete(why model.Why) string {
	until := " is gone"
	switch why.Code {
	case model.WaitingForReady:
		until = " is Running and Ready"
	case model.WaitingForAvailable:
		until = " has been Ready for minReadySeconds"
	}
	return "not complete until " + why.Object + until
}

// ends are the ends of the waits for a pod, in words for readers who do not know the codes.
var ends = map[model.Code]string{
	model.WaitingForReady: " is Ready", model.WaitingForTermination: " is gone", model.WaitingForPodGone: " is gone",
	model.WaitingForAvailable: " has been Ready for minReadySeconds",
}

// Short says in a few words what a wait is for, or when it ends.
func Short(why model.Why) string {
	switch end := ends[why.Code]; {
	case why.Rule == model.RuleParallel:
		return Incomplete(why)
	case end != "":
		return "until " + why.Object + end
	case why.Code == model.BudgetSpent:
		return "for maxUnavailable"
	case why.Code == model.BelowPartition:
		return "below the partition"
	}
	return strings.TrimSpace(string(why.Code) + " " + why.Object)
}

// CountsPods reports whether the refusal of a pod comes from a quota for the number of pods, which no template
// changes: it says "exceeded quota: NAME, requested: pods=1, used: …".
func CountsPods(refusal string) bool {
	_, rest, exceeded := strings.Cut(refusal, "exceeded quota: ")
	_, rest, asks := strings.Cut(rest, ", requested: ")
	requested, _, _ := strings.Cut(rest, ":")
	for of := range strings.SplitSeq(requested, ",") {
		if exceeded && asks && strings.HasPrefix(strings.TrimPrefix(of, "count/"), "pods=") {
			return true
		}
	}
	return false
}

// OfStore reports whether a write failed in the database of the API server, whatever was written: changing the
// object does not help, and no change is stored.
func OfStore(refusal string) bool { return strings.Contains(refusal, "etcdserver: ") }

// At returns what a run knows, at an instant, about the pod that a set waits for. A missing pod gives a World
// without a node. Finalizers are not in a timeline.
func At(fold *timeline.Fold, set model.Key, pod string, forever bool) World {
	world := World{Namespace: set.Namespace, Forever: forever}
	p := fold.Pod(set, pod)
	if p == nil {
		return world
	}
	world.Node, world.Terminating, world.Shown = p.Node, p.Terminating, p.Shown
	if node := fold.Node(p.Node); node != nil {
		world.Down, world.OutOfService = !node.Up, node.OutOfService
	}
	return world
}

// Named returns the fact and the rule of a reason in words, with the names of both in brackets, so that they can be
// searched for in the documentation.
func Named(why model.Why) string { return why.Sentence() + " (" + Names(why) + ")" }

// Names returns the code of a reason, and its rule if it has one.
func Names(why model.Why) string {
	if why.Rule == model.RuleNone {
		return string(why.Code)
	}
	return string(why.Code) + ", rule " + string(why.Rule)
}
