package placement

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// Crowd are the nodes of a cluster, and which of them are alike: but for their names and labels. It never changes.
type Crowd struct {
	nodes []sim.NodeState
	// kinds has for each node the number of its kind. sick is true if a node does not answer, or recently did not:
	// the node lifecycle controller then counts the nodes of each zone.
	kinds []int
	sick  bool
}

// NewCrowd looks at the nodes of a cluster, which must not change.
func NewCrowd(nodes []sim.NodeState) *Crowd {
	c := &Crowd{nodes: nodes}
	known := map[string]int{}
	for i := range nodes {
		n := &nodes[i]
		c.sick = c.sick || n.Down || n.NotReady || n.Unreachable
		kind := fmt.Sprintf("%q %t %t %q", n.Zone, n.OutOfService, n.Labels == nil, n.Taints)
		for name := range sorted(n.Allocatable) {
			kind += fmt.Sprintf(" %s=%s", name, n.Allocatable[name])
		}
		if _, is := known[kind]; !is {
			known[kind] = len(known)
		}
		c.kinds = append(c.kinds, known[kind])
	}
	return c
}

// alike are nodes that no pod of some templates can tell apart as long as no pod is on them.
type alike struct {
	kind   int
	labels string
}

// Few returns the nodes that the pods of a state may need, if there are never other pods than these and the
// templates' pods, and never more than so many: the nodes that have such a pod, the cordoned nodes, which a user
// may uncordon by name, and the first ones of each kind of equal nodes. A pod is placed on the first of the
// emptiest nodes that take it, so the others stay empty. It returns all nodes if it is not certain that each pod
// finds one, since messages count the nodes that do not take it.
func (c *Crowd) Few(state *sim.State, templates []*model.Template, pods int) []sim.NodeState {
	asked := &labelsAsked{}
	if c.sick || !asked.by(state, templates) {
		return c.nodes
	}
	used := map[string]bool{}
	for i := range state.Pods {
		used[state.Pods[i].Node] = true
	}
	// Nodes that are lost and drained, and one to spare.
	each := 2*pods + 3
	kept := map[alike]int{}
	var few []sim.NodeState
	var full []*node
	for i := range c.nodes {
		n := &c.nodes[i]
		kind := alike{c.kinds[i], asked.of(n)}
		switch {
		case used[n.Name], n.Cordoned:
		case kept[kind] == each:
			continue
		default:
			if kept[kind]++; kept[kind] == each && !n.OutOfService && len(n.Taints) == 0 {
				full = append(full, nodeOf(&n.Node))
			}
		}
		few = append(few, *n)
	}
	if len(few) == len(c.nodes) || !c.takes(full, state, templates) {
		return c.nodes
	}
	return few
}

// takes reports whether each pod of the state, and of each template, finds one of the nodes that have enough
// equals; if the pod has to be spread over zones, in each zone.
func (c *Crowd) takes(full []*node, state *sim.State, templates []*model.Template) bool {
	reaches := [][]string{nil}
	for i := range state.Pods {
		reaches = append(reaches, reachOf(state, state.Pods[i].Pod))
	}
	for _, template := range templates {
		wants := templated(template)
		for _, reach := range reaches {
			t := &attempt{Ask: &sim.Ask{Reach: reach}, filter: &Filter{}, wants: wants}
			zones := map[string]bool{}
			for _, n := range full {
				if t.finds(n) {
					zones[n.Labels[corev1.LabelTopologyZone]] = true
				}
			}
			if len(zones) == 0 || len(wants.spread) > 0 && !c.within(zones) {
				return false
			}
		}
	}
	return true
}

// within reports whether all nodes are in these zones.
func (c *Crowd) within(zones map[string]bool) bool {
	return !slices.ContainsFunc(c.nodes, func(n sim.NodeState) bool { return !zones[n.Zone] })
}

// finds reports whether an empty node takes the pod.
func (t *attempt) finds(n *node) bool {
	for _, name := range t.wants.requests.names {
		if (n.limits[name] || extended(name)) && t.wants.requests.counts[name] > n.allocatable.counts[name] {
			return false
		}
	}
	if n.limits[corev1.ResourcePods] && n.allocatable.counts[corev1.ResourcePods] < 1 {
		return false
	}
	return t.selected(n) && t.reaches(n)
}

// reachOf returns which nodes can use the volumes of a pod's claims.
func reachOf(state *sim.State, pod *model.Pod) (selectors []string) {
	for _, claim := range state.Claims {
		if claim.Reach != "" && claim.Namespace == pod.Namespace && slices.ContainsFunc(pod.Volumes,
			func(v model.Volume) bool { return v.Claim == claim.Name }) {
			selectors = append(selectors, claim.Reach)
		}
	}
	return selectors
}

// labelsAsked are the labels of nodes that decide about pods, apart from the name of the node.
type labelsAsked struct{ keys []string }

// by collects the labels that the pods of a state and of templates ask for. It is false if nodes are told apart by
// their names, or other pods are looked for by something other than the node or its zone.
func (l *labelsAsked) by(state *sim.State, templates []*model.Template) bool {
	for _, template := range templates {
		c := templated(template)
		if len(c.near) > 0 || c.selects && (len(c.keys) == 0 || c.named) ||
			slices.ContainsFunc(c.apart, func(t term) bool { return t.topology != corev1.LabelHostname }) ||
			slices.ContainsFunc(c.spread, func(s constraint) bool { return !plainSpread(&s) }) {
			return false
		}
		l.keys = append(l.keys, c.keys...)
	}
	for _, claim := range state.Claims {
		if claim.Reach == "" {
			continue
		}
		var selector corev1.NodeSelector
		if json.Unmarshal([]byte(claim.Reach), &selector) != nil {
			return false
		}
		for i := range selector.NodeSelectorTerms {
			t := &selector.NodeSelectorTerms[i]
			if len(t.MatchFields) > 0 {
				return false
			}
			for _, e := range t.MatchExpressions {
				l.keys = append(l.keys, e.Key)
			}
		}
	}
	slices.Sort(l.keys)
	l.keys = slices.Compact(l.keys)
	return !slices.Contains(l.keys, corev1.LabelHostname)
}

// plainSpread reports whether a constraint spreads pods over nodes or zones, however many there are.
func plainSpread(s *constraint) bool {
	return (s.TopologyKey == corev1.LabelHostname || s.TopologyKey == corev1.LabelTopologyZone) && s.MinDomains == nil
}

// of returns the values of these labels of a node as text.
func (l *labelsAsked) of(n *sim.NodeState) string {
	if len(l.keys) == 0 {
		return ""
	}
	var values []string
	for _, key := range l.keys {
		value, has := n.Labels[key]
		values = append(values, fmt.Sprintf("%t%q", has, value))
	}
	return strings.Join(values, " ")
}
