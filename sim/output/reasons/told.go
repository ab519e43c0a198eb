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
