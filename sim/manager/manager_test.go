package manager_test

import (
	"cmp"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// controller is one that creates a pod for each set that has none, and fails as often as it is told to.
type controller struct {
	fails int
	syncs []model.Time
}

func (c *controller) Enqueue(change model.Change, _ model.Sets, enqueue func(model.Key, time.Duration)) {
	if set := cmp.Or(change.Set, change.OldSet); set != nil {
		enqueue(set.Key(), 0)
	}
}

func (c *controller) Sync(view model.View, calls model.Calls) model.Result {
	c.syncs = append(c.syncs, view.Now())
	if c.fails > 0 {
		c.fails--
		return model.Result{Err: errors.New("not now")}
	}
	set := view.Set()
	name := set.PodName(0)
	if view.Pod(model.Replicas, 0) != nil {
		return model.Result{}
	}
	owner := model.Owner{Kind: model.KindStatefulSet, Name: set.Name, UID: set.UID, Controller: true}
	reply := calls.Do(model.Call{
		Verb: model.Create, Kind: model.KindPod, Key: model.Key{Namespace: set.Namespace, Name: name},
		Pod: &model.Pod{
			Meta: model.Meta{
				Namespace: set.Namespace, Name: name, Labels: set.Spec.Template.Labels, Owners: []model.Owner{owner},
			},
			Template: set.Spec.Template,
		},
		Why: model.Why{Code: model.CodeCreate, Object: name},
	})
	if reply.Err != nil {
		return model.Result{Err: reply.Err}
	}
	return model.Result{Waits: []model.Why{{Code: model.WaitingForReady, Object: name}}}
}

// noFaults is that nothing goes wrong.
type noFaults struct{}

func (noFaults) Armed() bool { return false }

func (noFaults) AtWrite(_ model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, manager.Met) {
	return send(call), manager.Met{}
}

// TestManagerAlone runs a controller over watches that take 100ms and calls that take 50ms: it is retried with a growing
// delay, its write comes when the call is over, and what it waits for is recorded.
func TestManagerAlone(t *testing.T) {
	const ms = model.Time(time.Millisecond)
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	latency := manager.Latency{
		Watch: behaviour.Constant(100 * time.Millisecond), Write: behaviour.Constant(50 * time.Millisecond),
	}
	m := manager.New(k, s, log, latency)
	c := &controller{fails: 2}
	m.Run(c, noFaults{}, nil)
	s.Watch(model.KindPod, log.SeePod)
	for _, kind := range store.Kinds {
		s.Watch(kind, m.See)
	}
	_, err := s.As(store.By{Actor: timeline.User}).CreateSet(&model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 1, Template: &model.Template{Labels: map[string]string{"app": "web"}},
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
		},
	})
	require.Nil(t, err)
	require.True(t, k.Open(), "the change is on its way")
	for {
		for again := true; again; again = m.SyncNext(false) {
			m.Deliver()
			for k.Next() {
				m.Deliver()
			}
		}
		m.NoteWaits()
		next, any := k.Peek()
		if !any {
			break
		}
		k.Advance(next)
		m.NewInstant(manager.None)
	}
	require.Equal(t, []model.Time{100 * ms, 105 * ms, 115 * ms}, c.syncs, "5ms, then 10ms after a failure")
	var created *timeline.Event
	for i := range k.Events() {
		if e := &k.Events()[i]; e.Kind == timeline.KindPod {
			created = e
		}
	}
	require.Equal(t, 165*ms, created.T)
	require.Equal(t, model.CodeCreate, created.Why.Code)
	require.Equal(t, []model.Key{{Namespace: "default", Name: "web"}}, m.Known())
	require.Len(t, m.Stuck(m.Known()[0]), 1)
	require.Equal(t, 3, m.Syncs())
}
