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

// cluster is the nodes of a cluster of its own.
type cluster struct {
	*nodes.Controller
	kernel *kernel.Kernel
	store  *store.Store
}

func newCluster() *cluster {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	c := &cluster{nodes.New(k, s, nodes.Config{}), k, s}
	s.Watch(model.KindPod, c.SeePod)
	return c
}

// pass lets time pass, up to an instant.
func (c *cluster) pass(until time.Duration) {
	for next, any := c.kernel.Peek(); any && next <= model.Time(until); next, any = c.kernel.Peek() {
		c.kernel.Advance(next)
		for c.kernel.Next() || c.kernel.NextLate() {
		}
	}
	c.kernel.Advance(model.Time(until))
}

// TestAVerbThatChangesNothingSaysSo does each thing to a node that is as wanted already, that is gone, or that there never
// was: nobody hears of it.
func TestAVerbThatChangesNothingSaysSo(t *testing.T) {
	c := newCluster()
	require.True(t, c.Cordon("node-1", true))
	require.True(t, c.OutOfService("node-1", true))
	require.NotNil(t, c.Down("node-1", false))
	require.True(t, c.Delete("node-2"))
	noted := len(c.kernel.Events())
	require.False(t, c.Cordon("node-1", true), "it is cordoned")
	require.False(t, c.Cordon("node-3", false), "it is not cordoned")
	require.False(t, c.OutOfService("node-1", true), "it is out of service")
	require.False(t, c.OutOfService("node-3", false), "it is in service")
	require.Nil(t, c.Down("node-1", true), "it is down")
	up, _ := c.Up("node-3")
	require.Nil(t, up, "it is up")
	for _, name := range []string{"node-2", "nowhere"} {
		require.False(t, c.Cordon(name, true), name)
		require.False(t, c.OutOfService(name, true), name)
		require.False(t, c.Delete(name), name)
		require.Nil(t, c.Down(name, false), name)
	}
	up, _ = c.Up("nowhere")
	require.Nil(t, up)
	require.Len(t, c.kernel.Events(), noted)

	up, off := c.Up("node-2")
	require.NotNil(t, up, "a node whose object was deleted registers itself")
	require.False(t, off)
	require.NotNil(t, c.Down("node-3", true))
	up, off = c.Up("node-3")
	require.NotNil(t, up)
	require.True(t, off)
	require.True(t, c.Cordon("node-1", false))
	require.True(t, c.OutOfService("node-1", false))
	require.Len(t, c.kernel.Events(), noted+5, "each of these is noted")
}

// TestStates returns the nodes that are there, as their objects show them: one that has been silent for a moment is not
// known to be down.
func TestStates(t *testing.T) {
	c := newCluster()
	c.Listen(c.Down("node-1", false))
	c.Delete("node-2")
	c.Cordon("node-3", true)
	state := func(name string) *nodes.State {
		for _, s := range c.States() {
			if s.Name == name {
				return &s
			}
		}
		return nil
	}
	require.Nil(t, state("node-2"), "it is gone")
	require.True(t, state("node-3").Cordoned)
	require.False(t, state("node-1").Down)
	c.pass(time.Minute)
	require.True(t, state("node-1").Down)
	require.True(t, state("node-1").NotReady)
	require.True(t, state("node-1").Unreachable)
	require.Equal(t, model.Time(50*time.Second), state("node-1").Tainted)
}

// TestEvictionsGoOnFromAState begins with a node that was tainted 100s ago: the pods on it are evicted when they have
// tolerated that for 300s, but for one that is being deleted, and for one that has ended meanwhile.
func TestEvictionsGoOnFromAState(t *testing.T) {
	c := newCluster()
	by := store.By{Actor: timeline.Dump}
	ago := model.Time(-100 * time.Second)
	var pods []*model.Pod
	for i, pod := range []struct {
		name, node  string
		terminating bool
	}{
		{"web-0", "node-1", false}, {"web-1", "node-2", false}, {"web-2", "node-1", true}, {"web-3", "node-1", false},
		{"web-4", "", false}, {"web-5", "node-1", false},
	} {
		object := &model.Pod{
			Meta: model.Meta{Namespace: "default", Name: pod.name, UID: model.UID(i + 1)}, Node: pod.node,
			Template: &model.Template{Grace: 30 * time.Second}, Phase: model.Running,
		}
		if pod.terminating {
			object.Deletion = &model.Deletion{At: ago, Grace: 30 * time.Second}
		}
		pods = append(pods, object)
	}
	c.store.Restore(store.Objects{Pods: pods})
	state := c.States()[0]
	require.Equal(t, "node-1", state.Name)
	state.Down, state.NotReady, state.Unreachable, state.Tainted = true, true, true, ago
	c.Put(by, state)
	c.store.As(by).Announce(model.KindPod)
	c.GoOn()
	key := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	c.pass(100 * time.Second)
	c.store.As(by).ChangePod(key("web-3"), func(pod *model.Pod) { pod.Phase = model.Failed })
	c.store.As(by).ChangePod(key("web-5"), func(pod *model.Pod) { pod.Reason = "NodeLost" })
	c.pass(199 * time.Second)
	for _, name := range []string{"web-0", "web-1", "web-3", "web-4", "web-5"} {
		require.False(t, c.store.Pod(key(name)).Terminating(), name)
	}
	deleted := c.store.Pod(key("web-2")).Deletion
	c.pass(200 * time.Second)
	require.True(t, c.store.Pod(key("web-0")).Terminating())
	require.True(t, c.store.Pod(key("web-5")).Terminating(), "another write of it changes nothing")
	require.False(t, c.store.Pod(key("web-1")).Terminating(), "it is on another node")
	require.False(t, c.store.Pod(key("web-3")).Terminating(), "it has ended")
	require.False(t, c.store.Pod(key("web-4")).Terminating(), "it is on no node")
	require.Equal(t, deleted, c.store.Pod(key("web-2")).Deletion)
}

// TestTheRoundsOfTheCollectorCount has a cluster in which all is well, whose fingerprint stays the same as time passes. A
// node that is not well has another one with each phase of the rounds of the pod garbage collector.
func TestTheRoundsOfTheCollectorCount(t *testing.T) {
	for _, trouble := range []struct {
		name   string
		begin  func(*cluster)
		rounds bool
	}{
		{"nothing", func(*cluster) {}, false},
		{"cordoned", func(c *cluster) { c.Cordon("node-1", true) }, false},
		{"down", func(c *cluster) { c.Down("node-1", false) }, true},
		{"out of service", func(c *cluster) { c.OutOfService("node-1", true) }, true},
		{"gone", func(c *cluster) { c.Delete("node-1") }, true},
		{"not ready", func(c *cluster) {
			state := c.States()[0]
			state.NotReady = true
			c.Put(store.By{}, state)
		}, true},
	} {
		c := newCluster()
		trouble.begin(c)
		c.pass(2 * time.Minute)
		first := c.kernel.Fingerprint(c.Print)
		c.pass(2*time.Minute + 7*time.Second)
		require.Equal(t, trouble.rounds, first != c.kernel.Fingerprint(c.Print), trouble.name)
		c.pass(2*time.Minute + 20*time.Second)
		require.Equal(t, first, c.kernel.Fingerprint(c.Print), "%s: one round later", trouble.name)
	}
}

// TestWhatIsNotedOfANode is its state after each thing that happens to it.
func TestWhatIsNotedOfANode(t *testing.T) {
	c := newCluster()
	c.Cordon("node-1", true)
	c.Listen(c.Down("node-1", false))
	c.pass(50 * time.Second)
	c.OutOfService("node-1", true)
	c.Delete("node-1")
	var states []timeline.Node
	for _, e := range c.kernel.Events() {
		if e.NodeState != nil && e.Node == "node-1" {
			states = append(states, *e.NodeState)
		}
	}
	require.Equal(t, []timeline.Node{
		{Up: true, Ready: true, Cordoned: true},
		{Ready: true, Cordoned: true},
		{Cordoned: true},
		{Cordoned: true, Unreachable: true},
		{Cordoned: true, Unreachable: true, OutOfService: true},
		{Cordoned: true, OutOfService: true, Deleted: true},
	}, states)
}

// TestARestartOfTheNodeControllers: the silence of a node, and the toleration of a pod, count again from then on.
func TestARestartOfTheNodeControllers(t *testing.T) {
	for _, c := range []struct {
		name      string
		restart   time.Duration
		notReady  time.Duration
		evictions time.Duration
	}{
		{"never", 0, 50 * time.Second, 350 * time.Second},
		{"while the node is silent", 30 * time.Second, 80 * time.Second, 380 * time.Second},
		{"while the pod tolerates it", 100 * time.Second, 50 * time.Second, 400 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster()
			user := cluster.store.As(store.By{Actor: timeline.User})
			_, err := user.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: &model.Template{}})
			require.Nil(t, err)
			key := model.Key{Namespace: "default", Name: "web-0"}
			user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase, p.Ready = "node-1", model.Running, true })
			cluster.Listen(cluster.Down("node-1", false))
			if c.restart > 0 {
				cluster.pass(c.restart)
				cluster.Restart()
			}
			var notReady time.Duration
			deleted := func() bool { return cluster.store.Pod(key) == nil || cluster.store.Pod(key).Terminating() }
			for at := c.restart; !deleted() && at < time.Hour; at += time.Second {
				cluster.pass(at)
			}
			for _, e := range cluster.kernel.Events() {
				if e.Reason == timeline.ReasonNodeNotReady {
					notReady = time.Duration(e.T)
				}
			}
			require.Equal(t, c.notReady, notReady)
			require.Equal(t, model.Time(c.evictions), cluster.kernel.Now())
		})
	}
}

// TestAnOutOfServiceNodeIsSweptOnceItIsNotReady: the taint deletes the pods of a node that is down, and the pod garbage
// collector removes them in its first round after the node has been found not ready. Before that it leaves them.
func TestAnOutOfServiceNodeIsSweptOnceItIsNotReady(t *testing.T) {
	c := newCluster()
	user := c.store.As(store.By{Actor: timeline.User})
	_, err := user.CreatePod(&model.Pod{
		Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: &model.Template{Grace: 30 * time.Second},
	})
	require.Nil(t, err)
	key := model.Key{Namespace: "default", Name: "web-0"}
	user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase, p.Ready = "node-1", model.Running, true })
	c.Listen(c.Down("node-1", false))
	c.pass(10 * time.Second)
	c.OutOfService("node-1", true)
	require.True(t, c.store.Pod(key).Terminating())
	c.pass(60*time.Second - 1)
	require.NotNil(t, c.store.Pod(key))
	c.pass(60 * time.Second)
	require.Nil(t, c.store.Pod(key))
}
