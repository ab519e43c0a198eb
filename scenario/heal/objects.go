package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// ofClaims returns the attempts for a set that waits for a claim: one that is not removed, or one that gets no volume.
func (s *Stuck) ofClaims(set *model.StatefulSet, sick *sick) []attempt {
	var free, recreate play.Script
	var going, waiting []string
	for _, claim := range End(s.Events).Claims() {
		name := model.Key{Namespace: set.Namespace, Name: claim.Name}
		switch {
		case claim.Set != set.Key():
		case claim.Terminating:
			free, going = append(free, play.DeleteClaim(name, true)), append(going, claim.Name)
		case claim.Phase == model.ClaimPending.String():
			recreate, waiting = append(recreate, play.DeleteClaim(name, false)), append(waiting, claim.Name)
		}
	}
	var list []attempt
	if isStuckFor(s.Events, s.Key, model.ClaimTerminating) {
		list = append(list, attempt{what: "removing the finalizers of " + strings.Join(going, ", "), script: free,
			danger: reasons.VolumeDanger(going)})
	}
	list = append(list, s.ofReach(sick)...)
	if len(recreate) == 0 {
		return list
	}
	what, remove := strings.Join(waiting, ", "), recreate.Then(deletePods(sick.down, false)...)
	if len(sick.down) > 0 {
		what += " and " + names(sick.down)
	}
	list = append(list, attempt{what: "deleting " + what, script: remove})
	for _, from := range s.classes(set) {
		a := attempt{what: "recreating the StatefulSet with a storage class, the PVC and the pod",
			danger: reasons.OrphanDanger(set.Key())}
		class := s.class()
		if class == "" {
			class, a.needs = "CLASS", "CLASS is a StorageClass of the cluster (kubectl get storageclass)"
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

// ofReach returns the attempt for pods whose volumes can only be used on nodes that are gone: new volumes, with nothing
// in them. There is none as long as a node is cordoned, which may be the one.
func (s *Stuck) ofReach(sick *sick) []attempt {
	if len(sick.cordoned) > 0 {
		return nil
	}
	var script play.Script
	var claims []string
	var pods []model.Key
	for i := range s.State.Pods {
		p := &s.State.Pods[i]
		if p.Node != "" || !slices.Contains(sick.down, p.Key()) {
			continue
		}
		before := len(claims)
		for _, claim := range s.State.Claims {
			if claim.Namespace == p.Namespace && claim.Reach != "" && claim.Phase == model.ClaimBound &&
				slices.ContainsFunc(p.Volumes, func(v model.Volume) bool { return v.Claim == claim.Name }) {
				script, claims = append(script, play.DeleteClaim(claim.Key(), false)), append(claims, claim.Name)
			}
		}
		if len(claims) > before {
			pods = append(pods, p.Key())
		}
	}
	if len(claims) == 0 {
		return nil
	}
	return []attempt{{what: "deleting " + strings.Join(claims, ", ") + " and " + names(pods),
		script: script.Then(deletePods(pods, false)...), danger: reasons.VolumeDanger(claims)}}
}

// classes returns the storage classes of the claim templates that may be wrong: "" if one names no class, so that a
// cluster without a default class provides none, and those of which no claim has a volume.
func (s *Stuck) classes(set *model.StatefulSet) []string {
	var list []string
	for i := range set.Spec.ClaimTemplates {
		t := &set.Spec.ClaimTemplates[i]
		class := play.ClassOf(t)
		switch {
		case class == "" && !play.Classless(t), slices.Contains(list, class):
		case class == "" || !slices.Contains(s.provided(), class):
			list = append(list, class)
		}
	}
	return list
}

// class returns a storage class that has given a claim a volume, "" if none is known.
func (s *Stuck) class() string {
	if classes := s.provided(); len(classes) > 0 {
		return classes[0]
	}
	return ""
}

// provided returns the storage classes that have given claims their volumes.
func (s *Stuck) provided() []string {
	var list []string
	for _, claim := range s.State.Claims {
		class := play.ClassOf(&model.ClaimTemplate{Data: claim.Data})
		if class != "" && claim.Phase == model.ClaimBound && !slices.Contains(list, class) {
			list = append(list, class)
		}
	}
	return list
}

// ofNames returns the attempts for a set whose pod names are taken: by pods without an owner that its selector does not
// match, or by pods of another owner.
func (s *Stuck) ofNames(set *model.StatefulSet) []attempt {
	var strangers []model.Key
	for i := range s.State.Pods {
		p := &s.State.Pods[i]
		if ordinal := set.OrdinalOf(p.Name); ordinal >= 0 && p.Namespace == set.Namespace && !p.Terminating() {
			if owner := p.Controller(); owner == nil || owner.UID != set.UID {
				strangers = append(strangers, p.Key())
			}
		}
	}
	if len(strangers) == 0 {
		return nil
	}
	list := []attempt{{what: "deleting " + names(strangers) + ", which do not belong to the StatefulSet",
		script: deletePods(strangers, false), danger: "only if nobody needs " + names(strangers)}}
	if len(strangers) == 1 {
		list[0].what = "deleting " + names(strangers) + ", which does not belong to the StatefulSet"
	}
	if labels := labelsFor(set); s.orphans(strangers) && len(labels) > 0 {
		list = append(list, attempt{what: "labelling " + names(strangers) + " so that the StatefulSet adopts " +
			pronoun(strangers), script: play.Script{play.Label(strangers, labels)},
			needs: names(strangers) + " belonged to this StatefulSet before, and only the labels differ"})
	}
	return list
}

// pronoun returns the pronoun for some pods.
func pronoun(pods []model.Key) string {
	if len(pods) == 1 {
		return "it"
	}
	return "them"
}

// orphans says whether all of these pods have no owner.
func (s *Stuck) orphans(pods []model.Key) bool {
	return !slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return slices.Contains(pods, p.Key()) && p.Controller() != nil
	})
}

// labelsFor returns the labels by which a set selects its pods, as far as its selector names values.
func labelsFor(set *model.StatefulSet) map[string]string {
	labels := map[string]string{}
	for _, need := range set.Spec.Selector.Needs {
		if need.Op == model.OpEquals && len(need.Values) == 1 {
			labels[need.Label] = need.Values[0]
		}
	}
	return labels
}

// unfit returns the attempts for a set whose calls fail because an existing pod cannot be changed into what the set
// wants, for example a pod that was adopted by a set with other claim templates. The pods are deleted one after the
// other, each when the status counts all as Ready again; or all at once, if it does not count them.
func (s *Stuck) unfit(set *model.StatefulSet) []attempt {
	var pods []model.Key
	for pod := range End(s.Events).Set(s.Key).Pods.All {
		pods = append(pods, model.Key{Namespace: set.Namespace, Name: pod.Name})
	}
	invalid := slices.ContainsFunc(s.Events[len(s.Events)-1].Result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == s.Key && stuck.Why.Code == model.SyncError && slices.ContainsFunc(pods, func(pod model.Key) bool {
			return strings.HasPrefix(stuck.Error, fmt.Sprintf("Pod %q is invalid", pod.Name))
		})
	})
	if !invalid {
		return nil
	}
	var counted play.Script
	for _, pod := range pods {
		counted = counted.Then(play.Delete(pod, false), play.WaitForReady(s.Key, len(pods)))
	}
	const one = " one after the other, since they cannot be updated in place"
	return []attempt{
		{what: "deleting " + names(pods) + one, script: counted},
		{what: "deleting " + names(pods) + " at once, since they cannot be updated in " +
			"place", script: deletePods(pods, false)},
	}
}
