package manager_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
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

// killer is a fault that strikes once, after the second write. That write may be answered with a conflict.
type killer struct {
	writes   int
	strike   func()
	conflict bool
}

func (k *killer) Armed() bool { return true }

func (k *killer) AtWrite(_ model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, manager.Met) {
	reply := send(call)
	if k.writes++; k.writes == 2 {
		k.strike()
		if k.conflict {
			reply = model.Reply{Err: &model.APIError{Reason: model.Conflict}}
		}
	}
	return reply, manager.Met{}
}

// TestDiesInTheMiddle restarts the controller at its second write: two of three pods are there, and the rest of the sync
// has no effect. The calls that are left fail, nothing is said, nothing is waited for. The next controller does it all.
func TestDiesInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name               string
		latency            manager.Latency
		together, conflict bool
	}{
		{"one after the other", manager.Latency{}, false, false},
		{"one after the other, by calls that take time", manager.Latency{Write: behaviour.Constant(time.Second)}, false, false},
		{"branch by branch", manager.Latency{}, true, false},
		{"branches whose calls are under way together", manager.Latency{Write: behaviour.Constant(time.Second)}, true, false},
		{"at a write after which it would pause", manager.Latency{Write: behaviour.Constant(time.Second)}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(c.latency, nil)
			con := &triple{together: c.together}
			fault := &killer{conflict: c.conflict, strike: func() { p.Restart(manager.Beginning{After: time.Minute}) }}
			p.Run(con, fault, nil)
			p.create(t, "web", 3, 0)
			p.pass(30 * time.Second)
			require.Len(t, p.store.Pods(), 2)
			require.Len(t, con.replies, 3)
			failed := 0
			for _, reply := range con.replies {
				if reply.Err != nil && reply.Err.Reason != model.Conflict {
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

// TestBranchesInAnyOrder: which of several calls that go out together comes first is a choice. The dull one is the order
// of the ordinals.
func TestBranchesInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		name   string
		choose func(of int) int
		want   []string
	}{
		{"the first", func(int) int { return 0 }, []string{"web-0", "web-1", "web-2"}},
		{"the last", func(of int) int { return of - 1 }, []string{"web-2", "web-1", "web-0"}},
		{"the second", func(int) int { return 1 }, []string{"web-1", "web-2", "web-0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			chooser := choose.Func(func(kind choose.Kind, of int) int {
				if kind == choose.Branch {
					return c.choose(of)
				}
				return 0
			})
			p := startWith(chooser, manager.Latency{}, nil)
			p.Run(&triple{together: true}, noFaults{}, nil)
			p.create(t, "web", 3, 0)
			p.rest()
			pods := p.store.Pods()
			slices.SortFunc(pods, func(a, b *model.Pod) int { return cmp.Compare(a.UID, b.UID) })
			require.Equal(t, c.want, names(pods))
		})
	}
}

func names(pods []*model.Pod) (list []string) {
	for _, pod := range pods {
		list = append(list, pod.Name)
	}
	return list
}

// TestASyncThatRepeatsTheLastOne keeps no run open while it only reads, but does so from its first write on: a run must
// not end while a call is under way that changes something.
func TestASyncThatRepeatsTheLastOne(t *testing.T) {
	p := start(manager.Latency{Write: behaviour.Constant(time.Second)}, nil)
	p.Run(&looker{}, noFaults{}, nil)
	p.create(t, "web", 0, 0)
	p.pass(time.Minute)
	p.Resync()
	p.pass(2 * time.Minute)
	p.Resync()
	p.rest()
	require.False(t, p.kernel.Open(), "it looks, as it did a minute ago, and nothing has changed")
	p.pass(2*time.Minute + time.Second)
	require.True(t, p.kernel.Open(), "it writes")
	p.pass(2*time.Minute + 2*time.Second)
	require.False(t, p.kernel.Open())
}

// looker is a controller that reads a pod and then creates it, also where it is there.
type looker struct{ controller }

func (*looker) Sync(view model.View, calls model.Calls) model.Result {
	set := view.Set()
	key := model.Key{Namespace: set.Namespace, Name: set.PodName(0)}
	calls.Do(model.Call{Verb: model.Get, Kind: model.KindPod, Key: key})
	calls.Do(model.Call{Verb: model.Create, Kind: model.KindPod, Key: key,
		Pod: &model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}, Template: set.Spec.Template}})
	return model.Result{}
}
