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

// waysToGo lists what may bring the deletion of a set to its end: to delete its pods once more, which ends their own
// wait for the claims that they own, and to delete them by force.
func waysToGo(end *timeline.Fold, key model.Key) []way {
	set := end.Set(key)
	if set == nil {
		return nil
	}
	var again, force []command
	for _, pod := range set.Pods {
		name := model.Key{Namespace: key.Namespace, Name: pod.Name}
		again, force = append(again, deletion(name, false)), append(force, deletion(name, true))
	}
	return []way{{"deleting the pods once more", again}, {"deleting the pods by force", force}}
}
