package disruption_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/disruption"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestDisruptionAlone drains a node with two pods of which one must be up: the second is evicted when the first is up
// again elsewhere, at the next of the tries that come every 5s.
func TestDisruptionAlone(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, func(*model.Pod) string { return "" })
	n := nodes.New(k, s, nodes.Config{}, func() {})
	c := disruption.New(k, s, log, n)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, c.SeePod)
	user := s.As(store.By{Actor: timeline.User})
	key := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	run := func(name, node string) {
		_, err := user.CreatePod(&model.Pod{
			Meta:     model.Meta{Namespace: "default", Name: name, Labels: map[string]string{"app": "web"}},
			Template: &model.Template{},
		})
		require.Nil(t, err)
		user.ChangePod(key(name), func(p *model.Pod) { p.Node, p.Phase, p.Ready = node, model.Running, true })
	}
	run("web-0", "node-1")
	run("web-1", "node-1")
	one := model.IntOrPercent{Value: 1}
	c.Put(&model.Budget{
		Namespace: "default", Name: "web", MinAvailable: &one,
		Selects: &model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
	})
	require.True(t, c.Drain("node-1", 0))
	require.Nil(t, s.Pod(key("web-0")))
	require.NotNil(t, s.Pod(key("web-1")))
	require.Len(t, c.Stuck(), 1)
	require.False(t, c.DrainMayHelp())

	run("web-0", "node-2")
	require.True(t, c.DrainMayHelp())
	next, _ := k.Peek()
	require.Equal(t, model.Time(5*time.Second), next)
	k.Advance(next)
	for k.Next() {
	}
	require.Nil(t, s.Pod(key("web-1")))
	require.Empty(t, c.Stuck())
	require.Equal(t, timeline.ReasonDrained, k.Events()[len(k.Events())-1].Reason)
}
