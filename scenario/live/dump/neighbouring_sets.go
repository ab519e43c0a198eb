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
	// at is the place of each set in the dump. labelled are the sets by the labels of their templates.
	at       map[*model.StatefulSet]int
	labelled map[label][]*model.StatefulSet
	// asking are the sets, and budgets the places of the budgets, by their selectors. looking are the sets by a label of
	// each term with which their pods look for others, the one that the fewest templates have, and ports by the ports of
	// nodes that they take.
	asking  keyed.Selectors[*model.StatefulSet]
	budgets keyed.Selectors[int]
	looking map[label][]*model.StatefulSet
	ports   map[int32][]*model.StatefulSet
	// users are the sets whose pods use a claim. waiting are the sets with pods that wait for a node.
	users   map[model.Key][]*model.StatefulSet
	waiting []model.Key
	// setless are the places of the pods that concern no set, by namespace, and taken those of them that have a port of a
	// node, and holders those that use a claim.
	setless map[string][]int
	taken   map[int32][]int
	holders map[model.Key][]int
	rooms   *placement.Rooms
}

// kinOf returns the kin of a dump's sets. It costs O(objects).
func kinOf(x *Index) *kin {
	k := &kin{
		at: map[*model.StatefulSet]int{}, labelled: map[label][]*model.StatefulSet{},
		looking: map[label][]*model.StatefulSet{}, ports: map[int32][]*model.StatefulSet{}, users: map[model.Key][]*model.StatefulSet{}, setless: map[string][]int{},
		taken: map[int32][]int{}, holders: map[model.Key][]int{},
		rooms: x.memory().Rooms(x.State),
	}
	for i, set := range x.State.Sets {
		k.at[set] = i
		for _, of := range labelsOfAny(set.Namespace, set.Spec.Template.Labels) {
			k.labelled[of] = append(k.labelled[of], set)
		}
	}
	for i, budget := range x.State.Budgets {
		if budget.Selects != nil {
			k.budgets.Add(budget.Namespace, budget.Selects, i)
		}
	}
	for _, set := range x.State.Sets {
		k.add(x, set)
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

// add adds a set by what it asks for.
func (k *kin) add(x *Index, set *model.StatefulSet) {
	k.asking.Add(set.Namespace, &set.Spec.Selector, set)
	looks, ports := placement.Looks(set)
	for i := range looks {
		for _, rarest := range k.lookedFor(&looks[i]) {
			k.looking[rarest] = append(k.looking[rarest], set)
		}
	}
	for _, port := range ports {
		k.ports[port] = append(k.ports[port], set)
	}
	for _, p := range x.Pods(set.Key()) {
		for _, v := range p.Volumes {
			if claim := (model.Key{Namespace: p.Namespace, Name: v.Claim}); v.Claim != "" {
				k.users[claim] = append(k.users[claim], set)
			}
		}
	}
	if x.waits(set.Key()) {
		k.waiting = append(k.waiting, set.Key())
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

// rarest returns the label that the fewest templates of a namespace have; the one of all if there is none.
func (k *kin) rarest(namespace string, list []placement.Label) label {
	if len(list) == 0 {
		return label{namespace: namespace}
	}
	return label{namespace, slices.MinFunc(list, func(a, b placement.Label) int {
		return cmp.Compare(len(k.labelled[label{namespace, a}]), len(k.labelled[label{namespace, b}]))
	})}
}

// lookedFor returns a label of all pods that a set looks for, for each namespace.
func (k *kin) lookedFor(look *placement.Look) []label {
	if look.Anywhere {
		return []label{k.rarest("", look.Labels)}
	}
	var list []label
	for _, namespace := range look.Namespaces {
		list = append(list, k.rarest(namespace, look.Labels))
	}
	return list
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

// candidates returns the sets that may share something with a set, in the order of the dump, each once: more than do,
// but none is left out that does.
func (k *kin) candidates(x *Index, set *model.StatefulSet) []*model.StatefulSet {
	found := map[*model.StatefulSet]bool{}
	add := func(sets []*model.StatefulSet) {
		for _, set := range sets {
			found[set] = true
		}
	}
	own := set.Spec.Template.Labels
	add(k.labelled[k.rarest(set.Namespace, asksFor(&set.Spec.Selector))])
	for _, at := range k.budgets.Matching(nil, set.Namespace, own) {
		add(k.labelled[k.rarest(set.Namespace, asksFor(x.State.Budgets[at].Selects))])
	}
	looks, ports := placement.Looks(set)
	for i := range looks {
		for _, rarest := range k.lookedFor(&looks[i]) {
			add(k.labelled[rarest])
		}
	}
	add(k.asking.Matching(nil, set.Namespace, own))
	for _, of := range labelsOfAny(set.Namespace, own) {
		add(k.looking[of])
	}
	for _, port := range ports {
		add(k.ports[port])
	}
	for _, p := range x.Pods(set.Key()) {
		for _, key := range setsOf(p.Pod) {
			if other := x.sets[key]; other != nil {
				found[other] = true
			}
		}
		for _, v := range p.Volumes {
			add(k.users[model.Key{Namespace: p.Namespace, Name: v.Claim}])
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b *model.StatefulSet) int { return cmp.Compare(k.at[a], k.at[b]) })
}

// mostRivals is the number of other sets with pods that wait for a node up to which they are near a set with such pods.
const mostRivals = 20

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
	if slices.ContainsFunc(x.kin().budgets.Matching(nil, a.Namespace, of), func(at int) bool {
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
