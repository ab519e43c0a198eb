package placement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim"
)

// TestMemory: worlds share a filter as long as their nodes are the same in all that a filter reads of them.
func TestMemory(t *testing.T) {
	nodes := func(change func(*sim.Node)) *sim.Cluster {
		n := sim.Node{
			Name: "b", Zone: "z", Labels: map[string]string{"disk": "ssd"}, Taints: []sim.Taint{{Key: "k", Effect: "NoSchedule"}},
			Allocatable: map[string]string{"cpu": "4"},
		}
		change(&n)
		return &sim.Cluster{Nodes: []sim.Node{{Name: "a"}, n}}
	}
	var m Memory
	filter := m.New(nodes(func(*sim.Node) {}))
	require.Same(t, filter, m.New(nodes(func(*sim.Node) {})))
	for name, change := range map[string]func(*sim.Node){
		"a name":         func(n *sim.Node) { n.Name = "c" },
		"a zone":         func(n *sim.Node) { n.Zone = "y" },
		"a label":        func(n *sim.Node) { n.Labels = map[string]string{"disk": "hdd"} },
		"unknown labels": func(n *sim.Node) { n.Labels = nil },
		"no labels":      func(n *sim.Node) { n.Labels = map[string]string{} },
		"a taint":        func(n *sim.Node) { n.Taints = nil },
		"an amount":      func(n *sim.Node) { n.Allocatable = map[string]string{"cpu": "5"} },
	} {
		other := m.New(nodes(change))
		require.NotSame(t, filter, other, name)
		require.Equal(t, New(nodes(change)), other, name)
		filter = other
	}
	assumed := nodes(func(*sim.Node) {})
	assumed.Assumed = true
	require.Equal(t, New(assumed), m.New(assumed))
	require.Equal(t, New(&sim.Cluster{}), m.New(&sim.Cluster{}), "fewer nodes")
}
