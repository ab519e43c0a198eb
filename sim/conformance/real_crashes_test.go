//go:build real

package conformance_test

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// CrashOfScaleDown is where 1.22 may crash: with the gate StatefulSetMinReadySeconds it reads the name of the first
// unhealthy pod, for a log, when a Ready pod that is not available yet is to be removed in order; all pods are healthy
// there, so that there is no such pod. The pods that the sync adopts count as well.
func CrashOfScaleDown(profile statefulset.Profile, view model.View) bool {
	return profile.MinReadySeconds && view.Set().Spec.PodManagement == model.OrderedReady && !view.Set().Terminating() &&
		(scaleDownWaits(view) || scaleDownWaits(view.With(view.Orphans())))
}

// scaleDownWaits says whether all pods are healthy, and the highest condemned one alone is not available yet.
func scaleDownWaits(view model.View) bool {
	healthy := model.Want{Has: model.IsRunning | model.IsReady, Lacks: model.IsTerminating}
	available := healthy
	available.Has |= model.IsAvailable
	condemned := view.Len(model.Condemned)
	return view.FirstNot(model.Replicas, 0, available) == view.Len(model.Replicas) &&
		view.FirstNot(model.Condemned, 0, healthy) == condemned &&
		condemned > 0 && view.FirstNot(model.Condemned, 0, available) == 0
}

// CrashWithoutPolicy is where 1.24 may crash: with the gate StatefulSetAutoDeletePVC it reads the policy of a set that
// has none, which can only be one from before the gate was on, as soon as it finds a claim.
func CrashWithoutPolicy(profile statefulset.Profile, view model.View) bool {
	spec := &view.Set().Spec
	return profile.Retention && spec.Retention == nil && len(spec.ClaimTemplates) > 0
}
