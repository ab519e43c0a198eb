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
	sets := map[model.Key]bool{}
	for _, set := range config.Start.Sets {
		sets[set.Key()], sets[model.Key{Namespace: set.Namespace}] = true, true
	}
	words := sync.OnceValue(func() map[string]bool { return wordsOf(config.Start) })
	var rules []behaviour.Rule
	for i := range config.Kubelet.Rules {
		of := &config.Kubelet.Rules[i].Of
		if of.Namespace != "" && !sets[model.Key{Namespace: of.Namespace, Name: of.Set}] && !x.setless(of) ||
			of.Word != "" && !words()[of.Word] {
			continue
		}
		rules = append(rules, config.Kubelet.Rules[i])
	}
	config.Kubelet.Rules = slices.Clip(rules)
	return config
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
