package placement

import (
	"maps"
	"slices"
	"sync"

	"github.com/statefulsim/statefulsim/sim"
)

// Memory creates filters as New does, and remembers the last one: worlds whose nodes are the same share it, since a
// filter does not change. The zero value remembers nothing. Several goroutines may use it.
type Memory struct {
	mutex   sync.Mutex
	assumed bool
	specs   []sim.Node
	last    sim.NodeFilter
}

// New returns the filter for the nodes of a world. The nodes are kept, and must not change.
func (m *Memory) New(cluster *sim.Cluster) sim.NodeFilter {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.last == nil || m.assumed != cluster.Assumed || !slices.EqualFunc(m.specs, cluster.Nodes, sameNode) {
		m.assumed, m.specs, m.last = cluster.Assumed, cluster.Nodes, New(cluster)
	}
	return m.last
}

// sameNode says whether two nodes are the same in all that a filter reads of them. No labels at all means that they are
// not known, which is not the same as an empty list of them.
func sameNode(a, b sim.Node) bool {
	return a.Name == b.Name && a.Zone == b.Zone && (a.Labels == nil) == (b.Labels == nil) &&
		maps.Equal(a.Labels, b.Labels) && slices.Equal(a.Taints, b.Taints) && maps.Equal(a.Allocatable, b.Allocatable)
}
