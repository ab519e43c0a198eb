package storage_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/storage"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestWhenAVolumeIsDetached has a pod whose object is gone while its process may run on node-1, and one of its name on
// node-2: it starts at once, when the process has ended, when the node is out of service, or when six minutes are over
// and the node is known not to be ready.
func TestWhenAVolumeIsDetached(t *testing.T) {
	for _, c := range []struct {
		name   string
		modes  string
		runs   bool
		node   func(*nodes.Controller)
		free   bool // at once
		forced bool // after six minutes
	}{
		{"the process has ended", `["ReadWriteOnce"]`, false, func(*nodes.Controller) {}, true, true},
		{"it runs", `["ReadWriteOnce"]`, true, func(*nodes.Controller) {}, false, false},
		{"it runs, and the node is silent", `["ReadWriteOnce"]`, true, func(n *nodes.Controller) { n.Down("node-1", false) }, false, false},
		{"it runs, and the node is not ready", `["ReadWriteOnce"]`, true, notReady, false, true},
		{"it has ended, and the node is not ready", `["ReadWriteOnce"]`, false, notReady, false, true},
		{"the node is deleted", `["ReadWriteOnce"]`, true, func(n *nodes.Controller) {
			n.Down("node-1", true)
			n.Delete("node-1")
		}, false, true},
		{"the node is out of service", `["ReadWriteOnce"]`, true, func(n *nodes.Controller) {
			n.OutOfService("node-1", true)
		}, true, true},
		{"the node is out of service, and nobody knows the taint", `["ReadWriteOnce"]`, true, func(n *nodes.Controller) {
			n.OutOfService("node-1", true)
			n.SetRules(nodes.Rules{Manager: nodes.Manager{IgnoresOutOfService: true}})
		}, false, false},
		{"many may write", `["ReadWriteMany"]`, true, func(*nodes.Controller) {}, true, true},
		{"many may read", `["ReadOnlyMany"]`, true, func(*nodes.Controller) {}, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kernel.New(nil)
			s := store.New(model.APIRules{}, k.Now)
			log := audit.New(k, s, &audit.Addresses{})
			n := nodes.New(k, s, nodes.Config{})
			volumes := storage.New(k, s, log, n, storage.Config{})
			s.Watch(model.KindPod, log.SeePod)
			s.Watch(model.KindPod, volumes.SeePod)
			s.Watch(model.KindClaim, log.SeeClaim)
			s.Watch(model.KindClaim, volumes.SeeClaim)
			user := s.As(store.By{Actor: timeline.User})
			_, err := user.CreateSet(&model.StatefulSet{
				Meta: model.Meta{Namespace: "default", Name: "web"},
				Spec: model.Spec{
					Template: &model.Template{Labels: map[string]string{"app": "web"}},
					Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
					ClaimTemplates: []model.ClaimTemplate{
						{Name: "logs", Data: `{"accessModes":["ReadOnlyMany"]}`}, {Name: "data", Data: `{"accessModes":` + c.modes + `}`},
					},
					Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
				},
			})
			require.Nil(t, err)
			_, err = user.CreateClaim(&model.Claim{Meta: model.Meta{Namespace: "default", Name: "data-web-0"}})
			require.Nil(t, err)
			key := model.Key{Namespace: "default", Name: "web-0"}
			put := func(node string) *model.Pod {
				_, err := user.CreatePod(&model.Pod{
					Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: &model.Template{},
					Volumes: []model.Volume{{Name: "data", Claim: "data-web-0"}},
				})
				require.Nil(t, err)
				user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase = node, model.Pending })
				return s.Pod(key)
			}
			first := put("node-1")
			_, may := volumes.Attach(first)
			require.True(t, may)
			require.Nil(t, user.DeletePod(key, 0, true))
			c.node(n)
			volumes.Leave(first, c.runs)
			second := put("node-2")
			others, may := volumes.Attach(second)
			require.Equal(t, c.free, may || slices.Contains(others, second), "at once")
			if c.free {
				return
			}
			var freed []*model.Pod
			for next, any := k.Peek(); any && next <= model.Time(6*time.Minute); next, any = k.Peek() {
				k.Advance(next)
				for k.Next() {
				}
				if volumes.Due() {
					require.Equal(t, model.Time(6*time.Minute), k.Now())
					freed = volumes.Settle()
				}
			}
			require.Equal(t, c.forced, len(freed) == 1, "after six minutes")
			if !c.forced {
				n.Up("node-1")
				volumes.Settle()
				require.Equal(t, []*model.Pod{second}, volumes.Ended(first.UID), "when the process has ended at last")
			}
		})
	}
}

// notReady is a node that has been silent for so long that its object says so.
func notReady(n *nodes.Controller) {
	state := n.States()[0]
	state.Down, state.NotReady = true, true
	n.Put(store.By{}, state)
}
