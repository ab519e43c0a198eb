package placement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// TestFew: of many nodes that are alike the first ones stay, with those that are used and those of other kinds.
func TestFew(t *testing.T) {
	const pods, each = 2, 2*2 + 3
	nodes := func(change func(i int, n *sim.NodeState)) []sim.NodeState {
		var list []sim.NodeState
		for i := range 40 {
			n := sim.NodeState{Node: sim.Node{Name: fmt.Sprintf("n%02d", i), Zone: "z", Labels: map[string]string{}}}
			change(i, &n)
			list = append(list, n)
		}
		return list
	}
	few := func(change func(i int, n *sim.NodeState)) int {
		state := &sim.State{Pods: []sim.PodState{{Pod: &model.Pod{Node: "n30"}}}}
		crowd := NewCrowd(nodes(change))
		list := crowd.Few(state, []*model.Template{{}}, pods)
		require.Contains(t, list, crowd.nodes[30], "a node that is used")
		require.Contains(t, list, crowd.nodes[0], "the first one")
		return len(list)
	}
	require.Equal(t, each+1, few(func(int, *sim.NodeState) {}))
	require.Equal(t, 2*each+1, few(func(i int, n *sim.NodeState) { n.Zone = fmt.Sprint(i % 2) }))
	require.Equal(t, each+1+20, few(func(i int, n *sim.NodeState) { n.Cordoned = i < 20 }), "any may be uncordoned")
	require.Equal(t, each+1, few(func(_ int, n *sim.NodeState) { n.Labels["name"] = n.Name }), "no pod asks for it")
	require.Equal(t, 40, few(func(i int, n *sim.NodeState) { n.Down = i == 5 }), "the zone has a node that is down")
	require.Equal(t, 40, few(func(i int, n *sim.NodeState) { n.Taints = []sim.Taint{{Key: "k", Effect: "NoSchedule"}} }),
		"no node takes the pod")
	require.Equal(t, 40, few(func(i int, n *sim.NodeState) { n.Zone = fmt.Sprint(i) }), "none is like another")
}
