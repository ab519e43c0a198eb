package reasons

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Told is the sentence of a wait in the story of a run: what is not there yet, and what the rule makes of it.
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

// Incomplete is the sentence of what Parallel does not wait for, although the StatefulSet is not complete before.
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

// ends are the ends of the waits for a pod, in the words of those who do not know the codes.
var ends = map[model.Code]string{
	model.WaitingForReady: " is Ready", model.WaitingForTermination: " is gone", model.WaitingForPodGone: " is gone",
	model.WaitingForAvailable: " has been Ready for minReadySeconds",
}

// Short says in a few words until when a wait is, or what is waited for.
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
