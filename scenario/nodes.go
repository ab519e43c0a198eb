package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

const (
	// defaultNodes is the number of nodes where a scenario gives none, mostNodes how many it may ask for: as many as
	// Kubernetes is made for.
	defaultNodes = 3
	mostNodes    = 5000
)

var (
	nodesKeys = []string{"count", "names", "zones", "monitorGrace", "toleration"}
	nodeKeys  = []string{"name", "zone"}
)

// nodes reads the nodes of the cluster: their number, a list of them, or a mapping.
func (l *loader) nodes(n *yaml.Node) {
	c := sim.Cluster{Rules: nodeRules(l.scenario.Profile.Version())}
	defer func() { l.scenario.Cluster = c }()
	if n == nil {
		c.Nodes = numbered(defaultNodes, nil)
		return
	}
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

// numbered makes nodes that are called node-1 and so on; the zones are dealt out to them in turn.
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

func (l *loader) manyNodes(m *strict.Map) []sim.Node {
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

// nodeList reads a list of names, or of mappings of a name and a zone.
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

func (l *loader) checkNode(n *yaml.Node, node sim.Node, before []sim.Node) {
	if node.Name == "" || strings.ContainsAny(node.Name, " \t\n/*?[]") {
		l.r.Problem(n, "the node's name is "+strict.Describe(n), "write a name like node-1")
	}
	for _, other := range before {
		if other.Name == node.Name && node.Name != "" {
			l.r.Problem(n, "the node "+strict.Shorten(node.Name)+" is there twice", "give each its own name")
			return
		}
	}
}

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
