package dump

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
)

// few is how many sets a namespace may have so that all of them are near each other.
const few = 20

// Near returns the part of the state in which a change of a set is tried: the whole namespace or, if it has more than a
// few sets, the set and those that it shares a PodDisruptionBudget, a PVC, the labels of pods or a constraint of the
// scheduler with, and so on. All nodes are in it, without the room that the pods of the others take, the budgets that
// are about these sets, and no Services. The objects are shared. It costs O(objects of the namespace) for each set that
// it finds.
func (x *Index) Near(key model.Key) *sim.State {
	var others []*model.StatefulSet
	for _, set := range x.State.Sets {
		if set.Namespace == key.Namespace {
			others = append(others, set)
		}
	}
	if len(others) <= few {
		return x.Of(key.Namespace)
	}
	near := []model.Key{key}
	for i := 0; i < len(near); i++ {
		one := x.sets[near[i]]
		budgets := x.covering(one)
		others = slices.DeleteFunc(others, func(other *model.StatefulSet) bool {
			if other != one && !x.share(one, other, budgets) {
				return false
			}
			if !slices.Contains(near, other.Key()) {
				near = append(near, other.Key())
			}
			return true
		})
	}
	state := x.Part(near...).State
	var far []*model.Pod
	for _, other := range others {
		for _, pod := range x.Pods(other.Key()) {
			far = append(far, pod.Pod)
		}
	}
	state.Nodes = placement.Without(state.Nodes, far)
	state.Budgets = slices.DeleteFunc(state.Budgets, func(budget *model.Budget) bool { return !covers(budget, state) })
	return state
}

// covering returns the budgets that cover the pods of a set's template.
func (x *Index) covering(set *model.StatefulSet) []*model.Budget {
	var budgets []*model.Budget
	for _, budget := range x.budgets[set.Namespace] {
		if budget.Covers(set.Namespace, set.Spec.Template.Labels) {
			budgets = append(budgets, budget)
		}
	}
	return budgets
}

// covers says whether a budget is about a pod of a state, or about one that a template of the state would make.
func covers(budget *model.Budget, state *sim.State) bool {
	return slices.ContainsFunc(state.Sets, func(set *model.StatefulSet) bool {
		return budget.Covers(set.Namespace, set.Spec.Template.Labels)
	}) || slices.ContainsFunc(state.Revisions, func(revision *model.Revision) bool {
		return budget.Covers(revision.Namespace, revision.Template.Labels)
	}) || slices.ContainsFunc(state.Pods, func(pod Pod) bool {
		return budget.Covers(pod.Namespace, pod.Labels)
	})
}

// share says whether two sets of a namespace concern each other: one selects the pods of the other, the scheduler
// compares their pods, a budget is for the pods of both, a pod is of one and named like those of the other, or their
// pods use the same claim. budgets are those for the pods of the first one.
func (x *Index) share(a, b *model.StatefulSet, budgets []*model.Budget) bool {
	of, with := a.Spec.Template.Labels, b.Spec.Template.Labels
	if a.Spec.Selector.Matches(with) || b.Spec.Selector.Matches(of) ||
		placement.Concern(a.Spec.Template, b.Spec.Template) {
		return true
	}
	if slices.ContainsFunc(budgets, func(budget *model.Budget) bool { return budget.Covers(a.Namespace, with) }) {
		return true
	}
	for _, pod := range x.Pods(a.Key()) {
		for _, other := range x.Pods(b.Key()) {
			if pod == other || slices.ContainsFunc(pod.Volumes, func(v model.Volume) bool {
				return v.Claim != "" && slices.ContainsFunc(other.Volumes, func(w model.Volume) bool { return w.Claim == v.Claim })
			}) {
				return true
			}
		}
	}
	return false
}
