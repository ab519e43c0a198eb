package dump

import (
	"slices"
	"strings"
	"sync"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// World returns the configuration of the world in which a change of a set is tried: it begins with what is Near the
// set, and has the rules that may be about a pod there. The set must be in the dump.
func (x *Index) World(config sim.Config, key model.Key) sim.Config {
	config.Start = x.Near(key)
	all := x.placedRules(config.Kubelet.Rules)
	at := slices.Clone(all.anywhere)
	for _, set := range config.Start.Sets {
		at = append(append(at, all.of[set.Key()]...), all.of[model.Key{Namespace: set.Namespace}]...)
	}
	slices.Sort(at)
	words := sync.OnceValue(func() map[string]bool { return wordsOf(config.Start) })
	var rules []behaviour.Rule
	for _, i := range slices.Compact(at) {
		if word := all.rules[i].Of.Word; word == "" || words()[word] {
			rules = append(rules, all.rules[i])
		}
	}
	config.Kubelet.Rules = slices.Clip(rules)
	return config
}

// placed are rules, and their places in the list by the sets whose pods they are about. Those that are anywhere may be
// about any pod.
type placed struct {
	rules    []behaviour.Rule
	anywhere []int
	of       map[model.Key][]int
}

// placedRules sorts rules by whose they are. The last ones are kept: the worlds of all sets have the same.
func (x *Index) placedRules(rules []behaviour.Rule) *placed {
	last := x.placed.Load()
	if last != nil && len(rules) > 0 && len(last.rules) == len(rules) && &last.rules[0] == &rules[0] {
		return last
	}
	p := &placed{rules: rules, of: map[model.Key][]int{}}
	for i := range rules {
		if of := &rules[i].Of; of.Namespace == "" || x.setless(of) {
			p.anywhere = append(p.anywhere, i)
		} else {
			key := model.Key{Namespace: of.Namespace, Name: of.Set}
			p.of[key] = append(p.of[key], i)
		}
	}
	x.placed.Store(p)
	return p
}

// setless says whether the dump has no set of that name: its pods may be near any set of their namespace.
func (x *Index) setless(of *behaviour.Whose) bool {
	return of.Set != "" && !x.Has(model.Key{Namespace: of.Namespace, Name: of.Set})
}

// wordsOf returns the strings in the templates of a state, and what these ask of nodes.
func wordsOf(state *sim.State) map[string]bool {
	words, s := map[string]bool{}, stays{specs: map[*model.Template]string{}}
	add := func(template *model.Template) {
		if _, known := s.askings[template]; known || template == nil {
			return
		}
		words[s.asks(template)] = true
		for word := range strings.SplitSeq(template.Data, `"`) {
			words[word] = true
		}
		for _, c := range template.Containers {
			words[c.Image] = true
		}
	}
	for _, set := range state.Sets {
		add(set.Spec.Template)
	}
	for _, revision := range state.Revisions {
		add(revision.Template)
	}
	for i := range state.Pods {
		add(state.Pods[i].Template)
	}
	return words
}

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
