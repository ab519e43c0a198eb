package plan

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// assumedClaims says which claims the pod templates name that neither stream has and no claim template makes.
func assumedClaims(in *pair.Input, sets []*stored.Set) []string {
	const most = 4
	var names []string
	for _, s := range sets {
		if s.Fate != stored.Accepted {
			continue
		}
		for _, name := range s.Pair.New.ClaimsNamed() {
			key := model.Key{Namespace: s.Key().Namespace, Name: name}
			if !in.HasClaim(key) && !slices.ContainsFunc(sets, func(other *stored.Set) bool { return other.Makes(key) }) {
				names = append(names, name+" of "+s.Key().String())
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Neither OLD nor NEW has the %s %s. Assumed: %s.",
		render.Agree(len(names), "PersistentVolumeClaim", "PersistentVolumeClaims"), render.List(names, most),
		render.Agree(len(names), "it exists and is Bound", "they exist and are Bound"))}
}

// beside are remarks on budgets that change, on what pods read and NEW lacks, and on fields that the version drops.
func beside(in *pair.Input, all []*stored.Set, version string) []string {
	list := slices.Concat(budgetsMoved(in, all), budgetsOfNothing(in, all), in.ClaimsChanged())
	for _, s := range all {
		for _, scaler := range in.Scalers[s.Pair.Key] {
			if s.Fate == stored.Unchanged && !slices.Contains(in.OldScalers[s.Pair.Key], scaler) {
				list = append(list, fmt.Sprintf("%s: the %s, which OLD does not have, sets the number of replicas too. Leave "+
					"spec.replicas out of the manifest.", s.Key(), scaler))
			}
		}
		if s.Pair.New == nil || s.Fate == stored.Refused || s.Fate == stored.Invalid {
			continue
		}
		list = append(list, s.Dropped(version)...)
		var gone []string
		for _, t := range pair.Reads(s.Newest().Spec.Template, s.Newest().Namespace) {
			if slices.Contains(in.Gone, t) && (in.State == nil || in.Both(t.Kind)) {
				gone = append(gone, t.String())
			}
		}
		if len(gone) > 0 {
			list = append(list, fmt.Sprintf("%s: its pods read %s, which OLD has and NEW does not. If %s, a pod that is "+
				"created later does not start, unless the reference is optional.", s.Key(), render.And(gone),
				render.Agree(len(gone), "it is deleted", "they are deleted")))
		}
	}
	return list
}

// budgetsMoved says which budgets of both streams change what they ask for, and what they ask for then.
func budgetsMoved(in *pair.Input, all []*stored.Set) []string {
	var list []string
	for _, b := range in.Budgets {
		at := slices.IndexFunc(in.OldBudgets, func(old *model.Budget) bool { return old.Key() == b.Key() })
		if at < 0 {
			continue
		}
		was, is := asks(in.OldBudgets[at]), asks(b)
		if selects(in.OldBudgets[at]) != selects(b) {
			was, is = was+" of "+selects(in.OldBudgets[at]), is+" of "+selects(b)
		}
		if was == is {
			continue
		}
		pods := 0
		for _, s := range all {
			if set := s.Newest(); set != nil && b.Covers(set.Namespace, set.Spec.Template.Labels) {
				pods += int(set.Spec.Replicas)
			}
		}
		text := fmt.Sprintf("PodDisruptionBudget %s changes from %s to %s", b.Name, was, is)
		switch needs := int(b.Desired(int32(pods))); {
		case pods == 0:
			text += ", and selects no pod of these StatefulSets"
		case needs >= pods:
			text += fmt.Sprintf(": it asks for %d of %d pods, so no pod can be evicted, and the drain of a node with one of "+
				"them never ends", needs, pods)
		default:
			text += fmt.Sprintf(": it asks for %d of %d pods", needs, pods)
		}
		list = append(list, text+".")
	}
	return list
}

// budgetsOfNothing says which budgets of NEW select no pod, where it has no other pods than those of StatefulSets.
func budgetsOfNothing(in *pair.Input, all []*stored.Set) []string {
	if in.State != nil || in.HasOtherPods() {
		return nil
	}
	var list []string
	for _, b := range in.NewBudgets {
		if !slices.ContainsFunc(all, func(s *stored.Set) bool {
			set := s.Newest()
			return set != nil && b.Covers(set.Namespace, set.Spec.Template.Labels)
		}) {
			list = append(list, fmt.Sprintf("PodDisruptionBudget %s selects no pod of these StatefulSets: it asks for %s.", b.Name,
				selects(b)))
		}
	}
	return list
}

func asks(b *model.Budget) string {
	switch {
	case b.MinAvailable != nil:
		return "minAvailable " + b.MinAvailable.String()
	case b.MaxUnavailable != nil:
		return "maxUnavailable " + b.MaxUnavailable.String()
	}
	return "no bound"
}

func selects(b *model.Budget) string {
	if b.Selects == nil {
		return "no pods"
	}
	return "pods with " + b.Selects.Data
}
