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
	if len(recreate) == 0 {
		return list
	}
	what, remove := strings.Join(waiting, ", "), recreate.Then(deletePods(sick.down, false)...)
	if len(sick.down) > 0 {
		what += " and " + names(sick.down)
	}
	list = append(list, attempt{what: "deleting " + what, script: remove})
	if s.classless(set) {
		class, needs := s.class(), ""
		if class == "" {
			class, needs = "CLASS", "CLASS is a StorageClass of the cluster (kubectl get storageclass)"
		}
		list = append(list, attempt{
			what:   "recreating the StatefulSet with a storage class, the PVC and the pod",
			script: play.WithClass(set.Key(), class).Then(remove...), danger: reasons.OrphanDanger(set.Name), needs: needs,
		})
	}
	return list
}

// classless says whether a claim template of the set names no storage class, so that a cluster without a default class
// provides none.
func (s *Stuck) classless(set *model.StatefulSet) bool {
	return slices.ContainsFunc(set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool { return play.Classless(&t) })
}

// class returns a storage class that has given a claim a volume, "" if none is known.
func (s *Stuck) class() string {
	for _, claim := range s.State.Claims {
		const key = `"storageClassName":"`
		if at := strings.Index(claim.Data, key); at >= 0 && claim.Phase == model.ClaimBound {
			name, _, _ := strings.Cut(claim.Data[at+len(key):], `"`)
			return name
		}
	}
	return ""
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
// other, each when the previous one is Ready again; or all at once, if the status does not count them.
func (s *Stuck) unfit(set *model.StatefulSet) []attempt {
	var pods []model.Key
	for _, pod := range End(s.Events).Set(s.Key).Pods {
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
	var counted, each play.Script
	for i, pod := range pods {
		counted = counted.Then(play.Delete(pod, false), play.WaitForReady(s.Key, len(pods)))
		each = each.Then(play.Delete(pod, false), play.WaitForReady(s.Key, i+1))
	}
	const one = " one after the other, since they cannot be updated in place"
	return []attempt{
		{what: "deleting " + names(pods) + one, script: counted},
		{what: "deleting " + names(pods) + one, script: each},
		{what: "deleting " + names(pods) + " at once, since they cannot be updated in " +
			"place", script: deletePods(pods, false)},
	}
}
