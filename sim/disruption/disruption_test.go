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
	room := newRoom(t)
	k, s, c := room.kernel, room.store, room.controller
	run := room.run
	run("web-0", "node-1")
	run("web-1", "node-1")
	c.Put(budget("web", 1))
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

// room is the controller with a store to itself.
type room struct {
	t          *testing.T
	kernel     *kernel.Kernel
	store      *store.Store
	nodes      *nodes.Controller
	controller *disruption.Controller
	user       store.Writer
	// grace is the grace period of its pods.
	grace time.Duration
}

func newRoom(t *testing.T) *room {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{})
	c := disruption.New(k, s, log, n)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, c.SeePod)
	return &room{t: t, kernel: k, store: s, nodes: n, controller: c, user: s.As(store.By{Actor: timeline.User})}
}

func key(name string) model.Key { return model.Key{Namespace: "default", Name: name} }

// budget asks for so many pods of app=web.
func budget(name string, available int) *model.Budget {
	return &model.Budget{
		Namespace: "default", Name: name, MinAvailable: &model.IntOrPercent{Value: int32(available)},
		Selects: &model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
	}
}

// run lets a pod be Ready on a node.
func (r *room) run(name, node string) {
	_, err := r.user.CreatePod(&model.Pod{
		Meta:     model.Meta{Namespace: "default", Name: name, Labels: map[string]string{"app": "web"}},
		Template: &model.Template{Grace: r.grace},
	})
	require.Nil(r.t, err)
	r.user.ChangePod(key(name), func(p *model.Pod) { p.Node, p.Phase, p.Ready = node, model.Running, true })
}

// TestDrainGoesByName refuses a pod once. Another pod gets its name, on another node, and that is the one that the drain
// evicts and waits for.
func TestDrainGoesByName(t *testing.T) {
	r := newRoom(t)
	r.grace = 30 * time.Second
	r.run("web-0", "node-1")
	r.controller.Put(budget("web", 1))
	require.True(t, r.controller.Drain("node-1", 0))
	r.user.DeletePod(key("web-0"), 0, true)
	r.run("web-0", "node-2")
	require.Len(t, r.controller.Stuck(), 1, "it does not look at the node")

	require.True(t, r.controller.Delete(key("web")))
	require.True(t, r.controller.DrainMayHelp())
	next, _ := r.kernel.Peek()
	r.kernel.Advance(next)
	for r.kernel.Next() {
	}
	require.True(t, r.store.Pod(key("web-0")).Terminating())
	drained := func() bool {
		events := r.kernel.Events()
		return events[len(events)-1].Reason == timeline.ReasonDrained
	}
	require.False(t, drained(), "it waits until that pod is gone")
	r.user.RemovePod(key("web-0"))
	require.True(t, drained())
}

// TestBudgetsThatShareAPod lets two budgets cover the same pods: the controller looks at the first alone, and the status
// of the other one stays as it was.
func TestBudgetsThatShareAPod(t *testing.T) {
	r := newRoom(t)
	r.controller.Put(budget("a", 1))
	r.controller.Put(budget("b", 1))
	r.controller.Note()
	r.run("web-0", "node-1")
	r.run("web-1", "node-2")
	r.controller.Note()
	healthy, warnings := map[string]int32{}, 0
	for _, e := range r.kernel.Events() {
		if e.Budget != nil {
			healthy[e.Budget.Name] = e.Budget.Healthy
		}
		if e.Reason == "MultiplePodDisruptionBudgets" {
			warnings++
			require.Equal(t, `Pod "default"/"`+e.Pod+`" matches multiple PodDisruptionBudgets.  Chose "a" arbitrarily.`, e.Message)
		}
	}
	require.Equal(t, map[string]int32{"a": 2, "b": 0}, healthy)
	require.Equal(t, 2, warnings, "each pod is told once")
	require.True(t, r.controller.Delete(key("a")))
	r.user.ChangePod(key("web-0"), func(p *model.Pod) { p.Ready = false })
	r.controller.Note()
	events := r.kernel.Events()
	require.Equal(t, int32(1), events[len(events)-1].Budget.Healthy, "with the next change of a pod it is looked at again")
}

// TestUnmanagedPods: a budget that counts pods by their controllers is warned of once while it covers pods without one, in
// the words of the API's own selector; not where it asks for a number, nor before 1.27.
func TestUnmanagedPods(t *testing.T) {
	percent := budget("percent", 50)
	percent.MinAvailable.Percent = true
	percent.Selects.Needs = append(percent.Selects.Needs,
		model.Requirement{Label: "tier", Op: model.OpNotIn, Values: []string{"a", "b"}})
	for _, old := range []bool{false, true} {
		r := newRoom(t)
		r.nodes.SetRules(nodes.Rules{Manager: nodes.Manager{SaysNothingOfUnmanaged: old}})
		r.controller.Put(percent)
		r.controller.Put(budget("number", 1))
		var warned []timeline.Event
		note := func() int {
			r.controller.Note()
			warned = nil
			for _, e := range r.kernel.Events() {
				if e.Reason == "UnmanagedPods" {
					warned = append(warned, e)
				}
			}
			return len(warned)
		}
		require.Zero(t, note(), "it covers no pod yet")
		r.run("web-0", "node-1")
		first := note()
		r.run("web-1", "node-2")
		require.Equal(t, first, note(), "it is said at once, or not at all")
		if old {
			require.Empty(t, warned)
			continue
		}
		require.Len(t, warned, 1)
		require.Equal(t, "web-0", warned[0].Pod)
		require.Contains(t, warned[0].Message, "(selector: &LabelSelector{MatchLabels:map[string]string{app: web,},"+
			"MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:NotIn,Values:[a b],},},})")
	}
}
