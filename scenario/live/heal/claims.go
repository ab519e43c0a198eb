package heal

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// freeClaims returns the attempts for a set that waits for a claim that is not removed, or that gets no volume.
func freeClaims(x *situation) []attempt {
	set := x.set
	var free, recreate play.Script
	var going, waiting []string
	used := func(claim string) bool {
		return slices.ContainsFunc(x.blocking, func(o obstacle) bool { return o.has == thePVC+claim })
	}
	for _, claim := range x.end.Claims() {
		name := model.Key{Namespace: set.Namespace, Name: claim.Name}
		switch {
		case claim.Set != set.Key():
		case claim.Terminating && used(claim.Name):
			// Nobody pulls a volume from under a pod that uses it: the pod has to go first.
		case claim.Terminating:
			free, going = append(free, play.DeleteClaim(name, true)), append(going, claim.Name)
		case claim.Phase == model.ClaimPending.String() && x.awaited(claim.Name):
			recreate, waiting = append(recreate, play.DeleteClaim(name, false)), append(waiting, claim.Name)
		}
	}
	var list []attempt
	if x.stuckFor(model.ClaimTerminating) >= 0 && len(free) > 0 {
		list = append(list, attempt{what: "removing the finalizers of " + strings.Join(going, ", "), script: free,
			danger: reasons.VolumeDanger(going)})
	}
	list = append(list, newVolumes(x)...)
	if len(recreate) == 0 {
		return list
	}
	what, remove := strings.Join(waiting, ", "), recreate.Then(deletePods(x.down, false)...)
	if len(x.down) > 0 {
		what += " and " + names(x.down)
	}
	list = append(list, attempt{what: "deleting " + what, script: remove})
	for _, from := range doubtfulClasses(x) {
		a := attempt{what: "recreating the StatefulSet with a storage class, the PVC and the pod",
			danger: reasons.OrphanDanger(set.Key())}
		class := "CLASS"
		if given := provided(x.given.State.Claims); len(given) > 0 {
			class = given[0]
		} else {
			a.needs = "CLASS is a StorageClass of the cluster (kubectl get storageclass)"
		}
		if from != "" {
			a.what = "recreating the StatefulSet with another storage class, the PVC and the pod"
			a.needs = "the storage class " + from + " does not exist, or gives no volumes, and " + class +
				" is a StorageClass of the cluster that does (kubectl get storageclass)"
		}
		a.script = play.WithClass(set.Key(), from, class).Then(remove...)
		list = append(list, a)
	}
	return list
}

// rebind returns the attempt that gives volumes with the data of earlier PVCs to the PVCs of the same names.
func rebind(x *situation) []attempt {
	var script play.Script
	var volumes []string
	var claims []model.Key
	for _, p := range x.unready() {
		for _, claim := range x.shown().ClaimsOf(p.Pod) {
			if volume := x.shown().Claims[claim.Key()].Released; volume != "" && x.shown().Waits(claim) {
				script = append(script, play.Deed{Verb: "patch", Kubectl: shell.FreeVolume(volume)})
				volumes, claims = append(volumes, volume), append(claims, claim.Key())
			}
		}
	}
	lab := x.freed(x.down)
	bound := sim.ClaimRule{Times: sim.ClaimTimes{Bind: behaviour.Constant(0)}}
	bound.Match.That = func(claim *model.Claim) bool { return slices.Contains(claims, claim.Key()) }
	lab.World.Volumes.Rules = append([]sim.ClaimRule{bound}, lab.World.Volumes.Rules...)
	return []attempt{{what: "giving " + strings.Join(volumes, ", ") + " to " + strings.Join(play.NamesOf(claims), ", "),
		script: script, lab: lab, frees: true, needs: "the data of the earlier PVC is what the pod is to have"}}
}

// awaited reports whether a pod at the end of the run uses a claim. A Pending claim of a pod that does not exist holds
// nothing up: the controller makes it before the pod, and it may get its volume only when its pod has a node.
func (x *situation) awaited(claim string) bool {
	return slices.ContainsFunc(x.set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
		return slices.ContainsFunc(slices.Concat(x.down, x.going, x.held), func(pod model.Key) bool {
			return t.Name+"-"+pod.Name == claim
		})
	})
}

// newVolumes returns the attempt for pods whose volumes can only be used on nodes that are gone: new volumes, with
// nothing in them. There is none as long as a node is cordoned, which may be the one.
func newVolumes(x *situation) []attempt {
	if len(x.cordoned) > 0 {
		return nil
	}
	var script play.Script
	var claims []string
	var pods []model.Key
	for i := range x.given.State.Pods {
		p := &x.given.State.Pods[i]
		if p.Node != "" || !slices.Contains(x.down, p.Key()) {
			continue
		}
		its := 0
		for _, claim := range x.given.State.Claims {
			if claim.Namespace == p.Namespace && claim.Reach != "" && claim.Phase == model.ClaimBound && uses(p, claim.Name) {
				script, claims = append(script, play.DeleteClaim(claim.Key(), false)), append(claims, claim.Name)
				its++
			}
		}
		if its > 0 {
			pods = append(pods, p.Key())
		}
	}
	if len(claims) == 0 {
		return nil
	}
	return []attempt{{what: "deleting " + strings.Join(claims, ", ") + " and " + names(pods),
		script: script.Then(deletePods(pods, false)...), danger: reasons.VolumeDanger(claims)}}
}

// doubtfulClasses returns the storage classes of the claim templates that may be wrong: "" if one names no class, so
// that a cluster without a default class provides none, and those of which no claim has a volume.
func doubtfulClasses(x *situation) []string {
	var list []string
	for i := range x.set.Spec.ClaimTemplates {
		t := &x.set.Spec.ClaimTemplates[i]
		class := play.ClassOf(t)
		switch {
		case class == "" && !play.Classless(t), slices.Contains(list, class):
		case class == "" || !slices.Contains(provided(x.given.State.Claims), class):
			list = append(list, class)
		}
	}
	return list
}

// provided returns the storage classes that have given claims their volumes.
func provided(claims []*model.Claim) []string {
	var list []string
	for _, claim := range claims {
		class := dump.ClassOf(claim)
		if class != "" && claim.Phase == model.ClaimBound && !slices.Contains(list, class) {
			list = append(list, class)
		}
	}
	return list
}
