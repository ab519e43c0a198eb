package dump

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
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
	at := slices.IndexFunc(d.State.Nodes, func(n sim.NodeState) bool { return n.Name == name })
	if at < 0 {
		return nil
	}
	return &d.State.Nodes[at]
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

// Siblings returns the pods that have the controller of a pod, itself among them. The pointers are into State. They are
// in the order of the dump.
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
