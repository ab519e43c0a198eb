package dump

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Index finds the objects that belong to each set of a dump. It shares the dump and does not change it.
type Index struct {
	*Dump
	// sets are all sets of the dump.
	sets map[model.Key]*model.StatefulSet
	// revisions are by set, budgets by namespace, and the places of the claims by their names without the ordinals.
	revisions map[model.Key][]*model.Revision
	claims    map[model.Key][]int
	budgets   map[string][]*model.Budget
	// kin finds what is near a set; it is made when it is asked for.
	kin func() *kin
	// placed are the rules that World was asked for last.
	placed atomic.Pointer[placed]
}

// Index returns the index of the dump. It costs O(objects).
func (d *Dump) Index() *Index {
	x := &Index{
		Dump: d, sets: map[model.Key]*model.StatefulSet{}, revisions: map[model.Key][]*model.Revision{},
		claims: map[model.Key][]int{}, budgets: map[string][]*model.Budget{},
	}
	for _, set := range d.State.Sets {
		x.sets[set.Key()] = set
	}
	for _, revision := range d.State.Revisions {
		key := model.Key{Namespace: revision.Namespace}
		if owner := revision.Controller(); owner != nil {
			key.Name = owner.Name
		} else if at := strings.LastIndexByte(revision.Name, '-'); at > 0 {
			key.Name = revision.Name[:at]
		}
		x.revisions[key] = append(x.revisions[key], revision)
	}
	for i, claim := range d.State.Claims {
		parent, _ := model.SplitPodName(claim.Name)
		of := model.Key{Namespace: claim.Namespace, Name: parent}
		x.claims[of] = append(x.claims[of], i)
	}
	for _, budget := range d.State.Budgets {
		x.budgets[budget.Namespace] = append(x.budgets[budget.Namespace], budget)
	}
	x.kin = sync.OnceValue(func() *kin { return kinOf(x) })
	return x
}

// Part returns the part of the dump that concerns some sets, all of which must be in it. The objects are shared; facts
// and assumptions are those of the whole dump, and Services are left out. Its cost is proportional to the number of
// these sets and of the claims in their namespaces. A pod that concerns two of the sets is in the part once, at the
// first.
func (x *Index) Part(keys ...model.Key) *Dump {
	part, whole := *x.Dump, x.State
	state := &sim.State{From: whole.From, Nodes: whole.Nodes}
	part.State = state
	taken, seen := map[int]bool{}, map[string]bool{}
	take := func(pods []int, used map[string]bool) {
		for _, i := range pods {
			if taken[i] {
				continue
			}
			taken[i] = true
			state.Pods = append(state.Pods, whole.Pods[i])
			for _, volume := range whole.Pods[i].Volumes {
				used[volume.Claim] = true
			}
		}
	}
	for _, key := range keys {
		set := x.sets[key]
		state.Sets = append(state.Sets, set)
		state.Revisions = append(state.Revisions, x.revisions[key]...)
		used := map[string]bool{}
		take(x.found().sets[key], used)
		for _, claim := range x.claimsOf(set, used) {
			state.Claims = append(state.Claims, claim)
			take(x.kin().holders[claim.Key()], used)
		}
		if !seen[key.Namespace] {
			seen[key.Namespace] = true
			state.Budgets = append(state.Budgets, x.budgets[key.Namespace]...)
		}
	}
	part.places = placesOf(state)
	return &part
}

// WithNodes returns the dump with other nodes. The other objects are shared. Pods keep their nodes, and the indexes of
// the dump stay right. An Index of the old one does not know the new nodes.
func (d *Dump) WithNodes(nodes []sim.NodeState) *Dump {
	other, state := *d, *d.State
	state.Nodes = nodes
	other.State, other.filters = &state, &placement.Memory{}
	return &other
}

// claimsOf returns the claims whose names the claim templates of the set give, or its pods use, in the order of the dump.
func (x *Index) claimsOf(set *model.StatefulSet, used map[string]bool) []*model.Claim {
	places := map[int]bool{}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if at, known := x.found().claims[model.Key{Namespace: set.Namespace, Name: name}]; known {
			places[at] = true
		}
	}
	for i := range set.Spec.ClaimTemplates {
		parent := set.Spec.ClaimTemplates[i].Name + "-" + set.Name
		for _, at := range x.claims[model.Key{Namespace: set.Namespace, Name: parent}] {
			places[at] = true
		}
	}
	var list []*model.Claim
	for _, at := range slices.Sorted(maps.Keys(places)) {
		list = append(list, x.State.Claims[at])
	}
	return list
}

// Has says whether a set is in the dump.
func (x *Index) Has(key model.Key) bool { return x.sets[key] != nil }

// Shows says whether the dump has a set, and does not hide its pods.
func (x *Index) Shows(key model.Key) bool { return x.Has(key) && !x.Hidden(x.sets[key]) }

// HasClaim says whether a claim is in the dump, or is assumed to be.
func (x *Index) HasClaim(key model.Key) bool { return x.Claim(key) != nil }

// Pods returns the pods of a set: those that it owns, and those that have its names. The pointers are into State. They
// are in the order of the dump; nil for a set that is not in it.
func (x *Index) Pods(key model.Key) []*Pod {
	if !x.Has(key) {
		return nil
	}
	return x.podsAt(x.found().sets[key], func(*Pod) bool { return true })
}

// owns says whether a set owns a pod, by uid: an earlier set of the same name does not count.
func owns(set *model.StatefulSet, p *model.Pod) bool {
	owner := p.Controller()
	return owner != nil && owner.UID == set.UID
}

// WithoutServices returns the state without its Services: no StatefulSet and no pod waits for one, and each costs a
// world something for each pod. The objects are shared.
func (d *Dump) WithoutServices() *sim.State {
	state := *d.State
	state.Services = nil
	return &state
}

// ServiceMissing reports whether the dump has Services of the namespace of a set, but not that of its serviceName.
func (d *Dump) ServiceMissing(set *model.StatefulSet) bool {
	key := model.Key{Namespace: set.Namespace, Name: set.Spec.ServiceName}
	return key.Name != "" && !slices.Contains(d.Services, key) && slices.ContainsFunc(d.Services, func(k model.Key) bool {
		return k.Namespace == set.Namespace
	})
}

// Hidden says whether the dump does not show the pods of a set although its status counts some: it has no pod of the
// set's namespace. Nothing can be played of such a set, for a world without its pods would create them.
func (d *Dump) Hidden(set *model.StatefulSet) bool {
	return set.Status.Replicas > 0 && !d.found().namespaces[set.Namespace]
}

// Unfinished says in what way the status of a set shows that it is not at rest, "" if it does not. It is all that a
// dump without the pods shows: where there are pods, Index.AtRest decides. A partition and OnDelete leave pods at an
// older revision, and the set is at rest. It is a clause about the set.
func Unfinished(set *model.StatefulSet) string {
	s, held := &set.Status, set.Spec.Strategy.Type != model.RollingUpdateStrategy || set.Partition() > 0
	switch {
	case set.Terminating():
		return "it is being deleted"
	case s.ObservedGeneration < set.Generation:
		return "the controller has not seen its newest spec yet"
	case s.Replicas != set.Spec.Replicas:
		return fmt.Sprintf("it has %d pods, and its spec asks for %d", s.Replicas, set.Spec.Replicas)
	case s.Behind() > 0 && !held && Unready(s) == "":
		return Outdated(s)
	}
	return Unready(s)
}

// Unready says how many pods are not Ready, as far as a status shows it; "" if all are.
func Unready(s *model.Status) string {
	if s.Ready >= s.Replicas {
		return ""
	}
	return fmt.Sprintf("%d of %d pods are Ready", s.Ready, s.Replicas)
}

// Outdated says of a status with pods that are Behind how many there are.
func Outdated(s *model.Status) string {
	return fmt.Sprintf("%d of %d pods run an older template", s.Behind(), s.Replicas)
}

// AtRest says whether nothing is left to do for a set, which must be in the dump: all its pods exist and are Ready,
// those that its strategy updates have its newest template, they have the volumes of its claim templates, it has no
// other pods, and its namespace stays. minReadySeconds are not asked for.
func (x *Index) AtRest(key model.Key) bool {
	set := x.sets[key]
	if set.Terminating() || x.Going[key.Namespace] != nil || set.Status.ObservedGeneration != set.Generation {
		return false
	}
	serving := 0
	for _, p := range x.Pods(key) {
		_, ordinal := model.SplitPodName(p.Name)
		due := set.Spec.Strategy.Type == model.RollingUpdateStrategy && !set.BelowPartition(ordinal)
		if !owns(set, p.Pod) || !p.Serving() || due && p.Revision() != set.Status.UpdateRevision ||
			model.TraitsOf(set, p.Pod, 0)&model.HasStorage == 0 {
			return false
		}
		serving++
	}
	return serving == int(set.Spec.Replicas)
}

// mostPods is the largest number of pods that do not serve that are named.
const mostPods = 4

// Now describes the state of a set that is not at rest: "2 of 3 serve; web-1 is Terminating".
func (x *Index) Now(key model.Key) string {
	set := x.sets[key]
	serving, outdated, there := 0, 0, map[string]bool{}
	var others []string
	for _, p := range x.Pods(key) {
		there[p.Name] = true
		if owns(set, p.Pod) && p.Revision() != set.Status.UpdateRevision {
			outdated++
		}
		if owns(set, p.Pod) && p.Serving() {
			serving++
			continue
		}
		others = append(others, p.Name+" is "+x.stateOf(p))
	}
	for _, pod := range set.PodKeys() {
		if !there[pod.Name] {
			others = append(others, pod.Name+" is missing")
		}
	}
	text := fmt.Sprintf("%d of %d serve", serving, set.Spec.Replicas)
	if x.Going[key.Namespace] != nil {
		text = "its namespace is being deleted; " + text
	}
	if set.Terminating() {
		text = "the StatefulSet is being deleted; " + text
	}
	if len(others) > 0 {
		text += "; " + render.List(others, mostPods)
	}
	if outdated > 0 {
		text += "; " + render.Count(outdated, "pod") + render.Agree(outdated, " has", " have") + " an older template"
	}
	return text
}

// stateOf returns the state of a pod that does not serve for the set.
func (x *Index) stateOf(p *Pod) string {
	f := x.Facts[p.Key()]
	text := p.Phase.String()
	if p.Phase == model.Running {
		text += " but not Ready"
	}
	switch {
	case p.Terminating():
		text = "Terminating"
	case p.Ready:
		text = "Ready, but not owned by the set"
	case f != nil && f.Unreported:
		text = "Unknown (its kubelet does not report it)"
	case f != nil && f.Unschedulable != "":
		text += " (no node takes it)"
	case f != nil && f.Waiting != "":
		text += fmt.Sprintf(" (%s)", f.Waiting)
	case x.Attached(p.Key()):
		text += " (its volume is still attached to another node: sim explain DUMP)"
	}
	return text
}
