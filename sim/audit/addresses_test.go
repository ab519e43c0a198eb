package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
)

// TestAddresses gives each pod an address when it runs, which stays its own until it is gone, and is never given again.
func TestAddresses(t *testing.T) {
	pod := func(uid model.UID, node string, phase model.Phase) *model.Pod {
		return &model.Pod{Meta: model.Meta{UID: uid}, Node: node, Phase: phase}
	}
	var a audit.Addresses
	require.Empty(t, a.Of(pod(1, "node-1", model.Running)), "there is no Service")
	a.Wanted = true
	require.Empty(t, a.Of(pod(1, "node-1", model.Pending)), "it does not run yet")
	require.Equal(t, "10.244.1.2", a.Of(pod(1, "node-1", model.Running)))
	require.Equal(t, "10.244.1.2", a.Of(pod(1, "node-1", model.Failed)), "it keeps its address")
	require.Equal(t, "10.244.2.2", a.Of(pod(2, "node-2", model.Running)))
	copied := a.Copy()
	a.Release(1)
	require.Empty(t, a.Of(pod(1, "node-1", model.Failed)))
	require.Equal(t, "10.244.1.3", a.Of(pod(3, "node-1", model.Running)), "not that of the first pod again")
	require.Equal(t, "10.244.1.2", copied.Of(pod(1, "node-1", model.Failed)))

	require.Equal(t, "10.96.0.10", a.ClusterIP())
	require.Equal(t, "10.96.0.11", a.ClusterIP())
	require.Equal(t, "10.96.0.10", copied.ClusterIP())
}

// TestManyAddresses gives more addresses on one node than a range has.
func TestManyAddresses(t *testing.T) {
	a := audit.Addresses{Wanted: true}
	seen := map[string]bool{}
	for uid := range 1000 {
		address := a.Of(&model.Pod{Meta: model.Meta{UID: model.UID(uid + 1)}, Node: "node-7", Phase: model.Running})
		require.False(t, seen[address], address)
		seen[address] = true
	}
}

// TestAddressesOfNodes: the number at the end of a node's name is its range. A name without one has the first range, and
// a number that no address can hold begins anew.
func TestAddressesOfNodes(t *testing.T) {
	for node, want := range map[string]string{
		"node-0": "10.244.0.2", "node-255": "10.244.255.2", "node-256": "10.244.0.2", "node-300": "10.244.44.2",
		"worker": "10.244.0.2",
	} {
		a := audit.Addresses{Wanted: true}
		require.Equal(t, want, a.Of(&model.Pod{Meta: model.Meta{UID: 1}, Node: node, Phase: model.Running}), node)
	}
}
