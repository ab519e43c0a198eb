package dump

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// places says where in a state the objects are, so that nobody has to look through all of them.
type places struct {
	// pods are the indexes of the pods by their names. sets are those of the pods that concern a set: those that it
	// owns, and those that have its names. Neither asks whether the set exists.
	pods map[model.Key]int
	sets map[model.Key][]int
	// claims are the indexes of the claims by their names, namespaces are those that have pods.
	claims     map[model.Key]int
	namespaces map[string]bool
	// users are the indexes of the pods that use a claim, each once, whether it exists or not.
	users map[model.Key][]int
}

// placesOf returns the places of the objects of a state. It costs O(objects).
func placesOf(state *sim.State) *places {
	x := &places{
		pods: map[model.Key]int{}, sets: map[model.Key][]int{}, claims: map[model.Key]int{},
		namespaces: map[string]bool{}, users: map[model.Key][]int{},
	}
	for i := range state.Pods {
		x.addPod(state.Pods[i].Pod, i)
	}
	for i, claim := range state.Claims {
		x.addClaim(claim, i)
	}
	return x
}

// addPod adds a pod and its index. The first one of a name counts.
func (x *places) addPod(pod *model.Pod, at int) {
	if _, known := x.pods[pod.Key()]; !known {
		x.pods[pod.Key()] = at
	}
	x.namespaces[pod.Namespace] = true
	for _, set := range setsOf(pod) {
		x.sets[set] = append(x.sets[set], at)
	}
	for _, v := range pod.Volumes {
		claim := model.Key{Namespace: pod.Namespace, Name: v.Claim}
		if users := x.users[claim]; v.Claim != "" && (len(users) == 0 || users[len(users)-1] != at) {
			x.users[claim] = append(users, at)
		}
	}
}

// addClaim adds a claim and its index. The first one of a name counts.
func (x *places) addClaim(claim *model.Claim, at int) {
	if _, known := x.claims[claim.Key()]; !known {
		x.claims[claim.Key()] = at
	}
}

// setsOf returns the sets that a pod concerns, if they exist: its owner, and the set whose name it has.
func setsOf(pod *model.Pod) []model.Key {
	parent, _ := model.SplitPodName(pod.Name)
	keys := []model.Key{{Namespace: pod.Namespace, Name: parent}}
	if owner := pod.Controller(); owner != nil && owner.Name != parent {
		keys = append(keys, model.Key{Namespace: pod.Namespace, Name: owner.Name})
	}
	return keys
}

// found returns the places of the dump's objects. A dump that was not read, but put together, is small and has none.
// Then each call costs O(objects).
func (d *Dump) found() *places {
	if d.places == nil {
		return placesOf(d.State)
	}
	return d.places
}

// Pod returns a pod of the dump, nil if it has none of that name. The pointer is into State.
func (d *Dump) Pod(key model.Key) *Pod {
	at, known := d.found().pods[key]
	if !known {
		return nil
	}
	return &d.State.Pods[at]
}

// Node returns a node of the dump, nil if it has none of that name. The pointer is into State.
func (d *Dump) Node(name string) *sim.NodeState {
	for i := range d.State.Nodes {
		if d.State.Nodes[i].Name == name {
			return &d.State.Nodes[i]
		}
	}
	return nil
}

// Claim returns a claim of the dump, nil if it has none of that name.
func (d *Dump) Claim(key model.Key) *model.Claim {
	at, known := d.found().claims[key]
	if !known {
		return nil
	}
	return d.State.Claims[at]
}

// ClaimsOf returns the claims of a pod that exist, in the order of the dump.
func (d *Dump) ClaimsOf(p *model.Pod) []*model.Claim {
	var all []int
	claims := d.found().claims
	for _, volume := range p.Volumes {
		if at, known := claims[model.Key{Namespace: p.Namespace, Name: volume.Claim}]; known {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	var list []*model.Claim
	for _, at := range slices.Compact(all) {
		list = append(list, d.State.Claims[at])
	}
	return list
}

// podsAt returns those of the pods at some places that are meant. The pointers are into State.
func (d *Dump) podsAt(places []int, is func(*Pod) bool) (pods []*Pod) {
	for _, at := range places {
		if p := &d.State.Pods[at]; is(p) {
			pods = append(pods, p)
		}
	}
	return pods
}

// Users returns the pods that use a claim. The pointers are into State.
func (d *Dump) Users(claim model.Key) []*Pod {
	return d.podsAt(d.found().users[claim], func(*Pod) bool { return true })
}

// Siblings returns the pods with the controller of a pod, itself among them, in the order of the dump, from State.
func (d *Dump) Siblings(p *Pod) []*Pod {
	owner := p.Controller()
	if owner == nil {
		return nil
	}
	return d.podsAt(d.found().sets[model.Key{Namespace: p.Namespace, Name: owner.Name}], func(other *Pod) bool {
		return other.Controller() != nil && other.Controller().UID == owner.UID
	})
}

// PodsOf returns the pods that a set owns, sorted by ordinal. The pointers are into State.
func (d *Dump) PodsOf(set *model.StatefulSet) []*Pod {
	pods := d.podsAt(d.found().sets[set.Key()], func(p *Pod) bool { return owns(set, p.Pod) })
	slices.SortStableFunc(pods, func(a, b *Pod) int {
		return cmp.Compare(set.OrdinalOf(a.Name), set.OrdinalOf(b.Name))
	})
	return pods
}

// named returns the pods that have the owner, or the name, that ownerName gives a pod. The pointers are into State.
// They are in the order of the dump.
func (d *Dump) named(namespace, owner string) []*Pod {
	of := model.Key{Namespace: namespace, Name: owner}
	return d.podsAt(d.found().sets[of], func(p *Pod) bool { return ownerName(p.Pod) == owner })
}

// ReplicaOf returns the ordinal of the replica that a claim is made for, -1 if it is made for none.
func ReplicaOf(set *model.StatefulSet, claim string) int {
	for i := range set.Spec.ClaimTemplates {
		if pod, its := strings.CutPrefix(claim, set.Spec.ClaimTemplates[i].Name+"-"); its && set.OrdinalOf(pod) >= 0 {
			return set.OrdinalOf(pod)
		}
	}
	return -1
}

// UsersOf returns the names of the pods that use a claim and have not ended.
func (d *Dump) UsersOf(claim model.Key) []string {
	var names []string
	for _, p := range d.Users(claim) {
		if !p.Finished() {
			names = append(names, p.Name)
		}
	}
	return names
}

// label is a label with its value in a namespace, or in any if that is "". The one without a name is that of all.
type label struct {
	namespace string
	placement.Label
}

// kin finds the sets that concern a set, and what else is near it, without a look at all objects. It does not change.
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

// rarest returns the sets of a namespace with that of some labels which the fewest templates have; all, without labels.
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
	for _, first := range slices.Sorted(maps.Keys(of)) {
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
