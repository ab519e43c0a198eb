package manager_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// triple is a controller that creates three pods in one sync, one after the other or together, says so, and waits.
type triple struct {
	controller
	together bool
	replies  []model.Reply
}

func (c *triple) Sync(view model.View, calls model.Calls) model.Result {
	set := view.Set()
	create := func(i int) {
		name := set.PodName(i)
		c.replies = append(c.replies, calls.Do(model.Call{
			Verb: model.Create, Kind: model.KindPod, Key: model.Key{Namespace: set.Namespace, Name: name},
			Pod: &model.Pod{Meta: model.Meta{Namespace: set.Namespace, Name: name}, Template: set.Spec.Template},
		}))
	}
	if c.together {
		calls.Fork(3, create)
	} else {
		for i := range 3 {
			create(i)
		}
	}
	calls.Record(model.K8sEvent{Reason: "Created", Message: "three pods"})
	return model.Result{Waits: []model.Why{{Code: model.WaitingForReady, Object: set.PodName(2)}}}
}

// killer is a fault that strikes once, after the second write.
type killer struct {
	writes int
	strike func()
}

func (k *killer) Armed() bool { return true }

func (k *killer) AtWrite(_ model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, manager.Met) {
	reply := send(call)
	if k.writes++; k.writes == 2 {
		k.strike()
	}
	return reply, manager.Met{}
}

// TestDiesInTheMiddle restarts the controller at its second write: two of three pods are there, and the rest of the sync
// has no effect. The calls that are left fail, nothing is said, nothing is waited for. The next controller does it all.
func TestDiesInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name     string
		latency  manager.Latency
		together bool
	}{
		{"one after the other", manager.Latency{}, false},
		{"one after the other, by calls that take time", manager.Latency{Write: behaviour.Constant(time.Second)}, false},
		{"branch by branch", manager.Latency{}, true},
		{"branches whose calls are under way together", manager.Latency{Write: behaviour.Constant(time.Second)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(c.latency, nil)
			con := &triple{together: c.together}
			fault := &killer{strike: func() { p.Restart(manager.Beginning{After: time.Minute}) }}
			p.Run(con, fault, nil)
			p.create(t, "web", 3, 0)
			p.pass(30 * time.Second)
			require.Len(t, p.store.Pods(), 2)
			require.Len(t, con.replies, 3)
			failed := 0
			for _, reply := range con.replies {
				if reply.Err != nil {
					require.Equal(t, "the controller has died", reply.Err.Message)
					failed++
				}
			}
			require.Positive(t, failed)
			require.Empty(t, p.Waits(web))
			require.Empty(t, p.events(timeline.KindK8sEvent))
			require.Equal(t, manager.Unseen, p.Lag())
			p.pass(2 * time.Minute)
			require.Len(t, p.store.Pods(), 3)
			require.Len(t, p.Waits(web), 1)
			require.Equal(t, []string{"Created"}, p.events(timeline.KindK8sEvent))
			require.Equal(t, manager.CaughtUp, p.Lag())
		})
	}
}

// events are the reasons of the events of a kind.
func (p *process) events(kind timeline.Kind) []string {
	var reasons []string
	for _, e := range p.kernel.Events() {
		if e.Kind == kind {
			reasons = append(reasons, e.Reason)
		}
	}
	return reasons
}
