package dump

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/placement"
	"github.com/statefulsim/statefulsim/sim"
)

// mostRivals is the number of other sets with pods that wait for a node up to which they are near a set with such pods.
const mostRivals = 20

// Near returns the part of the state in which a change of a set is tried: the set and those that it shares a
// PodDisruptionBudget, a PVC, the labels of pods or a constraint of the scheduler with, and so on; and its rivals, if
// these are few. All nodes are in it, without the room that all other pods take, the budgets that are about these sets,
// and no Services; of its namespace the pods that belong to no set, too. The objects are shared. The part is worth its
// while from the first other set of a namespace on: with one set of 20 that is stuck, the whole namespace takes an
// eighth more instructions for the same output, and with all of five 1.4 times as many. It costs about as much as
// the part is large; the first call costs O(objects).
//
// The set must be in the dump. Two sets that concern each other by way of a third are both in the part of each.
func (x *Index) Near(key model.Key) *sim.State {
	kin := x.kin()
	near := append([]model.Key{key}, x.rivals(key)...)
	met := map[model.Key]bool{}
	for _, one := range near {
		met[one] = true
	}
	for i := 0; i < len(near); i++ {
		one := x.sets[near[i]]
		for _, other := range kin.candidates(x, one) {
			if key := other.Key(); !met[key] && x.share(one, other) {
				met[key], near = true, append(near, key)
			}
		}
	}
	state := x.Part(near...).State
	kin.addSetless(x.Dump, state, key.Namespace)
	state.Nodes = kin.rooms.For(state)
	state.Budgets = kin.budgetsOf(x, state)
	return state
}

// rivals returns the other sets with pods that wait for a node, if the set has such pods: what becomes free, any of
// them may take. There are none if they are many.
func (x *Index) rivals(key model.Key) []model.Key {
	waiting := x.kin().waiting
	if !slices.Contains(waiting[:min(len(waiting), mostRivals+1)], key) || len(waiting) > mostRivals+1 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(waiting), func(other model.Key) bool { return other == key })
}

// waits says whether a pod of a set waits for a node.
func (x *Index) waits(key model.Key) bool {
	return slices.ContainsFunc(x.Pods(key), func(p *Pod) bool { return p.Node == "" && !p.Finished() })
}

// share says whether two sets concern each other: the scheduler compares their pods or, in one namespace, one selects
// the pods of the other, a budget is for the pods of both, a pod is of one and named like those of the other, or their
// pods use the same claim.
func (x *Index) share(a, b *model.StatefulSet) bool {
	of, with := a.Spec.Template.Labels, b.Spec.Template.Labels
	if a.Namespace != b.Namespace {
		return placement.Concern(a, b)
	}
	if a.Spec.Selector.Matches(with) || b.Spec.Selector.Matches(of) || placement.Concern(a, b) {
		return true
	}
	if slices.ContainsFunc(x.kin().covering(x, a.Namespace, of), func(at int) bool {
		return x.State.Budgets[at].Covers(a.Namespace, with)
	}) {
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
