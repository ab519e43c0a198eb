package dump

import (
	"cmp"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// label is a label with its value in a namespace, or in any if that is "". The one without a name is that of all.
type label struct {
	namespace string
	placement.Label
}

// kin finds the sets that may concern a set, and what else is near it, without a look at all objects. It does not
// change after kinOf.
type kin struct {
	// of is the first set of the dump that each set concerns, itself or by way of others, as a place in the dump, and with
	// are the places of the sets that concern each other by the first of them.
	of   map[model.Key]int
	with map[int][]int
	// budgets are the places of the budgets by their selectors. waiting are the sets with pods that wait for a node.
	budgets keyed.Selectors[int]
	waiting []model.Key
	// setless are the places of the pods that concern no set, by namespace, and taken those of them that have a port of a
	// node, and holders those that use a claim.
	setless map[string][]int
	taken   map[int32][]int
	holders map[model.Key][]int
	rooms   *placement.Rooms
}

// kinOf returns the kin of a dump's sets. It costs O(objects), and as much as sets concern each other.
func kinOf(x *Index) *kin {
	k := &kin{of: map[model.Key]int{}, with: map[int][]int{}, setless: map[string][]int{}, taken: map[int32][]int{},
		holders: map[model.Key][]int{}, rooms: x.memory().Rooms(x.State)}
	for i, budget := range x.State.Budgets {
		if budget.Selects != nil {
			k.budgets.Add(budget.Namespace, budget.Selects, i)
		}
	}
	k.join(x)
	for _, set := range x.State.Sets {
		if slices.ContainsFunc(x.Pods(set.Key()), func(p *Pod) bool { return p.Node == "" && !p.Finished() }) {
			k.waiting = append(k.waiting, set.Key())
		}
	}
	for i := range x.State.Pods {
		if p := x.State.Pods[i].Pod; !slices.ContainsFunc(setsOf(p), x.Has) {
			k.setless[p.Namespace] = append(k.setless[p.Namespace], i)
			for _, volume := range p.Volumes {
				claim := model.Key{Namespace: p.Namespace, Name: volume.Claim}
				k.holders[claim] = append(k.holders[claim], i)
			}
			for _, port := range placement.Ports(p) {
				k.taken[port] = append(k.taken[port], i)
			}
		}
	}
	return k
}

// join joins the sets that concern each other: the scheduler compares their pods or, in one namespace, one selects the
// pods of the other, a budget is for the pods of both, a pod is of one and named like those of the other, or their pods
// use the same claim.
func (k *kin) join(x *Index) {
	labelled, first := map[label][]int{}, make([]int, len(x.State.Sets))
	for i, set := range x.State.Sets {
		first[i] = i
		for _, of := range labelsOfAny(set.Namespace, set.Spec.Template.Labels) {
			labelled[of] = append(labelled[of], i)
		}
	}
	root := func(at int) int {
		for first[at] != at {
			first[at] = first[first[at]]
			at = first[at]
		}
		return at
	}
	meet := func(a, b int) {
		a, b = root(a), root(b)
		first[max(a, b)] = min(a, b)
	}
	// shared has the first set that has something which concerns all that have it: a budget, a port, a claim, a pod.
	shared := map[any]int{}
	has := func(at int, what any) {
		if _, known := shared[what]; !known {
			shared[what] = at
		}
		meet(at, shared[what])
	}
	rarest := func(namespace string, asked []placement.Label) []int {
		return rarest(labelled, namespace, asked)
	}
	for i, set := range x.State.Sets {
		for _, j := range rarest(set.Namespace, asksFor(&set.Spec.Selector)) {
			if set.Spec.Selector.Matches(x.State.Sets[j].Spec.Template.Labels) {
				meet(i, j)
			}
		}
		looks, ports := placement.Looks(set)
		for _, look := range looks {
			if look.Anywhere {
				look.Namespaces = []string{""}
			}
			for _, namespace := range look.Namespaces {
				for _, j := range rarest(namespace, look.Labels) {
					if root(i) != root(j) && placement.Concern(set, x.State.Sets[j]) {
						meet(i, j)
					}
				}
			}
		}
		for _, port := range ports {
			has(i, port)
		}
		for _, budget := range k.budgets.Matching(nil, set.Namespace, set.Spec.Template.Labels) {
			has(i, budget)
		}
		for _, p := range x.Pods(set.Key()) {
			has(i, p)
			for _, v := range p.Volumes {
				if v.Claim != "" {
					has(i, model.Key{Namespace: p.Namespace, Name: v.Claim})
				}
			}
		}
	}
	for i, set := range x.State.Sets {
		k.of[set.Key()] = root(i)
		k.with[root(i)] = append(k.with[root(i)], i)
	}
}

// asksFor returns the labels that a selector asks for by their values.
func asksFor(selector *model.Selector) []placement.Label {
	var list []placement.Label
	for _, need := range selector.Needs {
		if (need.Op == model.OpEquals || need.Op == model.OpIn) && len(need.Values) == 1 {
			list = append(list, placement.Label{Name: need.Label, Value: need.Values[0]})
		}
	}
	return list
}

// rarest returns the sets of a namespace with the one of some labels that the fewest templates have; all of the namespace
// if there is none.
func rarest(labelled map[label][]int, namespace string, asked []placement.Label) []int {
	if len(asked) == 0 {
		return labelled[label{namespace: namespace}]
	}
	return labelled[label{namespace, slices.MinFunc(asked, func(a, b placement.Label) int {
		return cmp.Compare(len(labelled[label{namespace, a}]), len(labelled[label{namespace, b}]))
	})}]
}

// labelsOfAny returns labels as a namespace has them, and as any has them, with that of all.
func labelsOfAny(namespace string, labels map[string]string) []label {
	list := []label{{namespace: namespace}, {}}
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		of := placement.Label{Name: name, Value: labels[name]}
		list = append(list, label{namespace, of}, label{"", of})
	}
	return list
}

// mostRivals is the number of other sets with pods that wait for a node up to which they are near a set with such pods.
const mostRivals = 20

// near returns the sets that concern a set, and those that concern its rivals: the other sets with pods that wait for a
// node, if it has such pods, for what becomes free, any of them may take. It has no rivals if they are many. The set
// itself is the first, the others are in the order of the dump.
func (k *kin) near(x *Index, key model.Key) []model.Key {
	of := map[int]bool{k.of[key]: true}
	if len(k.waiting) <= mostRivals+1 && slices.Contains(k.waiting, key) {
		for _, rival := range k.waiting {
			of[k.of[rival]] = true
		}
	}
	var places []int
	for first := range of {
		places = append(places, k.with[first]...)
	}
	slices.Sort(places)
	list := []model.Key{key}
	for _, at := range places {
		if other := x.State.Sets[at].Key(); other != key {
			list = append(list, other)
		}
	}
	return list
}
