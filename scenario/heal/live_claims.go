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

// ofClaims are the ways for a set that a claim holds up: one that does not go, one that gets no volume.
func (l *Live) ofClaims(set *model.StatefulSet, s *sick) []attempt {
	var free, anew play.Script
	var going, waiting []string
	for _, claim := range End(l.Events).Claims() {
		name := model.Key{Namespace: set.Namespace, Name: claim.Name}
		switch {
		case claim.Set != set.Key():
		case claim.Terminating:
			free, going = append(free, play.DeleteClaim(name, true)), append(going, claim.Name)
		case claim.Phase == model.ClaimPending.String():
			anew, waiting = append(anew, play.DeleteClaim(name, false)), append(waiting, claim.Name)
		}
	}
	var list []attempt
	if stuckFor(End(l.Events), l.Key, model.ClaimTerminating) {
		list = append(list, attempt{what: "taking the finalizers from " + strings.Join(going, ", "), script: free,
			danger: reasons.VolumeDanger(going)})
	}
	if len(anew) == 0 {
		return list
	}
	remove := anew.Then(deletePods(s.down, false)...)
	list = append(list, attempt{what: "deleting " + strings.Join(waiting, ", ") + " and " + names(s.down), script: remove})
	if l.classless(set) {
		list = append(list, attempt{
			what:   "recreating the StatefulSet with a storage class, the PVC and the pod",
			script: withClass(set, l.class()).Then(remove...), danger: reasons.OrphanDanger(set.Name),
			needs: needsClass(l.class()),
		})
	}
	return list
}

func needsClass(class string) string {
	if class == "" {
		return "CLASS is a StorageClass of the cluster (kubectl get storageclass)"
	}
	return ""
}

// classless says whether a claim template of a set names no storage class.
func (l *Live) classless(set *model.StatefulSet) bool {
	return slices.ContainsFunc(set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
		return !strings.Contains(t.Data, `"storageClassName":"`)
	})
}

// class is a storage class of which a claim has its volume, "" where none is known.
func (l *Live) class() string {
	for _, claim := range l.State.Claims {
		const key = `"storageClassName":"`
		if at := strings.Index(claim.Data, key); at >= 0 && claim.Phase == model.ClaimBound {
			name, _, _ := strings.Cut(claim.Data[at+len(key):], `"`)
			return name
		}
	}
	return ""
}

// withClass recreates a set over its pods, with a storage class in the claim templates that name none.
func withClass(set *model.StatefulSet, class string) play.Script {
	key, word := set.Key(), class
	if word == "" {
		word = "CLASS"
	}
	text := fmt.Sprintf("kubectl -n %s get statefulset %s -o json | "+
		"jq '.spec.volumeClaimTemplates[].spec.storageClassName //= \"%s\"' | "+
		"kubectl replace --force --cascade=orphan -f -", key.Namespace, key.Name, word)
	var before *model.StatefulSet
	return play.Script{
		{Verb: "delete", Kubectl: text, Act: func(u *sim.User) sim.Outcome {
			before = u.Set(key)
			if err := u.DeleteSet(key, sim.Orphan); err != nil {
				return play.Refused(err)
			}
			return sim.Outcome{Effect: timeline.Deleted, Removed: []model.Key{key}}
		}},
		{Verb: "create", Does: "recreate " + key.Name + " with a storage class", Prompt: true,
			Act: func(u *sim.User) sim.Outcome {
				next := &model.StatefulSet{Meta: model.Meta{
					Namespace: key.Namespace, Name: key.Name, Labels: before.Labels, Annotations: before.Annotations,
				}, Spec: before.Spec}
				next.Spec.ClaimTemplates = slices.Clone(before.Spec.ClaimTemplates)
				for i := range next.Spec.ClaimTemplates {
					if t := &next.Spec.ClaimTemplates[i]; !strings.Contains(t.Data, `"storageClassName":"`) {
						t.Data = strings.TrimSuffix(t.Data, "}") + fmt.Sprintf(`,"storageClassName":%q}`, word)
					}
				}
				stored, err := u.Create(next)
				return play.Stored(timeline.Created, stored, err)
			}},
	}
}

// ofNames are the ways for a set whose pods' names are taken: by pods of nobody that its selector does not match, or by
// those of another.
func (l *Live) ofNames(set *model.StatefulSet) []attempt {
	var strangers []model.Key
	for i := range l.State.Pods {
		p := &l.State.Pods[i]
		if ordinal := set.OrdinalOf(p.Name); ordinal >= 0 && p.Namespace == set.Namespace && !p.Terminating() {
			if owner := p.Controller(); owner == nil || owner.UID != set.UID {
				strangers = append(strangers, p.Key())
			}
		}
	}
	if len(strangers) == 0 {
		return nil
	}
	list := []attempt{{what: "deleting " + names(strangers) + ", which are not its own",
		script: deletePods(strangers, false), danger: "only if nobody needs " + names(strangers)}}
	if labels := labelsFor(set); l.orphans(strangers) && len(labels) > 0 {
		list = append(list, attempt{what: "labelling " + names(strangers) + " so that the StatefulSet adopts them",
			script: play.Script{play.Label(strangers, labels)}})
	}
	return list
}

// orphans says whether pods belong to nobody.
func (l *Live) orphans(pods []model.Key) bool {
	return !slices.ContainsFunc(l.State.Pods, func(p sim.PodState) bool {
		return slices.Contains(pods, p.Key()) && p.Controller() != nil
	})
}

// labelsFor are the labels by which a set selects its pods.
func labelsFor(set *model.StatefulSet) map[string]string {
	labels := map[string]string{}
	for _, need := range set.Spec.Selector.Needs {
		if need.Op == model.OpEquals && len(need.Values) == 1 {
			labels[need.Label] = need.Values[0]
		}
	}
	return labels
}

// toDrain are the ways to get a pod away that a budget keeps on its node.
func (l *Live) toDrain(set *model.StatefulSet) []attempt {
	pod := model.Key{Namespace: set.Namespace, Name: l.drained().Why.Object}
	list := []attempt{
		{what: "one replica more", script: play.Script{play.Scale(set.Key(), set.Spec.Replicas+1)}},
		{what: "deleting " + pod.Name + " in place of evicting it", script: deletePods([]model.Key{pod}, false)},
	}
	for _, b := range l.State.Budgets {
		covers := slices.ContainsFunc(l.State.Pods, func(p sim.PodState) bool {
			return p.Key() == pod && b.Covers(p.Namespace, p.Labels)
		})
		if covers {
			list = append(list, attempt{what: "a budget that allows one disruption", script: play.Script{loosen(b)}})
		}
	}
	return list
}

// loosen lets a budget allow one disruption.
func loosen(b *model.Budget) play.Deed {
	key := b.Key()
	return play.Deed{
		Verb: "patch", Does: "let the budget " + b.Name + " allow one disruption",
		Kubectl: fmt.Sprintf(`kubectl -n %s patch pdb %s --type merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`,
			b.Namespace, b.Name),
		Act: func(u *sim.User) sim.Outcome {
			next := *u.Budget(key)
			next.MinAvailable, next.MaxUnavailable = nil, &model.IntOrPercent{Value: 1}
			u.PutBudget(&next)
			return sim.Outcome{Effect: timeline.Configured}
		},
	}
}
