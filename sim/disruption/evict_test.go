package disruption_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestEviction has two pods, web-0 as the case says and web-1 Ready, and evicts web-0.
func TestEviction(t *testing.T) {
	unready := func(p *model.Pod) { p.Ready = false }
	const violates = "Cannot evict pod as it would violate the pod's disruption budget."
	for _, c := range []struct {
		name    string
		budgets []*model.Budget
		pod     func(*model.Pod)
		rules   nodes.Rules
		refused *model.APIError
	}{
		{name: "no budget covers it"},
		{name: "no budget of its namespace covers it", budgets: []*model.Budget{
			{Namespace: "other", Name: "web", MinAvailable: budget("web", 2).MinAvailable, Selects: budget("web", 2).Selects}}},
		{name: "one may be missing", budgets: []*model.Budget{budget("web", 1)}},
		{name: "none may be missing", budgets: []*model.Budget{budget("web", 2)},
			refused: &model.APIError{Reason: model.TooManyRequests, Message: violates,
				Cause: "The disruption budget web needs 2 healthy pods and has 2 currently"}},
		{name: "it is Pending", budgets: []*model.Budget{budget("web", 2)},
			pod: func(p *model.Pod) { p.Ready, p.Phase = false, model.Pending }},
		{name: "it has ended", budgets: []*model.Budget{budget("web", 2)},
			pod: func(p *model.Pod) { p.Ready, p.Phase = false, model.Failed }},
		{name: "it is not Ready, and enough others are", budgets: []*model.Budget{budget("web", 1)}, pod: unready},
		{name: "it is not Ready, and too few others are", budgets: []*model.Budget{budget("web", 2)}, pod: unready,
			refused: &model.APIError{Reason: model.TooManyRequests, Message: violates,
				Cause: "The disruption budget web needs 2 healthy pods and has 1 currently"}},
		{name: "it is not Ready, and the budget says AlwaysAllow", budgets: []*model.Budget{always(budget("web", 2))}, pod: unready},
		{name: "it is not Ready, and the version knows no AlwaysAllow", budgets: []*model.Budget{always(budget("web", 2))}, pod: unready,
			rules: nodes.Rules{APIServer: nodes.APIServer{IgnoresUnhealthyPolicy: true}},
			refused: &model.APIError{Reason: model.TooManyRequests, Message: violates,
				Cause: "The disruption budget web needs 2 healthy pods and has 1 currently"}},
		{name: "it is Ready, and AlwaysAllow is not about it", budgets: []*model.Budget{always(budget("web", 2))},
			refused: &model.APIError{Reason: model.TooManyRequests, Message: violates,
				Cause: "The disruption budget web needs 2 healthy pods and has 2 currently"}},
		{name: "it is not Ready, and the budget wants none", budgets: []*model.Budget{budget("web", 0)}, pod: unready},
		{name: "the set of the pods is unknown", budgets: []*model.Budget{unavailable(budget("web", 0), 1)},
			refused: &model.APIError{Reason: model.TooManyRequests, Message: violates,
				Cause: "The disruption budget web does not allow evicting pods currently"}},
		{name: "the budget has no number", budgets: []*model.Budget{
			{Namespace: "default", Name: "web", Selects: budget("web", 0).Selects}},
			refused: &model.APIError{Reason: model.TooManyRequests, Message: violates,
				Cause: "The disruption budget web does not allow evicting pods currently"}},
		{name: "two budgets cover it", budgets: []*model.Budget{budget("a", 0), budget("b", 0)},
			refused: &model.APIError{Reason: model.InternalError,
				Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t)
			r.nodes.SetRules(c.rules)
			r.run("web-0", "node-1")
			r.run("web-1", "node-1")
			for _, b := range c.budgets {
				r.controller.Put(b)
			}
			if c.pod != nil {
				r.user.ChangePod(key("web-0"), c.pod)
			}
			require.Equal(t, c.refused, r.controller.Evict(key("web-0")))
			require.Equal(t, c.refused == nil, r.store.Pod(key("web-0")) == nil)
		})
	}
	r := newRoom(t)
	require.Equal(t, model.NotFound, r.controller.Evict(key("web-0")).Reason)
}

func always(b *model.Budget) *model.Budget {
	b.AlwaysAllow = true
	return b
}

// unavailable makes a budget count by what the controllers of its pods want.
func unavailable(b *model.Budget, pods int32) *model.Budget {
	b.MinAvailable, b.MaxUnavailable = nil, &model.IntOrPercent{Value: pods}
	return b
}

// TestEvictionsWhileNobodyCounts: while the disruption controller is away, each eviction takes one from the status that
// it has left; a budget that is new, or written again, grants none. When it is back it counts the pods again.
func TestEvictionsWhileNobodyCounts(t *testing.T) {
	r := newRoom(t)
	for _, name := range []string{"web-0", "web-1", "web-2", "web-3"} {
		r.run(name, "node-1")
	}
	r.controller.Put(budget("web", 2))
	r.controller.Restart()
	r.kernel.Away(model.Time(time.Minute), kernel.Nodes)
	allowed := func() int32 {
		told := int32(-1)
		for _, e := range r.kernel.Events() {
			if e.Budget != nil {
				told = e.Budget.Allowed
			}
		}
		return told
	}
	require.EqualValues(t, 2, allowed())
	require.Nil(t, r.controller.Evict(key("web-0")))
	require.EqualValues(t, 1, allowed())
	r.run("web-0", "node-2")
	require.Nil(t, r.controller.Evict(key("web-1")))
	require.EqualValues(t, 0, allowed())
	r.run("web-1", "node-2")
	refused := r.controller.Evict(key("web-2"))
	require.Equal(t, "The disruption budget web does not allow evicting pods currently", refused.Cause, "though all are Ready again")
	r.controller.Put(budget("web", 1))
	require.Equal(t, "The disruption budget web is still being processed by the server.", r.controller.Evict(key("web-2")).Cause)
	r.controller.Note()
	require.EqualValues(t, 0, allowed(), "nobody writes a status")
	r.user.ChangePod(key("web-3"), func(p *model.Pod) { p.Ready = false })
	require.Nil(t, r.controller.Evict(key("web-3")), "it is not Ready, and by the status that is left enough others are")
	r.run("web-3", "node-2")

	r.kernel.Advance(model.Time(time.Minute))
	r.controller.Note()
	require.EqualValues(t, 3, allowed())
	require.Nil(t, r.controller.Evict(key("web-2")))
	require.EqualValues(t, 3, allowed(), "the controller counts it, and says so at the next fixed point")
	r.controller.Note()
	require.EqualValues(t, 2, allowed())
}

// TestDrainWithATimeout: a drain whose pods do not all go in time gives up, and says for what it was waiting: a budget, or
// the end of a pod. One that ends before has nothing left to do, and a node without pods is drained at once.
func TestDrainWithATimeout(t *testing.T) {
	for _, c := range []struct {
		name   string
		pods   bool
		budget int
		grace  time.Duration
		ends   time.Duration
		reason string
		says   string
	}{
		{"no pod is on the node", false, 0, 0, 0, timeline.ReasonDrained, "node-1 is drained after 0s; pods evicted: 0"},
		{"its pods go at once", true, 0, 0, 0, timeline.ReasonDrained, "node-1 is drained after 0s; pods evicted: 1"},
		{"a budget refuses", true, 1, 0, 12 * time.Second, timeline.ReasonDrainGivenUp,
			`There are pending pods in node "node-1" when an error occurred: error when evicting pods/"web-0" -n "default": ` +
				`global timeout reached: 12s`},
		{"a pod does not end", true, 0, time.Hour, 12 * time.Second, timeline.ReasonDrainGivenUp,
			`There are pending pods in node "node-1" when an error occurred: error when waiting for pod "web-0" in namespace ` +
				`"default" to terminate: context deadline exceeded`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t)
			r.grace = c.grace
			if c.pods {
				r.run("web-0", "node-1")
			}
			r.controller.Put(budget("web", c.budget))
			require.True(t, r.controller.Drain("node-1", 12*time.Second))
			for next, any := r.kernel.Peek(); any; next, any = r.kernel.Peek() {
				r.kernel.Advance(next)
				for r.kernel.Next() {
				}
			}
			events := r.kernel.Events()
			last := events[len(events)-1]
			require.Equal(t, c.reason, last.Reason)
			require.Equal(t, c.says, last.Message)
			require.Equal(t, model.Time(c.ends), last.T)
			require.Equal(t, model.Time(c.ends), r.kernel.Now(), "no timer of it is left")
			require.True(t, r.controller.Drain("node-1", 0), "the node can be drained again")
		})
	}
}

// TestDrainOfPodsThatGo: a refused pod that somebody else has deleted is not waited for, and the drain ends with the last
// of the others.
func TestDrainOfPodsThatGo(t *testing.T) {
	r := newRoom(t)
	r.run("web-0", "node-1")
	r.run("web-1", "node-1")
	r.controller.Put(budget("web", 2))
	require.True(t, r.controller.Drain("node-1", 0))
	require.Len(t, r.controller.Stuck(), 2)
	r.user.RemovePod(key("web-0"))
	retry := func() {
		next, _ := r.kernel.Peek()
		r.kernel.Advance(next)
		for r.kernel.Next() {
		}
	}
	retry()
	require.Equal(t, "web-1", r.controller.Stuck()[0].Why.Object)
	require.Len(t, r.controller.Stuck(), 1)
	require.True(t, r.controller.Delete(key("web")))
	retry()
	events := r.kernel.Events()
	require.Equal(t, "node-1 is drained after 10s; pods evicted: 2", events[len(events)-1].Message)
}

// TestDrainThatFails: an eviction that no budget refuses, but the API, is not asked for again. The drain waits for its
// other pods, ends with the error, and is stuck until another drain of the node would not fail on the pod.
func TestDrainThatFails(t *testing.T) {
	const failure = `error when evicting pods/"web-0" -n "default": This pod has more than one PodDisruptionBudget, ` +
		`which the eviction subresource does not support.`
	r := newRoom(t)
	r.run("web-0", "node-1")
	r.run("db-0", "node-1")
	r.user.ChangePod(key("db-0"), func(p *model.Pod) { p.Labels = map[string]string{"app": "db"} })
	r.controller.Put(budget("a", 0))
	r.controller.Put(budget("b", 0))
	r.controller.Put(&model.Budget{Namespace: "default", Name: "db", MinAvailable: &model.IntOrPercent{Value: 1},
		Selects: &model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"db"}}}}})
	require.True(t, r.controller.Drain("node-1", 0))
	require.Len(t, r.controller.Stuck(), 2)
	require.Equal(t, failure, r.kernel.Events()[len(r.kernel.Events())-1].Message)
	require.False(t, r.controller.Drain("node-1", 0), "it still waits for db-0")
	require.True(t, r.controller.Delete(key("db")))
	next, _ := r.kernel.Peek()
	r.kernel.Advance(next)
	for r.kernel.Next() {
	}
	last := r.kernel.Events()[len(r.kernel.Events())-1]
	require.Equal(t, timeline.ReasonDrainGivenUp, last.Reason)
	require.Equal(t, `There are pending pods in node "node-1" when an error occurred: `+failure, last.Message)
	_, any := r.kernel.Peek()
	require.False(t, any, "nothing is tried again")
	require.Equal(t, "web-0", r.controller.Stuck()[0].Why.Object)
	require.True(t, r.controller.Delete(key("b")))
	require.Empty(t, r.controller.Stuck(), "the next drain would not fail")
	require.True(t, r.controller.Drain("node-1", 0))
	require.Nil(t, r.store.Pod(key("web-0")))
}

// TestDrainsThatDoNotBegin: there must be such a node, and it must not be drained already.
func TestDrainsThatDoNotBegin(t *testing.T) {
	r := newRoom(t)
	r.run("web-0", "node-1")
	r.controller.Put(budget("web", 1))
	require.False(t, r.controller.Drain("node-99", 0))
	require.True(t, r.controller.Drain("node-1", 0))
	require.False(t, r.controller.Drain("node-1", 0))
}

// TestDrainsOfTwoNodesThatFail: another drain of a node takes the place of the one that has failed there. That of another
// node stays as it is.
func TestDrainsOfTwoNodesThatFail(t *testing.T) {
	r := newRoom(t)
	r.run("web-0", "node-1")
	r.run("web-1", "node-2")
	r.controller.Put(budget("a", 0))
	r.controller.Put(budget("b", 0))
	stuck := func() (pods []string) {
		for _, s := range r.controller.Stuck() {
			pods = append(pods, s.Why.Object)
		}
		return pods
	}
	require.True(t, r.controller.Drain("node-1", 0))
	require.True(t, r.controller.Drain("node-2", 0))
	require.Equal(t, []string{"web-0", "web-1"}, stuck())
	require.True(t, r.controller.Drain("node-1", 0))
	require.Equal(t, []string{"web-1", "web-0"}, stuck(), "those of the drain that failed first come first")
	require.True(t, r.controller.Drain("node-2", 0))
	require.Equal(t, []string{"web-0", "web-1"}, stuck())
}
