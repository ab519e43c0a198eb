package dump

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
)

// mostRivals is the number of other sets with pods that wait for a node up to which they are near a set with such pods.
const mostRivals = 20

// Near returns the part of the state in which a change of a set is tried: the set and those that it shares a
// PodDisruptionBudget, a PVC, the labels of pods or a constraint of the scheduler with, and so on; and its rivals, if
// these are few. All nodes are in it, without the room that all other pods take, the budgets that are about these sets,
// and no Services; of its namespace the pods that belong to no set, too. The objects are shared. The part is worth its
// while from the first other set of a namespace on: with one set of 20 that is stuck, the whole namespace takes an
// eighth more instructions for the same output, and with all of five 1.4 times as many. It costs O(sets) for each set
// that it finds, and O(pods).
//
// The set must be in the dump. Two sets that concern each other by way of a third are both in the part of each.
func (x *Index) Near(key model.Key) *sim.State {
	near := append([]model.Key{key}, x.rivals(key)...)
	others := slices.Clone(x.State.Sets)
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
	x.addSetless(state, key.Namespace)
	state.Nodes = x.without(state.Pods)
	state.Budgets = slices.DeleteFunc(state.Budgets, func(budget *model.Budget) bool { return !covers(budget, state) })
	return state
}

// addSetless adds to a part the pods of a namespace that concern no set of the dump, and their claims.
func (x *Index) addSetless(part *sim.State, namespace string) {
	for i := range x.State.Pods {
		p := x.State.Pods[i]
		if p.Namespace != namespace || slices.ContainsFunc(setsOf(p.Pod), x.Has) {
			continue
		}
		part.Pods = append(part.Pods, p)
		for _, claim := range x.ClaimsOf(p.Pod) {
			if !slices.Contains(part.Claims, claim) {
				part.Claims = append(part.Claims, claim)
			}
		}
	}
}

// rivals returns the other sets with pods that wait for a node, if the set has such pods: what becomes free, any of
// them may take. There are none if they are many.
func (x *Index) rivals(key model.Key) (rivals []model.Key) {
	if !x.waits(key) {
		return nil
	}
	for _, set := range x.State.Sets {
		if set.Key() != key && x.waits(set.Key()) {
			rivals = append(rivals, set.Key())
		}
	}
	if len(rivals) > mostRivals {
		return nil
	}
	return rivals
}

// waits says whether a pod of a set waits for a node.
func (x *Index) waits(key model.Key) bool {
	return slices.ContainsFunc(x.Pods(key), func(p *Pod) bool { return p.Node == "" && !p.Finished() })
}

// without returns the nodes with the room that all pods leave but these.
func (x *Index) without(pods []Pod) []sim.NodeState {
	near := make(map[*model.Pod]bool, len(pods))
	for i := range pods {
		near[pods[i].Pod] = true
	}
	var far []*model.Pod
	for i := range x.State.Pods {
		if pod := x.State.Pods[i].Pod; !near[pod] {
			far = append(far, pod)
		}
	}
	return placement.Without(x.State.Nodes, far)
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

// share says whether two sets concern each other: the scheduler compares their pods or, in one namespace, one selects
// the pods of the other, a budget is for the pods of both, a pod is of one and named like those of the other, or their
// pods use the same claim. budgets are those for the pods of the first one.
func (x *Index) share(a, b *model.StatefulSet, budgets []*model.Budget) bool {
	of, with := a.Spec.Template.Labels, b.Spec.Template.Labels
	if a.Namespace != b.Namespace {
		return placement.Concern(a, b)
	}
	if a.Spec.Selector.Matches(with) || b.Spec.Selector.Matches(of) || placement.Concern(a, b) {
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
