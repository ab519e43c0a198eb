package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// replaceMisfits returns the attempts for a set whose calls fail because an existing pod cannot be changed into what
// the set wants, for example a pod that was adopted by a set with other claim templates. The pods are deleted one after
// the other, each when the status counts all as Ready again; or all at once, if it does not count them.
func replaceMisfits(x *situation) []attempt {
	var pods []model.Key
	for pod := range x.end.Set(x.given.Key).Pods.All {
		pods = append(pods, model.Key{Namespace: x.set.Namespace, Name: pod.Name})
	}
	invalid := slices.ContainsFunc(x.stuck, func(stuck timeline.Stuck) bool {
		return stuck.Why.Code == model.SyncError && slices.ContainsFunc(pods, func(pod model.Key) bool {
			return strings.HasPrefix(stuck.Error, fmt.Sprintf("Pod %q is invalid", pod.Name))
		})
	})
	if !invalid {
		return nil
	}
	var counted play.Script
	for _, pod := range pods {
		counted = counted.Then(play.Delete(pod, false), play.WaitForReady(x.given.Key, len(pods)))
	}
	const one = " one after the other, since they cannot be updated in place"
	return []attempt{
		{what: "deleting " + names(pods) + one, script: counted},
		{what: "deleting " + names(pods) + " at once, since they cannot be updated in " +
			"place", script: deletePods(pods, false)},
	}
}
