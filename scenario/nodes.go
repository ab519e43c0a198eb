package scenario

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

const (
	// defaultNodes is the number of nodes if a scenario gives none, mostNodes how many it may ask for: as many as
	// Kubernetes supports in one cluster.
	defaultNodes = 3
	mostNodes    = 5000
)

var (
	nodesKeys = []string{
		"count", "names", "zones", "labels", "taints", "allocatable", "monitorGrace", "toleration",
	}
	nodeKeys = []string{"name", "zone", "labels", "taints", "allocatable"}
)

// nodes reads the nodes of the cluster: their number, a list, or a mapping. Without any there are three with
// unknown labels and resources (Assumed), so that no pod stays Pending because of them. A run that starts from a
// dump has the nodes of the dump instead, if it has any.
func (l *loader) nodes(n *yaml.Node) {
	c := sim.Cluster{}
	defer func() {
		if dumped := l.dumpedNodes(n); len(dumped) > 0 {
			c.Nodes = dumped
		}
		l.scenario.Cluster = c
	}()
	if n == nil {
		c.Nodes, c.Assumed = numbered(defaultNodes, nil), true
		return
	}
	defer func() { knowLabels(c.Nodes) }()
	switch n.Kind {
	case yaml.SequenceNode:
		c.Nodes = l.nodeList(n)
	case yaml.MappingNode:
		m := l.r.Map(n, "nodes", nodesKeys...)
		if m.Has("count") && m.Has("names") {
			l.r.Problem(m.Key("names"), "nodes has both count and names", "keep one of them")
		}
		c.Nodes = l.manyNodes(m)
		l.clusterTime(m, "monitorGrace", &c.MonitorGrace)
		l.clusterTime(m, "toleration", &c.Toleration)
	default:
		count, ok := l.r.Int(n, "nodes", strict.Range{Min: 1, Max: mostNodes})
		if ok {
			c.Nodes = numbered(int(count), nil)
		}
	}
}

// dumpedNodes returns the nodes of the dump that the run starts from, and warns about keys at n that describe
// others.
func (l *loader) dumpedNodes(n *yaml.Node) []sim.Node {
	if l.scenario.Start == nil || len(l.scenario.Start.State.Nodes) == 0 {
		return nil
	}
	var nodes []sim.Node
	for i := range l.scenario.Start.State.Nodes {
		nodes = append(nodes, l.scenario.Start.State.Nodes[i].Node)
	}
	if n != nil && describesNodes(n) {
		l.warnings = append(l.warnings, strict.Problem{
			File: l.r.File, Line: n.Line, Column: n.Column,
			What: "nodes: the run has the nodes of the dump instead: only monitorGrace and toleration have an effect",
		})
	}
	return nodes
}

// describesNodes reports whether the key nodes describes the nodes themselves, not only their times.
func describesNodes(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return true
	}
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i].Value; key != "monitorGrace" && key != "toleration" {
			return true
		}
	}
	return false
}

// numbered makes nodes with the names node-1, node-2 and so on. The zones are dealt out to them in turn; without any a
// node has none.
func numbered(count int, zones []string) []sim.Node {
	nodes := make([]sim.Node, count)
	for i := range nodes {
		nodes[i].Name = "node-" + strconv.Itoa(i+1)
		if len(zones) > 0 {
			nodes[i].Zone = zones[i%len(zones)]
		}
	}
	return nodes
}

// manyNodes reads a mapping: how many nodes there are or which, and what all of them have.
func (l *loader) manyNodes(m *strict.Map) []sim.Node {
	all := sim.Node{}
	l.describe(m, &all)
	nodes := l.bareNodes(m)
	for i := range nodes {
		addTo(&nodes[i], &all)
	}
	return nodes
}

// addTo gives a node what all nodes have. Labels and resources of its own win; taints are added. The maps of all are
// cloned, so no two nodes share one.
func addTo(n, all *sim.Node) {
	for _, field := range []struct{ to, from *map[string]string }{
		{&n.Labels, &all.Labels}, {&n.Allocatable, &all.Allocatable},
	} {
		if len(*field.from) > 0 {
			whole := maps.Clone(*field.from)
			maps.Copy(whole, *field.to)
			*field.to = whole
		}
	}
	n.Taints = slices.Concat(n.Taints, all.Taints)
}

// bareNodes reads the nodes of a mapping, each with its own properties.
func (l *loader) bareNodes(m *strict.Map) []sim.Node {
	if m.Has("names") {
		if m.Has("zones") {
			l.r.Problem(m.Key("zones"), "zones does not go with names", "give each node its zone: {name: node-1, zone: a}")
		}
		return l.nodeList(m.Value("names"))
	}
	count := int64(defaultNodes)
	if m.Has("count") {
		count = m.Int("count", strict.Range{Min: 1, Max: mostNodes})
	}
	var zones []string
	for _, item := range m.List("zones") {
		if zone, ok := l.r.String(item, "a zone"); ok {
			zones = append(zones, zone)
		}
	}
	return numbered(int(count), zones)
}

// nodeList reads a list of names, or of mappings with a name and the properties of the node. The order is the
// file's; names are unique, and there are 1 to mostNodes.
func (l *loader) nodeList(n *yaml.Node) []sim.Node {
	var nodes []sim.Node
	for _, item := range l.r.List(n, "nodes") {
		node := sim.Node{}
		at := item
		if item.Kind == yaml.MappingNode {
			m := l.r.Map(item, "a node", nodeKeys...)
			if !m.Need("name") {
				continue
			}
			node.Name, node.Zone, at = m.String("name"), m.String("zone"), m.Value("name")
			l.describe(m, &node)
		} else {
			node.Name, _ = l.r.String(item, "a node")
		}
		l.checkNode(at, node, nodes)
		nodes = append(nodes, node)
	}
	if len(nodes) == 0 || len(nodes) > mostNodes {
		l.r.Problem(n, fmt.Sprintf("the cluster has %d nodes", len(nodes)), fmt.Sprintf("give it 1 to %d", mostNodes))
	}
	return nodes
}

// describe reads what the scheduler may look at: the labels of a node, its taints, and what it has to give. The label
// topology.kubernetes.io/zone is the zone unless the node names one.
func (l *loader) describe(m *strict.Map, node *sim.Node) {
	if n := m.Value("labels"); n != nil {
		node.Labels = l.texts(n, "labels")
		for _, key := range slices.Sorted(maps.Keys(node.Labels)) {
			if wrong := manifest.WrongLabel(key, node.Labels[key]); wrong != "" {
				l.r.Problem(n, "the label "+strict.Shorten(key)+" is wrong", wrong)
			}
		}
		node.Zone = cmp.Or(node.Zone, node.Labels[manifest.LabelZone])
	}
	for _, item := range m.List("taints") {
		if taint, ok := l.taint(item); ok {
			node.Taints = append(node.Taints, taint)
		}
	}
	if n := m.Value("allocatable"); n != nil {
		node.Allocatable = l.texts(n, "allocatable")
		for _, name := range slices.Sorted(maps.Keys(node.Allocatable)) {
			if wrong := manifest.WrongQuantity(node.Allocatable[name]); wrong != "" {
				l.r.Problem(n, "allocatable of "+strict.Shorten(name)+" is "+strict.Shorten(node.Allocatable[name]), wrong)
			}
		}
	}
}

// texts reads a mapping of texts; a number is one too, as it is spelled (0.5 must not be rounded).
func (l *loader) texts(n *yaml.Node, what string) map[string]string {
	texts := map[string]string{}
	if n.Kind != yaml.MappingNode {
		l.r.Problem(n, what+" is "+strict.Describe(n), "write a mapping like {key: value}")
		return texts
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		if value.Kind != yaml.ScalarNode || value.ShortTag() == "!!null" {
			l.r.Problem(value, what+" of "+strict.Shorten(n.Content[i].Value)+" is "+strict.Describe(value), "write a text")
			continue
		}
		texts[n.Content[i].Value] = value.Value
	}
	return texts
}

// taint reads a taint, as kubectl taint writes it: key=value:Effect, or key:Effect.
func (l *loader) taint(n *yaml.Node) (sim.Taint, bool) {
	text, ok := l.r.String(n, "a taint")
	if !ok {
		return sim.Taint{}, false
	}
	spec, effect, _ := strings.Cut(text, ":")
	key, value, _ := strings.Cut(spec, "=")
	taint := sim.Taint{Key: key, Value: value, Effect: effect}
	if wrong := manifest.WrongTaint(taint.Key, taint.Value, taint.Effect); wrong != "" {
		l.r.Problem(n, "the taint is "+strict.Describe(n), wrong)
		return taint, false
	}
	return taint, true
}

// knowLabels gives each node without labels an empty map if another one has labels: nil means that labels are unknown,
// which lets each selector match, and empty that the node has none.
func knowLabels(nodes []sim.Node) {
	if !slices.ContainsFunc(nodes, func(n sim.Node) bool { return n.Labels != nil }) {
		return
	}
	for i := range nodes {
		if nodes[i].Labels == nil {
			nodes[i].Labels = map[string]string{}
		}
	}
}

// checkNode checks a node's name, which is at n and must differ from all earlier ones. Globs must not look like
// names.
func (l *loader) checkNode(n *yaml.Node, node sim.Node, before []sim.Node) {
	if node.Name == "" || strings.ContainsAny(node.Name, " \t\n/*?[]") {
		l.r.Problem(n, "the node's name is "+strict.Describe(n), "write a name like node-1")
	}
	for _, other := range before {
		if other.Name == node.Name && node.Name != "" {
			l.r.Problem(n, "the node "+strict.Shorten(node.Name)+" occurs twice", "give each its own name")
			return
		}
	}
}

// clusterTime reads a time of the cluster, which cannot be 0: that would mean the default.
func (l *loader) clusterTime(m *strict.Map, key string, d *time.Duration) {
	n := m.Value(key)
	if n == nil {
		return
	}
	v, ok := l.r.Duration(n, key)
	if ok && v == 0 {
		l.r.Problem(n, key+" is 0", "write a duration like 40s")
		return
	}
	*d = v
}
