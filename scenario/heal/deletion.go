package heal

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// goes says whether a run is stuck on the foreground deletion of a set.
func goes(events []timeline.Event, key model.Key) bool {
	return slices.ContainsFunc(events[len(events)-1].Result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == key && (stuck.Why.Rule == model.RuleForegroundDeletion || stuck.Why.Rule == model.RuleClaimOfPod)
	})
}

// gone says whether nothing is left of a set and its pods at the end of a run.
func gone(events []timeline.Event, key model.Key) bool {
	set := End(events).Set(key)
	return set == nil || len(set.Pods) == 0 && !goes(events, key)
}

// waysToGo lists what may bring the deletion of a set to its end: to take the finalizers from claims that pods wait
// for, which harms nobody who wants them gone, and to delete pods by force.
func waysToGo(end *timeline.Fold, key model.Key) []way {
	var free, force []command
	for _, claim := range end.Claims() {
		if claim.Set == key && claim.Terminating {
			free = append(free, claimDeletion(model.Key{Namespace: key.Namespace, Name: claim.Name}, true))
		}
	}
	if set := end.Set(key); set != nil {
		for _, pod := range set.Pods {
			force = append(force, deletion(model.Key{Namespace: key.Namespace, Name: pod.Name}, true))
		}
	}
	list := []way{
		{"taking the finalizers from the claims", free},
		{"deleting the pods by force", force},
		{"both", slices.Concat(free, force)},
	}
	return slices.DeleteFunc(list, func(w way) bool { return len(w.commands) == 0 })
}
