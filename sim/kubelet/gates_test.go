package kubelet_test

import (
	"errors"
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

// members are the pods of a set, on one node each, whose readiness has a condition. The kubelets of the cluster are all
// there is of it.
type members struct {
	kernel *kernel.Kernel
	store  *store.Store
	*kubelet.Kubelets
}

// newMembers returns a cluster with a set of so many pods, of which each is bound at 0 and runs from 1s on.
func newMembers(t *testing.T, replicas int32, b *behaviour.Behaviour, template *model.Template) *members {
	k := kernel.New(nil)
	m := &members{kernel: k, store: store.New(model.APIRules{}, k.Now)}
	log := audit.New(k, m.store, &audit.Addresses{})
	m.Kubelets = kubelet.New(kubelet.Needs{Kernel: k, Store: m.store, Log: log,
		Nodes: nodes.New(k, m.store, nodes.Config{}), Volumes: volumes{}, Behaviour: b})
	m.store.Watch(model.KindPod, log.SeePod)
	m.store.Watch(model.KindPod, m.SeePod)
	template.Labels = map[string]string{"app": "web"}
	user := m.store.As(store.By{Actor: timeline.User})
	set, err := user.CreateSet(&model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{Replicas: replicas, Template: template,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}}}})
	require.Nil(t, err)
	for i := range replicas {
		key := model.Key{Namespace: "default", Name: set.PodName(int(i))}
		_, err := user.CreatePod(&model.Pod{Template: template, Meta: model.Meta{Namespace: key.Namespace, Name: key.Name,
			Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: set.Name, UID: set.UID, Controller: true}}}})
		require.Nil(t, err)
		user.ChangePod(key, func(p *model.Pod) { p.Node = "node-1" })
	}
	return m
}

// play lets all happen that is on its way, and has the conditions weighed at each fixed point.
func (m *members) play() {
	for again := true; again; {
		for m.kernel.Next() {
		}
		if m.Weigh(0) {
			continue
		}
		var next model.Time
		if next, again = m.kernel.Peek(); again {
			m.kernel.Advance(next)
		}
	}
}

// ready returns how many pods are Ready.
func (m *members) ready() (n int) {
	for _, pod := range m.store.Pods() {
		if pod.Ready {
			n++
		}
	}
	return n
}

func gated(when *behaviour.Condition) *behaviour.Behaviour {
	return &behaviour.Behaviour{Default: behaviour.Times{Start: behaviour.Constant(time.Second),
		Ready: behaviour.Constant(time.Second), Stop: behaviour.Constant(time.Second), When: when}}
}

// TestHowOftenAConditionIsAsked: one that asks nothing of the pod itself has one answer for the set, so it is not asked
// again for each of its pods.
func TestHowOftenAConditionIsAsked(t *testing.T) {
	asked := func(shared bool) (times int) {
		m := newMembers(t, 5, gated(&behaviour.Condition{Text: "true", Shared: shared,
			Holds: func(*timeline.Fold, model.Key, string, behaviour.Pay) (bool, error) { times++; return true, nil }}),
			&model.Template{})
		m.play()
		require.Equal(t, 5, m.ready())
		return times
	}
	require.Equal(t, 5*asked(true), asked(false))
}

// TestNobodyKnowsACondition: it counts as not met, and each condition of which nobody knows is warned of once.
func TestNobodyKnowsACondition(t *testing.T) {
	m := newMembers(t, 3, gated(&behaviour.Condition{Text: "pods.all(p, p.up)",
		Holds: func(*timeline.Fold, model.Key, string, behaviour.Pay) (bool, error) {
			return false, errors.New("it costs too much")
		}}),
		&model.Template{})
	m.play()
	require.Zero(t, m.ready())
	require.Equal(t, []string{"nobody knows whether web-0 is ready, and it counts as not ready: it costs too much: pods.all(p, p.up)"},
		m.kernel.Result.Warnings)
}

// TestATemplateWithoutAManifest: where containers are modelled, those of a template that was not read from a manifest
// run without probes.
func TestATemplateWithoutAManifest(t *testing.T) {
	b := gated(nil)
	b.Probes = &behaviour.Probes{}
	m := newMembers(t, 2, b, &model.Template{Containers: []model.Container{{Name: "app"}, {Name: "side"}}})
	m.play()
	require.Equal(t, 2, m.ready())
	require.Equal(t, 2, m.store.Pods()[0].Containers.All)
}
