package placement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Filter decides for the nodes of one world. It is the sim.NodeFilter that reads manifests, and never changes.
type Filter struct {
	// assumed is true if the scenario does not list its nodes: then nothing is decided. nodes has them by name.
	assumed bool
	nodes   map[string]*node
	// all are the nodes in their order. tainted is true if one of them has a taint, or limits its number of pods: then
	// every pod has to be decided about.
	all     []*node
	tainted bool
}

// node is a node as the API has it, and what of it is known.
type node struct {
	*corev1.Node
	spec sim.Node
	// known is true if all of its labels are: the scenario gives labels, perhaps none. Otherwise only those are known
	// that it has.
	known       bool
	allocatable amounts
	// limits are the resources whose amounts the node declares; allocatable has the amounts.
	limits map[corev1.ResourceName]bool
}

// New returns the filter for the nodes of a world. The cluster is not kept.
func New(cluster *sim.Cluster) sim.NodeFilter { return filterOf(cluster, nil) }

// filterOf is New. Nodes that another filter has already are shared with it and not read again.
func filterOf(cluster *sim.Cluster, known map[string]*node) *Filter {
	f := &Filter{assumed: cluster.Assumed || len(cluster.Nodes) == 0, nodes: map[string]*node{}}
	for _, spec := range cluster.Specs() {
		n := known[spec.Name]
		if n == nil || !sameNode(n.spec, spec) {
			n = nodeOf(&spec)
		}
		f.nodes[spec.Name] = n
		f.all = append(f.all, n)
		f.tainted = f.tainted || len(n.Spec.Taints) > 0 || n.limits[corev1.ResourcePods]
	}
	return f
}

// nodeOf builds a node. Labels that every node has (hostname, zone, os) are added unless the scenario gives them.
// Quantities have been checked when the scenario was read.
func nodeOf(spec *sim.Node) *node {
	n := &node{Node: &corev1.Node{}, spec: *spec, known: spec.Labels != nil, limits: map[corev1.ResourceName]bool{}}
	n.Name, n.Labels = spec.Name, map[string]string{}
	maps.Copy(n.Labels, spec.Labels)
	for _, usual := range []pair{
		{corev1.LabelHostname, spec.Name}, {corev1.LabelTopologyZone, spec.Zone},
		{corev1.LabelFailureDomainBetaZone, spec.Zone}, {corev1.LabelOSStable, "linux"},
	} {
		if _, given := n.Labels[usual.key]; !given && usual.value != "" {
			n.Labels[usual.key] = usual.value
		}
	}
	for _, taint := range spec.Taints {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{
			Key: taint.Key, Value: taint.Value, Effect: corev1.TaintEffect(taint.Effect),
		})
	}
	list := corev1.ResourceList{}
	for name := range sorted(spec.Allocatable) {
		if quantity, err := resource.ParseQuantity(spec.Allocatable[name]); err == nil {
			list[corev1.ResourceName(name)] = quantity
			n.limits[corev1.ResourceName(name)] = true
		}
	}
	n.allocatable = amountsOf(list)
	return n
}

// Decides reports whether there is anything to decide about a pod beyond the state of the nodes; if not, Fit need
// not be called. bound is true if a pod in the cluster keeps others off its node, or if not every node can use the
// pod's volumes.
func (f *Filter) Decides(pod *model.Pod, bound bool) bool {
	if f.assumed {
		return false
	}
	constrained := pod.Template != nil && pod.Template.Constraints != nil
	return constrained || bound || f.tainted
}

// Fit returns for each place what keeps the pod off it, in the order of the places: the words of the first plugin
// that refuses, in the scheduler's order; the zero value if none does. O(places × pods on them).
func (f *Filter) Fit(ask sim.Ask) []sim.Refusal {
	t := f.attempt(&ask)
	refusals := make([]sim.Refusal, len(ask.Places))
	for i := range ask.Places {
		refusals[i] = t.refusal(i)
	}
	return refusals
}

// attempt is one pod that looks for a node. Values that depend on all nodes together are counted once, at the
// start.
type attempt struct {
	*sim.Ask
	filter *Filter
	// wants are the constraints of the pod, never nil.
	wants *Constraints
	// nodes are the nodes of the places: nodes[i] belongs to Places[i].
	nodes []*node
	// counts are the pods that a topology spread constraint counts, by the constraint's number and its topology's value.
	counts []map[string]int
	// beside are the topology values with a pod that the pod must be with, by the number of the term. own are the
	// topologies with a pod that it must not be with, theirs the ones with a pod that must not be with it.
	// metNobody is true while there is no pod to be with.
	beside      []map[string]bool
	own, theirs map[pair]bool
	metNobody   bool
}

// pair is a topology and its value.
type pair struct{ key, value string }

// attempt prepares the answers for one pod.
func (f *Filter) attempt(ask *sim.Ask) *attempt {
	t := &attempt{Ask: ask, filter: f, wants: constraintsOf(ask.Pod)}
	for i := range ask.Places {
		t.nodes = append(t.nodes, f.nodes[ask.Places[i].Node.Name])
	}
	t.countSpread()
	t.meetOthers()
	return t
}

// refusal says why a node does not take the pod; the zero value if it does. The order is the order of the
// scheduler's plugins, and only a node's first refusal is reported. Preemptible is true if the scheduler would look
// for pods to remove.
func (t *attempt) refusal(i int) sim.Refusal {
	place, n := &t.Places[i], t.nodes[i]
	final := func(reason string) sim.Refusal { return sim.Refusal{Reasons: []string{reason}} }
	if reason := t.state(place, n); reason != "" {
		return final(reason)
	}
	if !t.selected(n) {
		return final("node(s) didn't match Pod's node affinity/selector")
	}
	if t.portTaken(place) {
		return sim.Refusal{Reasons: []string{"node(s) didn't have free ports for the requested pod ports"}, Preemptible: true}
	}
	if r := t.room(place, n); !r.Fits() {
		return r
	}
	if !t.reaches(n) {
		if t.Rules.SaysConflict {
			return final("node(s) had volume node affinity conflict")
		}
		return final("node(s) didn't match PersistentVolume's node affinity")
	}
	if r := t.spreads(n); !r.Fits() {
		return r
	}
	return t.company(n)
}

// selected reports whether the labels of a node are those that the pod asks for. If one of these labels is not
// known, the node counts as selected.
func (t *attempt) selected(n *node) bool {
	if !t.wants.selects || !t.filter.knowsAll(n, t.wants.keys) {
		return true
	}
	matches, err := t.wants.affinity.Match(n.Node)
	return matches && err == nil
}

// knows reports whether it is known which value a label of a node has, and that it has none.
func (f *Filter) knows(n *node, key string) bool {
	_, given := n.Labels[key]
	return n.known || given && !f.assumed
}

// knowsAll reports whether all of some labels are known of a node.
func (f *Filter) knowsAll(n *node, keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return !f.knows(n, key) })
}

// everywhere reports whether a label is known of all nodes.
func (f *Filter) everywhere(key string) bool {
	return !slices.ContainsFunc(f.all, func(n *node) bool { return !f.knows(n, key) })
}

// Undecided lists the requirements of a template that are not decided, in sentences: because the nodes are not
// known well enough, or because the simulator does not model them.
func (f *Filter) Undecided(template *model.Template) []string {
	if template == nil || template.Constraints == nil {
		return nil
	}
	c := template.Constraints.(*Constraints)
	var said []string
	switch fields := f.open(c); {
	case len(fields) == 0:
	case f.assumed:
		said = append(said, "no nodes are given, so each pod is assumed to fit on some node, whatever it asks for ("+
			strings.Join(fields, ", ")+")")
	default:
		said = append(said, "the nodes do not show enough (labels, allocatable) to check "+render.And(fields)+
			": what cannot be checked keeps no pod off a node")
	}
	unmodelled := c.unmodelled
	if c.hasPriority && !f.assumed && slices.ContainsFunc(f.all, func(n *node) bool { return len(n.limits) > 0 }) {
		unmodelled = append(slices.Clip(unmodelled), "priority (no pod is preempted)")
	}
	if len(unmodelled) > 0 {
		said = append(said, "not modelled: "+strings.Join(unmodelled, ", "))
	}
	return said
}

// open returns the fields that cannot be decided for all nodes, each once, in the order of a pod spec.
func (f *Filter) open(c *Constraints) []string {
	var fields []string
	add := func(is bool, format string, args ...any) {
		if field := fmt.Sprintf(format, args...); is && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	for _, key := range c.keys {
		add(!f.everywhere(key), "the node label %s", key)
	}
	for _, t := range c.near {
		add(!f.everywhere(t.topology), "podAffinity by %s", t.topology)
	}
	for _, t := range c.apart {
		add(!f.everywhere(t.topology), "podAntiAffinity by %s", t.topology)
	}
	for i := range c.spread {
		key := c.spread[i].TopologyKey
		add(!f.everywhere(key), "topologySpreadConstraints by %s", key)
	}
	add(len(c.ports) > 0 && f.assumed, "hostPort")
	if asked := f.openRequests(c); len(asked) > 0 {
		add(true, "requests for %s", render.And(asked))
	}
	return fields
}

// openRequests returns the resources that a pod requests although some node does not declare how much it has.
func (f *Filter) openRequests(c *Constraints) []string {
	var names []string
	for _, name := range c.requests.names {
		limited := func(n *node) bool { return n.limits[name] || extended(name) && len(n.limits) > 0 }
		if f.assumed || slices.ContainsFunc(f.all, func(n *node) bool { return !limited(n) }) {
			names = append(names, string(name))
		}
	}
	return names
}
