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

// TestBudgetsAreObjects: they are listed as they were created, found, replaced by those of the same name, and deleted
// once.
func TestBudgetsAreObjects(t *testing.T) {
	c := newRoom(t).controller
	a, b, elsewhere := budget("a", 1), budget("b", 1), budget("a", 1)
	elsewhere.Namespace = "other"
	for _, each := range []*model.Budget{elsewhere, b, a} {
		c.Put(each)
	}
	require.Equal(t, []*model.Budget{elsewhere, b, a}, c.Budgets())
	again := budget("b", 2)
	c.Put(again)
	require.Equal(t, []*model.Budget{elsewhere, again, a}, c.Budgets())
	require.Same(t, again, c.Budget(key("b")))
	require.Nil(t, c.Budget(key("c")))
	require.True(t, c.Delete(key("a")))
	require.False(t, c.Delete(key("a")))
	require.Equal(t, []*model.Budget{elsewhere, again}, c.Budgets())
}

// set creates a set whose pods the budgets cover.
func (r *room) set(name string, replicas int32) *model.StatefulSet {
	stored, err := r.user.CreateSet(&model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: name},
		Spec: model.Spec{
			Replicas: replicas, Template: &model.Template{Labels: map[string]string{"app": "web"}},
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
		},
	})
	require.Nil(r.t, err)
	return stored
}

// pod lets a pod of a set be Ready.
func (r *room) pod(name string, of *model.StatefulSet) {
	_, err := r.user.CreatePod(&model.Pod{
		Meta: model.Meta{Namespace: "default", Name: name, Labels: map[string]string{"app": "web"},
			Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: of.Name, UID: of.UID, Controller: true}}},
		Template: &model.Template{},
	})
	require.Nil(r.t, err)
	r.user.ChangePod(key(name), func(p *model.Pod) { p.Node, p.Phase, p.Ready = "node-1", model.Running, true })
}

// status is that of the only budget, as the timeline has it at the next fixed point.
func (r *room) status() (told timeline.Budget) {
	r.controller.Note()
	for _, e := range r.kernel.Events() {
		if e.Budget != nil {
			told = *e.Budget
		}
	}
	return told
}

// TestSavedBudgets: what is saved stays as it is while the world goes on, and another world begins with it, twice.
func TestSavedBudgets(t *testing.T) {
	begin := func() *room {
		r := newRoom(t)
		web := r.set("web", 3)
		for _, name := range []string{"web-0", "web-1", "web-2"} {
			r.pod(name, web)
		}
		return r
	}
	r := begin()
	r.controller.Put(unavailable(budget("web", 0), 1))
	before, saved := r.status(), r.controller.Save()
	require.EqualValues(t, 1, before.Allowed)
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		r.user.RemovePod(key(name))
	}
	require.Zero(t, r.status().Allowed)
	for range 2 {
		again := begin()
		again.controller.Load(saved)
		require.Nil(t, again.controller.Evict(key("web-0")))
		require.NotNil(t, again.controller.Evict(key("web-1")))
		again.user.RemovePod(key("web-1"))
		again.user.RemovePod(key("web-2"))
	}
}

// TestStatus follows the status of a budget that counts by scale: it expects the replicas of the sets that own its pods,
// and allows nothing where one of these sets is gone or another one has its name. The rest stays as it was then, and an
// event says so.
func TestStatus(t *testing.T) {
	r := newRoom(t)
	set, pod, status := r.set, r.pod, r.status
	web, db := set("web", 3), set("db", 5)
	r.controller.Put(unavailable(budget("web", 0), 1))
	is := func(healthy, desired, expected, allowed int32) timeline.Budget {
		return timeline.Budget{Namespace: "default", Name: "web", Healthy: healthy, Desired: desired, Expected: expected, Allowed: allowed}
	}
	pod("web-0", web)
	require.Equal(t, is(1, 2, 3, 0), status())
	pod("web-1", web)
	pod("web-2", web)
	require.Equal(t, is(3, 2, 3, 1), status())
	r.user.ChangePod(key("web-0"), func(p *model.Pod) { p.Ready = false })
	require.Equal(t, is(2, 2, 3, 0), status())
	pod("db-0", db)
	require.Equal(t, is(3, 7, 8, 0), status(), "a pod of another set that it covers")
	r.user.RemovePod(key("db-0"))
	require.Equal(t, is(2, 2, 3, 0), status(), "the last pod of the other set is gone")
	r.user.ChangePod(key("web-0"), func(p *model.Pod) { p.Ready = true })
	require.Nil(t, r.user.RemoveSet(key("web")))
	r.user.ChangePod(key("web-2"), func(p *model.Pod) { p.Ready = false })
	require.Equal(t, is(2, 2, 3, 0), status(), "the set is gone")
	other := set("web", 3)
	r.user.ChangePod(key("web-2"), func(p *model.Pod) { p.Ready = true })
	require.Equal(t, is(2, 2, 3, 0), status(), "the set of that name is another one")
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		r.user.RemovePod(key(name))
		pod(name, other)
	}
	require.Equal(t, is(3, 2, 3, 1), status())
	require.Equal(t, []string{`Failed to calculate the number of expected pods: found no controllers for pod "web-0"`},
		warnings(r, "CalculateExpectedPodCountFailed"))
}

// warnings are the texts of the events with a reason.
func warnings(r *room, reason string) (list []string) {
	for _, e := range r.kernel.Events() {
		if e.Reason == reason {
			list = append(list, e.Message)
		}
	}
	return list
}

// TestNobodyWakesIt: the disruption controller looks at a budget when a pod changes that it covers then. A set that is
// scaled and a pod that leaves by its labels do not change the status; the next change of a pod does. 1.16 looks every
// 30s, and is taken to be up to date.
func TestNobodyWakesIt(t *testing.T) {
	for _, old := range []bool{false, true} {
		r := newRoom(t)
		r.nodes.SetRules(nodes.Rules{Manager: nodes.Manager{ResyncsBudgets: old}})
		web := r.set("web", 2)
		r.pod("web-0", web)
		r.pod("web-1", web)
		r.controller.Put(unavailable(budget("web", 0), 1))
		is := func(healthy, desired, expected, allowed int32) timeline.Budget {
			return timeline.Budget{Namespace: "default", Name: "web", Healthy: healthy, Desired: desired, Expected: expected, Allowed: allowed}
		}
		require.Equal(t, is(2, 1, 2, 1), r.status())
		r.user.ChangePod(key("web-1"), func(p *model.Pod) { p.Labels = map[string]string{"app": "other"} })
		scaled := *r.store.Set(key("web"))
		scaled.Spec.Replicas = 5
		_, err := r.user.UpdateSet(&scaled)
		require.Nil(t, err)
		if old {
			require.Equal(t, is(1, 4, 5, 0), r.status())
			continue
		}
		require.Equal(t, is(2, 1, 2, 1), r.status(), "neither wakes it")
		r.user.ChangePod(key("web-0"), func(p *model.Pod) { p.Ready = false })
		require.Equal(t, is(0, 4, 5, 0), r.status(), "a pod that it covers does")
	}
}

// TestTheStatusThatIsLeft: while the disruption controller is away its statuses decide on evictions, and so two worlds in
// which they differ are two, though the objects are the same. A budget that is due is counted again.
func TestTheStatusThatIsLeft(t *testing.T) {
	print := func(replicas int32, ready int, away bool) kernel.Fingerprint {
		r := newRoom(t)
		web := r.set("web", replicas)
		for i, name := range []string{"web-0", "web-1", "web-2", "web-3"} {
			r.pod(name, web)
			r.user.ChangePod(key(name), func(p *model.Pod) { p.Ready = i < ready })
		}
		all := budget("web", 0)
		all.MinAvailable = &model.IntOrPercent{Value: 100, Percent: true}
		r.controller.Put(all)
		if away {
			r.controller.Note()
			r.controller.Restart()
			r.kernel.Away(model.Time(time.Minute), kernel.Nodes)
		}
		return r.kernel.Fingerprint(r.controller.Print)
	}
	for _, c := range []struct {
		name     string
		replicas int32
		ready    int
	}{
		{"more pods are wanted", 5, 3}, {"fewer are Ready", 4, 2}, {"one may go", 2, 3},
	} {
		require.NotEqual(t, print(4, 3, true), print(c.replicas, c.ready, true), c.name)
		require.Equal(t, print(4, 3, false), print(c.replicas, c.ready, false), c.name)
	}
}

// TestOldestBudgetIsChosen: of two budgets for one pod the older one gets the status, whatever their names are; the other
// one keeps the status that it had, and an event about the pod names the chosen one. A budget that is written again
// keeps its age.
func TestOldestBudgetIsChosen(t *testing.T) {
	r := newRoom(t)
	web := r.set("web", 2)
	r.controller.Put(unavailable(budget("web", 0), 1))
	r.controller.Put(budget("two", 1))
	r.controller.Note()
	r.controller.Put(unavailable(budget("web", 0), 1))
	r.controller.Note()
	r.pod("web-0", web)
	r.controller.Note()
	healthy := map[string]int32{}
	for _, e := range r.kernel.Events() {
		if e.Budget != nil {
			healthy[e.Budget.Name] = e.Budget.Healthy
		}
	}
	require.Equal(t, map[string]int32{"web": 1, "two": 0}, healthy)
	require.Equal(t, []string{`Pod "default"/"web-0" matches multiple PodDisruptionBudgets.  Chose "web" arbitrarily.`},
		warnings(r, "MultiplePodDisruptionBudgets"))
}

// TestAllBudgetsAreUpdated: from 1.38 on each budget of a pod gets its status, also one that only selected the labels that
// the pod had, and the event names all of them.
func TestAllBudgetsAreUpdated(t *testing.T) {
	r := newRoom(t)
	r.nodes.SetRules(nodes.Rules{Manager: nodes.Manager{UpdatesAllBudgets: true}})
	web := r.set("web", 2)
	r.controller.Put(unavailable(budget("web", 0), 1))
	r.controller.Put(budget("two", 1))
	r.controller.Note()
	r.pod("web-0", web)
	r.controller.Note()
	healthy := func() map[string]int32 {
		counts := map[string]int32{}
		for _, e := range r.kernel.Events() {
			if e.Budget != nil {
				counts[e.Budget.Name] = e.Budget.Healthy
			}
		}
		return counts
	}
	require.Equal(t, map[string]int32{"web": 1, "two": 1}, healthy())
	require.Equal(t, []string{`Pod "default"/"web-0" matches multiple PodDisruptionBudgets ["two" "web"]. Overlapping PDBs are ` +
		"unsupported for eviction."}, warnings(r, "MultiplePodDisruptionBudgets"))
	other := *r.store.Pod(model.Key{Namespace: "default", Name: "web-0"})
	other.Labels = map[string]string{"app": "other"}
	_, err := r.user.UpdatePod(&other)
	require.Nil(t, err)
	r.controller.Note()
	require.Equal(t, map[string]int32{"web": 0, "two": 0}, healthy(), "the pod has left both")
}

// TestLostPodsInTurn: the event names the first pod without a set, and another one only when that one is gone.
func TestLostPodsInTurn(t *testing.T) {
	r := newRoom(t)
	web, db := r.set("web", 3), r.set("db", 1)
	r.controller.Put(unavailable(budget("web", 0), 1))
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		r.pod(name, web)
	}
	r.pod("db-0", db)
	require.Nil(t, r.user.RemoveSet(key("web")))
	for _, name := range []string{"web-1", "web-0"} {
		r.user.RemovePod(key(name))
		r.controller.Note()
	}
	require.Nil(t, r.user.RemoveSet(key("db")))
	r.user.RemovePod(key("web-2"))
	r.controller.Note()
	for _, pod := range []string{"web-0", "web-2", "db-0"} {
		require.Contains(t, warnings(r, "CalculateExpectedPodCountFailed"),
			"Failed to calculate the number of expected pods: found no controllers for pod \""+pod+"\"")
	}
	require.Len(t, warnings(r, "CalculateExpectedPodCountFailed"), 3)
}

// TestTheSameBudgetAgain: a set that is scaled wakes nobody, and neither does a budget that is written again as it is. One
// with another number does.
func TestTheSameBudgetAgain(t *testing.T) {
	r := newRoom(t)
	web := r.set("web", 1)
	r.pod("web-0", web)
	r.controller.Put(unavailable(budget("web", 0), 1))
	before := r.status()
	scaled := *web
	scaled.Spec.Replicas = 3
	_, err := r.user.UpdateSet(&scaled)
	require.Nil(t, err)
	r.controller.Put(unavailable(budget("web", 0), 1))
	require.Equal(t, before, r.status())
	r.controller.Put(unavailable(budget("web", 0), 2))
	require.Equal(t, int32(3), r.status().Expected)
}
