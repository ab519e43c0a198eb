package dump

import (
	"slices"
	"strings"
	"sync"

	"github.com/statefulsim/statefulsim/model"
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
