package dump

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
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
	has := all.wordsIn(config.Start)
	var rules []behaviour.Rule
	for _, i := range slices.Compact(at) {
		if word := all.rules[i].Of.Word; word == "" || has[word] {
			rules = append(rules, all.rules[i])
		}
	}
	config.Kubelet.Rules = slices.Clip(rules)
	return config
}

// placed are rules, and their places in the list by the sets whose pods they are about. Those that are anywhere may be
// about any pod. words are those of the rules.
type placed struct {
	rules    []behaviour.Rule
	anywhere []int
	of       map[model.Key][]int
	words    map[string]bool
}

// placedRules sorts rules by whose they are. The last ones are kept: the worlds of all sets have the same.
func (x *Index) placedRules(rules []behaviour.Rule) *placed {
	last := x.placed.Load()
	if last != nil && len(rules) > 0 && len(last.rules) == len(rules) && &last.rules[0] == &rules[0] {
		return last
	}
	p := &placed{rules: rules, of: map[model.Key][]int{}, words: map[string]bool{}}
	for i := range rules {
		p.words[rules[i].Of.Word] = true
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

// wordsIn returns which words of rules are strings in the templates of a state, or what these ask of nodes.
func (p *placed) wordsIn(state *sim.State) map[string]bool {
	found, seen := map[string]bool{}, map[*model.Template]bool{nil: true}
	var templates []*model.Template
	for _, set := range state.Sets {
		templates = append(templates, set.Spec.Template)
	}
	for _, revision := range state.Revisions {
		templates = append(templates, revision.Template)
	}
	for i := range state.Pods {
		templates = append(templates, state.Pods[i].Template)
	}
	for _, template := range templates {
		if seen[template] {
			continue
		}
		seen[template] = true
		words := append(strings.Split(template.Data, `"`), asksOf(specOf(template)))
		for _, c := range template.Containers {
			words = append(words, c.Image)
		}
		for _, word := range words {
			if p.words[word] {
				found[word] = true
			}
		}
	}
	return found
}

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
	state := x.Part(kin.near(x, key)...).State
	kin.addSetless(x.Dump, state, key.Namespace)
	state.Nodes = kin.rooms.For(state)
	state.Budgets = kin.budgetsOf(x, state)
	return state
}

// addSetless adds to a part the pods of a namespace that concern no set of the dump, and their claims, and those of
// others that have a port of a node which its sets ask for.
func (k *kin) addSetless(d *Dump, part *sim.State, namespace string) {
	all := slices.Clone(k.setless[namespace])
	for _, set := range part.Sets {
		_, ports := placement.Looks(set)
		for _, port := range ports {
			for _, at := range k.taken[port] {
				if d.State.Pods[at].Namespace != namespace && !slices.Contains(all, at) {
					all = append(all, at)
				}
			}
		}
	}
	for _, at := range all {
		p := d.State.Pods[at]
		if len(p.Volumes) == 0 || !slices.ContainsFunc(part.Pods, func(known Pod) bool { return known.Pod == p.Pod }) {
			part.Pods = append(part.Pods, p)
		}
		for _, claim := range d.ClaimsOf(p.Pod) {
			if !slices.Contains(part.Claims, claim) {
				part.Claims = append(part.Claims, claim)
			}
		}
	}
}

// budgetsOf returns the budgets about a pod of a part, or one that a template of it would make, in the order of the dump.
func (k *kin) budgetsOf(x *Index, part *sim.State) []*model.Budget {
	found := map[int]bool{}
	add := func(namespace string, labels map[string]string) {
		for _, at := range k.budgets.Matching(nil, namespace, labels) {
			found[at] = true
		}
	}
	for _, set := range part.Sets {
		add(set.Namespace, set.Spec.Template.Labels)
	}
	for _, revision := range part.Revisions {
		add(revision.Namespace, revision.Template.Labels)
	}
	for i := range part.Pods {
		add(part.Pods[i].Namespace, part.Pods[i].Labels)
	}
	var list []*model.Budget
	for _, at := range slices.Sorted(maps.Keys(found)) {
		list = append(list, x.State.Budgets[at])
	}
	return list
}

// Begin completes the configuration of a world so that it begins in the state of the dump. It adds the state, rules for
// what happens to the pods and claims, and what the API server refuses. Settings of the configuration win. Times for
// Start, Ready and Stop that it does not have are the median of those that the dump shows, or else a default.
//
// A failure that the dump shows is assumed to last until its cause changes. An image that cannot be pulled stays so
// until the pod has another image. If no pod of a revision becomes Ready, that lasts until the spec of the pod changes.
// A pod that no node takes stays unscheduled until its claims, the nodes or its spec change; if the nodes of the dump
// explain it, the simulated scheduler decides. A pod that cannot be created stays so until the spec changes.
//
// Start, NodeFilter and Admit are replaced in any case. The configuration that was given is not changed, and its slices
// are not written to. It costs O(pods) and, if a set is not at rest, the first instant of a world.
func (d *Dump) Begin(config sim.Config) sim.Config {
	s := stays{Dump: d}
	config.Start, config.NodeFilter, config.Cluster.Assumed = d.State, d.memory().New, d.Nodeless
	config.Kubelet.Rules = slices.Clone(config.Kubelet.Rules)
	if config.Kubelet.Default.Stop == nil {
		config.Kubelet.Rules = append(config.Kubelet.Rules, d.slow()...)
	}
	d.Fill(&config.Kubelet.Default)
	s.config = config
	config.Kubelet.Rules = append(config.Kubelet.Rules, s.rules(config.Kubelet.Default.When != nil)...)
	config.Volumes.Rules = append(slices.Clone(config.Volumes.Rules), sim.ClaimRule{
		Match: sim.ClaimMatch{That: d.unprovided()}, Times: sim.ClaimTimes{Bind: behaviour.Never},
	}, sim.ClaimRule{
		Match: sim.ClaimMatch{That: d.retained()}, Times: sim.ClaimTimes{Release: behaviour.Never},
	})
	config.Admit = s.admission(config)
	return config
}

// rules returns the rules for all pods. Of those that go by one word, and so match the same pods, only the first counts.
func (s *stays) rules(quorum bool) []behaviour.Rule {
	type domain struct {
		behaviour.Whose
		node     string
		schedule bool
	}
	var rules []behaviour.Rule
	known := map[domain]bool{}
	for i := range s.State.Pods {
		rule, _, is := s.rule(&s.State.Pods[i], quorum)
		if !is {
			continue
		}
		of := domain{rule.Of, rule.Match.Node, rule.Times.Schedule != nil}
		if of.Word == "" || !known[of] {
			known[of], rules = true, append(rules, rule)
		}
	}
	return rules
}

// slow returns the rules for pods that terminate for longer than the default: they take their whole grace period.
func (d *Dump) slow() []behaviour.Rule {
	var rules []behaviour.Rule
	for i := range d.State.Pods {
		if p := &d.State.Pods[i]; d.Slow(p) {
			rules = append(rules, behaviour.Rule{
				Match: behaviour.Match{That: only(p.Pod)}, Times: behaviour.Times{Stop: behaviour.Constant(p.Deletion.Grace)},
				Of: ofSet(p),
			})
		}
	}
	return rules
}

// Slow says whether a pod has been terminating for longer than pods take by default, and its grace period is not over.
func (d *Dump) Slow(p *Pod) bool {
	if !p.Terminating() || len(p.Finalizers) > 0 || p.Hung {
		return false
	}
	since := time.Duration(-p.Deletion.At)
	return since > DefaultStop && since < p.Deletion.Grace
}
