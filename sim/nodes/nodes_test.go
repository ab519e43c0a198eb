package nodes_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestNodesAlone takes a node down: its pods lose their readiness when it has been silent for 50s, and are deleted when
// they have tolerated its taint for 300s.
func TestNodesAlone(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	n := nodes.New(k, s, nodes.Config{})
	s.Watch(model.KindPod, n.SeePod)
	user := s.As(store.By{Actor: timeline.User})
	_, err := user.CreatePod(&model.Pod{
		Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: &model.Template{Grace: 30 * time.Second},
	})
	require.Nil(t, err)
	key := model.Key{Namespace: "default", Name: "web-0"}
	user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase, p.Ready = "node-1", model.Running, true })

	n.Listen(n.Down("node-1", false))
	type step struct {
		at                 time.Duration
		ready, terminating bool
	}
	var steps []step
	for next, any := k.Peek(); any; next, any = k.Peek() {
		k.Advance(next)
		for k.Next() {
		}
		pod := s.Pod(key)
		steps = append(steps, step{time.Duration(next), pod.Ready, pod.Terminating()})
	}
	require.Equal(t, []step{{50 * time.Second, false, false}, {350 * time.Second, false, true}}, steps)
	require.True(t, n.Silenced())
	require.False(t, n.Silenced(), "it says so once")
	require.False(t, n.Node("node-1").Schedulable())
	require.True(t, n.Node("node-2").Schedulable())
}
