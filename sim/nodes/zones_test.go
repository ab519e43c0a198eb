package nodes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
)

// tainted takes nodes of zone a down at once, and returns when which number of them has the taint unreachable. Zone b
// has two nodes, which stay up.
func tainted(t *testing.T, all, down int) (times []time.Duration) {
	t.Helper()
	k := kernel.New(nil)
	specs := []nodes.Spec{{Name: "b-1", Zone: "b"}, {Name: "b-2", Zone: "b"}}
	for i := range all {
		specs = append(specs, nodes.Spec{Name: fmt.Sprintf("a-%d", i), Zone: "a"})
	}
	n := nodes.New(k, store.New(model.APIRules{}, k.Now), nodes.Config{Nodes: specs})
	for i := range down {
		n.Listen(n.Down(fmt.Sprintf("a-%d", i), false))
	}
	seen := 0
	for next, any := k.Peek(); any; next, any = k.Peek() {
		k.Advance(next)
		for k.Next() {
		}
		now := 0
		for _, node := range n.All() {
			if node.Unreachable {
				now++
			}
		}
		for ; seen < now; seen++ {
			times = append(times, time.Duration(next))
		}
	}
	return times
}

// TestUnhealthyZones: a zone in which more than two nodes are not ready, and at least 55 % of all, is unhealthy: its nodes
// are tainted ten times as slowly, and not at all where it has no more than 50. A zone of which no node is ready is only
// slow to be seen through: its nodes are tainted as those of a healthy one.
func TestUnhealthyZones(t *testing.T) {
	for _, c := range []struct {
		name      string
		all, down int
		tainted   int
		every     time.Duration
	}{
		{"one node", 3, 1, 1, 0},
		{"half of the zone", 20, 10, 10, 10 * time.Second},
		{"exactly 55 %", 20, 11, 0, 0},
		{"two of two", 2, 2, 2, 10 * time.Second},
		{"two of three", 3, 2, 2, 10 * time.Second},
		{"three of five", 5, 3, 0, 0},
		{"three of six", 6, 3, 3, 10 * time.Second},
		{"a zone of 50", 50, 28, 0, 0},
		{"a large zone", 51, 29, 29, 100 * time.Second},
		{"a large zone that is healthy", 51, 28, 28, 10 * time.Second},
		{"the whole zone", 6, 6, 6, 10 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			times := tainted(t, c.all, c.down)
			require.Len(t, times, c.tainted)
			for i, at := range times {
				require.Equal(t, 50*time.Second+time.Duration(i)*c.every, at)
			}
		})
	}
}

// TestASilentNodeIsRecorded: what the timeline says of a node that falls silent, for how long it has been, and when it is
// tainted.
func TestASilentNodeIsRecorded(t *testing.T) {
	k := kernel.New(nil)
	n := nodes.New(k, store.New(model.APIRules{}, k.Now), nodes.Config{MonitorGrace: 40 * time.Second})
	n.Listen(n.Down("node-2", true))
	for next, any := k.Peek(); any; next, any = k.Peek() {
		k.Advance(next)
		for k.Next() {
		}
	}
	var lines []string
	for _, e := range k.Events() {
		lines = append(lines, fmt.Sprintf("%s %s %s: %s", e.T.Clock(), e.Node, e.Reason, e.Message))
	}
	require.Equal(t, []string{
		"0s node-2 NodeDown: node-2 is off: its kubelet does nothing, and its processes are dead",
		"40s node-2 NodeNotReady: node-2 is NotReady: it has been silent for 40s",
		"40s node-2 Unreachable: node-2 gets the taint node.kubernetes.io/unreachable:NoExecute",
	}, lines)
}

// TestDarkTwice: each time no node at all is ready, the node controllers evict nothing until one is.
func TestDarkTwice(t *testing.T) {
	k := kernel.New(nil)
	specs := []nodes.Spec{{Name: "node-1"}, {Name: "node-2"}}
	s := store.New(model.APIRules{}, k.Now)
	c := &cluster{nodes.New(k, s, nodes.Config{Nodes: specs, MonitorGrace: 40 * time.Second}), k, s}
	c.Listen(c.Down("node-2", false))
	for at := range 2 {
		c.Listen(c.Down("node-1", false))
		c.pass(time.Duration(4*at+2) * time.Minute)
		c.Up("node-1")
		c.Balance()
		c.pass(time.Duration(4*at+4) * time.Minute)
	}
	var said []string
	for _, e := range k.Events() {
		said = append(said, strings.Join(strings.Fields(e.T.Clock()+" "+e.Node+" "+e.Reason), " "))
	}
	require.Equal(t, []string{
		"0s node-2 NodeDown", "0s node-1 NodeDown", "40s node-2 NodeNotReady", "40s node-1 NodeNotReady", "40s AllNodesDown",
		"2m00s node-1 NodeUp", "2m00s node-2 Unreachable",
		"4m00s node-1 NodeDown", "4m40s node-1 NodeNotReady", "4m40s AllNodesDown",
		"6m00s node-1 NodeUp", "6m00s node-2 Unreachable",
	}, said)
}
