package plan

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// beside are remarks on what changes beside the sets and matters to their pods: budgets, and what the pods read and NEW
// no longer has. Fields that the version drops are among them, since nothing of a set may change because of that.
func beside(in *pair.Input, all []*stored.Set, version string) []string {
	list := budgetsMoved(in, all)
	for _, s := range all {
		if s.Pair.New == nil || s.Fate == stored.Refused || s.Fate == stored.Invalid {
			continue
		}
		list = append(list, dropped(s, version)...)
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

// dropped names the fields of a manifest that the version does not know, so that its API server drops them silently.
func dropped(s *stored.Set, version string) []string {
	var list []string
	asked, err := s.Pair.New.New(s.Key().Namespace)
	if err != nil {
		return nil
	}
	for _, f := range manifest.VersionedFields {
		given := f.Text(&asked.Spec)
		if given != "" && f.Text(&s.Newest().Spec) != given {
			list = append(list, fmt.Sprintf("%s: Kubernetes %s drops %s: %s, since it does not have the field or its feature "+
				"gate is off.", s.Key(), version, f.Path, given))
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

// asks is what a budget asks for.
func asks(b *model.Budget) string {
	switch {
	case b.MinAvailable != nil:
		return "minAvailable " + b.MinAvailable.String()
	case b.MaxUnavailable != nil:
		return "maxUnavailable " + b.MaxUnavailable.String()
	}
	return "no bound"
}

// selects is which pods a budget is for.
func selects(b *model.Budget) string {
	if b.Selects == nil {
		return "no pods"
	}
	return "pods with " + b.Selects.Data
}
