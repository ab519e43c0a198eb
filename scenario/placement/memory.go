package placement

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/statefulsim/statefulsim/sim"
)

// Memory creates filters as New does, and rooms as RoomsOf does, and remembers the last ones: worlds whose nodes are
// the same share a filter, since it does not change. The zero value remembers nothing. Several goroutines may use it.
type Memory struct {
	// mutex guards the rest: the nodes of the last filter, and that filter; nil before the first.
	mutex   sync.Mutex
	assumed bool
	specs   []sim.Node
	last    *Filter
	// state is the state of the last rooms.
	state *sim.State
	rooms *Rooms
}

// Rooms returns the rooms of a state, which must not change.
func (m *Memory) Rooms(state *sim.State) *Rooms {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.state != state {
		m.state, m.rooms = state, RoomsOf(state)
	}
	return m.rooms
}

// New returns the filter for the nodes of a world. The nodes are kept, and must not change. Those that the last filter
// has too are not read again: the worlds of two sets differ in the few nodes that their pods are on.
func (m *Memory) New(cluster *sim.Cluster) sim.NodeFilter {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	last := cmp.Or(m.last, &Filter{})
	if last.all == nil || m.assumed != cluster.Assumed || !slices.EqualFunc(m.specs, cluster.Nodes, sameNode) {
		m.assumed, m.specs, m.last = cluster.Assumed, cluster.Nodes, filterOf(cluster, last.nodes)
	}
	return m.last
}

// sameNode reports whether two nodes are the same in all that a filter reads of them. No labels at all means that
// they are not known, which is not the same as an empty list of them.
func sameNode(a, b sim.Node) bool {
	return a.Name == b.Name && a.Zone == b.Zone && (a.Labels == nil) == (b.Labels == nil) &&
		slices.Equal(a.Taints, b.Taints) && sameMap(a.Labels, b.Labels) && sameMap(a.Allocatable, b.Allocatable)
}

// sameMap reports whether two maps have the same entries. Worlds that start from one dump have the very same maps,
// which need not be compared.
func sameMap(a, b map[string]string) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer() || maps.Equal(a, b)
}
