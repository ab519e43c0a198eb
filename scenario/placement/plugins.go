package placement

import (
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// state says why the state of a node, or a taint, keeps the pod off it, "" if nothing does: the plugins
// NodeUnschedulable and TaintToleration. The state of a node represents the taints that the node lifecycle
// controller gives it.
func (t *attempt) state(place *sim.Place, n *node) string {
	cordoned := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	if place.Node.Cordoned && !t.tolerates(&cordoned) {
		return sim.Unschedulable
	}
	taints := slices.Clip(n.Spec.Taints)
	if place.Node.NotReady {
		taints = append(taints, corev1.Taint{Key: place.Node.Taint(), Effect: corev1.TaintEffectNoSchedule})
	}
	if place.Node.OutOfService {
		taints = append(taints, corev1.Taint{
			Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute,
		})
	}
	for i := range taints {
		if taints[i].Effect != corev1.TaintEffectPreferNoSchedule && !t.tolerates(&taints[i]) {
			return sim.Untolerated(t.Rules, taints[i].Key, taints[i].Value)
		}
	}
	return ""
}

// tolerates reports whether one of the pod's tolerations is for a taint.
func (t *attempt) tolerates(taint *corev1.Taint) bool {
	return slices.ContainsFunc(t.wants.tolerations, func(toleration corev1.Toleration) bool {
		return Tolerates(&toleration, taint)
	})
}

// Tolerated reports whether a taint does not keep a pod from nodes: the pod tolerates it, or it is only a
// preference.
func Tolerated(pod *model.Pod, taint sim.Taint) bool {
	of := corev1.Taint{Key: taint.Key, Value: taint.Value, Effect: corev1.TaintEffect(taint.Effect)}
	return of.Effect == corev1.TaintEffectPreferNoSchedule ||
		slices.ContainsFunc(constraintsOf(pod).tolerations, func(t corev1.Toleration) bool { return Tolerates(&t, &of) })
}

// Tolerates reports whether a toleration is for a taint, as Toleration.ToleratesTaint of k8s.io/api does without
// the operators Lt and Gt (alpha). Its own logger would link a package that parses flags; a test holds this to it.
func Tolerates(toleration *corev1.Toleration, taint *corev1.Taint) bool {
	switch {
	case toleration.Effect != "" && toleration.Effect != taint.Effect:
		return false
	case toleration.Key != "" && toleration.Key != taint.Key:
		return false
	case toleration.Operator == "" || toleration.Operator == corev1.TolerationOpEqual:
		return toleration.Value == taint.Value
	}
	return toleration.Operator == corev1.TolerationOpExists
}

// portTaken reports whether a port of the node that the pod wants is taken (the plugin NodePorts).
func (t *attempt) portTaken(place *sim.Place) bool {
	for _, want := range t.wants.ports {
		for _, others := range place.Tallies() {
			for _, has := range templated(others.Template).ports {
				if want.HostPort == has.HostPort && want.Protocol == has.Protocol && sameAddress(want.HostIP, has.HostIP) {
					return true
				}
			}
		}
	}
	return false
}

// sameAddress reports whether two host addresses collide; none is all of them.
func sameAddress(a, b string) bool {
	every := func(ip string) bool { return ip == "" || ip == "0.0.0.0" }
	return a == b || every(a) || every(b)
}

// room returns the resources that a node has too little of (the plugin NodeResourcesFit). If a pod requests more
// than the whole node has, removing other pods would not help; versions before 1.34 still look for victims.
func (t *attempt) room(place *sim.Place, n *node) sim.Refusal {
	r := sim.Refusal{Preemptible: true}
	if n.limits[corev1.ResourcePods] && int64(place.Len()+1) > n.allocatable.counts[corev1.ResourcePods] {
		r.Reasons = append(r.Reasons, "Too many pods")
	}
	for _, name := range t.wants.requests.names {
		if !n.limits[name] && !(extended(name) && len(n.limits) > 0) {
			continue
		}
		used := int64(0)
		for _, others := range place.Tallies() {
			used += int64(others.Pods) * templated(others.Template).requests.counts[name]
		}
		wants, has := t.wants.requests.counts[name], n.allocatable.counts[name]
		if wants > has-used {
			r.Reasons = append(r.Reasons, fmt.Sprintf("Insufficient %s", name))
			r.Preemptible = r.Preemptible && (wants <= has || t.Rules.HopesForRoom)
		}
	}
	if r.Fits() {
		return sim.Refusal{}
	}
	return r
}

// reaches reports whether the volumes of the pod's claims can be used on a node (the plugin VolumeBinding). Reach
// has the node selectors of the volumes as JSON, which the simulator has written, so one that cannot be read is a
// panic.
func (t *attempt) reaches(n *node) bool {
	for _, reach := range t.Reach {
		var selector corev1.NodeSelector
		if err := json.Unmarshal([]byte(reach), &selector); err != nil {
			panic(fmt.Sprintf("placement: the NodeSelector of a volume cannot be read: %v: %s", err, reach))
		}
		keys := []string{}
		for _, term := range selector.NodeSelectorTerms {
			for _, e := range term.MatchExpressions {
				keys = append(keys, e.Key)
			}
		}
		if !t.filter.knowsAll(n, keys) {
			continue
		}
		if matches, err := nodeaffinity.NewLazyErrorNodeSelector(&selector).Match(n.Node); !matches || err != nil {
			return false
		}
	}
	return true
}

// countSpread counts the pods that the topology spread constraints are about, on the nodes that count. A topology
// without such a pod is in the counts with 0: it may be the one with the fewest.
func (t *attempt) countSpread() {
	for i := range t.wants.spread {
		c := &t.wants.spread[i]
		counts := map[string]int{}
		for at, n := range t.nodes {
			if !t.eligible(c, &t.Places[at], n) {
				continue
			}
			value := n.Labels[c.TopologyKey]
			counts[value] += 0
			for _, other := range t.Places[at].Pods() {
				if !other.Terminating() && other.Namespace == t.Pod.Namespace && t.counted(c, other.Labels) {
					counts[value]++
				}
			}
		}
		t.counts = append(t.counts, counts)
	}
}

// eligible reports whether a node counts for a topology spread constraint: it has the topologies of all constraints
// of the pod, and the pod's own selection (unless nodeAffinityPolicy is Ignore), and its tolerations (if
// nodeTaintsPolicy is Honor), include it.
func (t *attempt) eligible(c *constraint, place *sim.Place, n *node) bool {
	for i := range t.wants.spread {
		if _, has := n.Labels[t.wants.spread[i].TopologyKey]; !has {
			return false
		}
	}
	honours := func(policy *corev1.NodeInclusionPolicy, byDefault bool) bool {
		return policy == nil && byDefault || policy != nil && *policy == corev1.NodeInclusionPolicyHonor
	}
	if honours(c.NodeAffinityPolicy, true) && !t.selected(n) {
		return false
	}
	return !honours(c.NodeTaintsPolicy, false) || t.state(place, n) == ""
}

// counted reports whether a constraint counts a pod with these labels. An empty selector counts none up to 1.37,
// and all pods of the namespace from 1.38 on; a missing one matches nothing, which is not empty.
func (t *attempt) counted(c *constraint, of map[string]string) bool {
	return (t.Rules.CountsEmptySpread || !c.selector.Empty()) && matches(c.selector, c.MatchLabelKeys, nil, t.Pod.Labels, of)
}

// spreads checks the pod's topology spread constraints on a node: there must be at most maxSkew more pods than in
// the topology with the fewest. A topology that is not known for all nodes decides nothing.
func (t *attempt) spreads(n *node) sim.Refusal {
	const reason = "node(s) didn't match pod topology spread constraints"
	for i := range t.wants.spread {
		c := &t.wants.spread[i]
		if !t.filter.everywhere(c.TopologyKey) {
			continue
		}
		value, has := n.Labels[c.TopologyKey]
		if !has {
			return sim.Refusal{Reasons: []string{reason + " (missing required label)"}}
		}
		self := 0
		if matches(c.selector, c.MatchLabelKeys, nil, t.Pod.Labels, t.Pod.Labels) {
			self = 1
		}
		if t.counts[i][value]+self-t.fewest(i) > int(c.MaxSkew) {
			return sim.Refusal{Reasons: []string{reason}, Preemptible: true}
		}
	}
	return sim.Refusal{}
}

// fewest returns the number of pods in the topology with the fewest, 0 if there are fewer topologies than minDomains.
func (t *attempt) fewest(i int) int {
	counts := t.counts[i]
	domains := int32(1)
	if least := t.wants.spread[i].MinDomains; least != nil {
		domains = *least
	}
	if len(counts) < int(domains) {
		return 0
	}
	fewest := -1
	for value := range sorted(counts) {
		if fewest < 0 || counts[value] < fewest {
			fewest = counts[value]
		}
	}
	return max(0, fewest)
}

// looksAt reports whether a term of a pod in the namespace own is about pods of another namespace.
func (t *term) looksAt(namespace, own string) bool {
	switch {
	case t.everywhere:
		return true
	case len(t.namespaces) > 0:
		return slices.Contains(t.namespaces, namespace)
	}
	return namespace == own
}

// selects reports whether a term of one pod is about another.
func (t *term) selects(of, other *model.Pod) bool {
	return !t.unknown && t.looksAt(other.Namespace, of.Namespace) &&
		matches(t.selector, t.mine, t.notMine, of.Labels, other.Labels)
}
