package placement

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// matches reports whether a selector matches some labels. For the keys in `same` (matchLabelKeys) the values must
// equal the asking pod's, which has the labels own; for the keys in `other` (mismatchLabelKeys) they must differ. A
// key that the asking pod does not have is left out.
func matches(selector labels.Selector, same, other []string, own, of map[string]string) bool {
	for _, key := range same {
		if value, has := own[key]; has && of[key] != value {
			return false
		}
	}
	for _, key := range other {
		value, has := own[key]
		if is, there := of[key]; has && there && is == value {
			return false
		}
	}
	return selector.Matches(labels.Set(of))
}

// meetOthers looks where the pods are that the pod must or must not be with, and those that must not be with it.
func (t *attempt) meetOthers() {
	t.own, t.theirs = map[pair]bool{}, map[pair]bool{}
	t.beside = make([]map[string]bool, len(t.wants.near))
	t.metNobody = true
	for i := range t.beside {
		t.beside[i] = map[string]bool{}
	}
	for at, n := range t.nodes {
		if t.cares(&t.Places[at]) {
			for _, other := range t.Places[at].Pods() {
				t.meet(n, other)
			}
		}
	}
}

// cares reports whether it matters which pods are at a place: to the pod, or to one of them.
func (t *attempt) cares(place *sim.Place) bool {
	return len(t.wants.near)+len(t.wants.apart) > 0 || slices.ContainsFunc(place.Tallies(), func(others sim.Tally) bool {
		return templated(others.Template).Repels()
	})
}

// meet notes where another pod is, which runs on n. Affinity counts a pod only if all terms are about it, as upstream
// does; each anti-affinity term counts for itself.
func (t *attempt) meet(n *node, other *model.Pod) {
	if t.allNear(other) {
		for i := range t.wants.near {
			if value, has := n.Labels[t.wants.near[i].topology]; has {
				t.beside[i][value] = true
				t.metNobody = false
			}
		}
	}
	note := func(terms []term, of, about *model.Pod, in map[pair]bool) {
		for i := range terms {
			key := terms[i].topology
			if value, has := n.Labels[key]; has && t.filter.everywhere(key) && terms[i].selects(of, about) {
				in[pair{key, value}] = true
			}
		}
	}
	note(t.wants.apart, t.Pod, other, t.own)
	note(constraintsOf(other).apart, other, t.Pod, t.theirs)
}

// allNear reports whether all terms of the pod's affinity are about another pod; false if it has none.
func (t *attempt) allNear(other *model.Pod) bool {
	for i := range t.wants.near {
		if !t.wants.near[i].selects(t.Pod, other) {
			return false
		}
	}
	return len(t.wants.near) > 0
}

// company checks that the pod is, on a node, with the pods that it must be with, and without pods that exclude it
// or that it excludes (the plugin InterPodAffinity). The first pod of a group that must be with itself may be
// placed anywhere.
func (t *attempt) company(n *node) sim.Refusal {
	alone := t.metNobody && t.allNear(t.Pod)
	for i := range t.wants.near {
		near := &t.wants.near[i]
		if near.unknown || !t.filter.everywhere(near.topology) {
			continue
		}
		value, has := n.Labels[near.topology]
		if !has || !t.beside[i][value] && !alone {
			return sim.Refusal{Reasons: []string{"node(s) didn't match pod affinity rules"}}
		}
	}
	if among(t.own, n) {
		return sim.Refusal{Reasons: []string{"node(s) didn't match pod anti-affinity rules"}, Preemptible: true}
	}
	if among(t.theirs, n) {
		return sim.Refusal{Reasons: []string{"node(s) didn't satisfy existing pods anti-affinity rules"}, Preemptible: true}
	}
	return sim.Refusal{}
}

// among reports whether a node is in one of the topologies.
func among(pairs map[pair]bool, n *node) bool {
	if len(pairs) == 0 {
		// Most pods keep from no others, and each node is asked.
		return false
	}
	for key := range sorted(n.Labels) {
		if pairs[pair{key, n.Labels[key]}] {
			return true
		}
	}
	return false
}
