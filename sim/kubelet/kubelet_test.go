package kubelet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// volumes are never in the way.
type volumes struct{}

func (volumes) Attach(*model.Pod) ([]*model.Pod, bool) { return nil, true }
func (volumes) Leave(*model.Pod, bool)                 {}
func (volumes) Ended(model.UID) []*model.Pod           { return nil }

// TestKubeletAlone lets a pod that is bound run, become Ready and stop; while its node is down nothing of that happens.
func TestKubeletAlone(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{})
	pods := &behaviour.Behaviour{Default: behaviour.Times{
		Start: behaviour.Constant(time.Second), Ready: behaviour.Constant(2 * time.Second),
		Stop: behaviour.Constant(4 * time.Second),
	}}
	kubelets := kubelet.New(kubelet.Needs{
		Kernel: k, Store: s, Log: log, Nodes: n, Volumes: volumes{}, Behaviour: pods,
	})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, kubelets.SeePod)
	user := s.As(store.By{Actor: timeline.User})
	_, err := user.CreatePod(&model.Pod{
		Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: &model.Template{Grace: 30 * time.Second},
	})
	require.Nil(t, err)
	key := model.Key{Namespace: "default", Name: "web-0"}
	user.ChangePod(key, func(p *model.Pod) { p.Node = "node-1" })
	pass := func(d time.Duration) *model.Pod {
		for end := k.Now().Add(d); ; {
			for k.Next() {
			}
			next, any := k.Peek()
			if !any || next > end {
				k.Advance(end)
				return s.Pod(key)
			}
			k.Advance(next)
		}
	}
	require.Equal(t, model.Pending, pass(900*time.Millisecond).Phase)
	require.Equal(t, model.Running, pass(200*time.Millisecond).Phase)

	node := n.Down("node-1", false)
	kubelets.Pause(node)
	require.False(t, pass(time.Minute).Ready, "its node is down")
	node, off := n.Up("node-1")
	kubelets.Resume(node, off)
	require.False(t, pass(1800*time.Millisecond).Ready, "it has been running for 0.1s of its 2s")
	require.True(t, pass(200*time.Millisecond).Ready)

	require.Nil(t, user.DeletePod(key, 0, false))
	require.NotNil(t, pass(3900*time.Millisecond))
	require.Nil(t, pass(200*time.Millisecond))
}

// TestProcessOutlivesItsPod deletes a pod by force: its process runs on until its kubelet has stopped it.
func TestProcessOutlivesItsPod(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{})
	pods := &behaviour.Behaviour{Default: behaviour.Times{
		Start: behaviour.Constant(0), Ready: behaviour.Constant(0), Stop: behaviour.Constant(4 * time.Second),
	}}
	kubelets := kubelet.New(kubelet.Needs{
		Kernel: k, Store: s, Log: log, Nodes: n, Volumes: volumes{}, Behaviour: pods,
	})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, kubelets.SeePod)
	user := s.As(store.By{Actor: timeline.User})
	_, err := user.CreatePod(&model.Pod{
		Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: &model.Template{Grace: 30 * time.Second},
	})
	require.Nil(t, err)
	key := model.Key{Namespace: "default", Name: "web-0"}
	user.ChangePod(key, func(p *model.Pod) { p.Node = "node-1" })
	for k.Next() {
	}
	require.Nil(t, user.DeletePod(key, 0, false))
	require.Nil(t, user.DeletePod(key, 0, true))
	next, any := k.Peek()
	require.True(t, any)
	require.Equal(t, model.Time(4*time.Second), next)
	k.Advance(next)
	for k.Next() {
	}
	last := k.Events()[len(k.Events())-1]
	require.Equal(t, timeline.KindProcess, last.Kind)
	require.True(t, last.Process.Ended)
}
