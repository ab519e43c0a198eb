package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestNodePromises makes random worlds whose nodes come and go, and holds them to the promises of the sets, and to these:
// a name is two processes only after a deletion without a kubelet's word; the Eviction API never goes below a budget that
// nobody else uses up; the scheduler binds no pod to a node that it should avoid; and when all nodes are back for good,
// nothing is left Terminating.
func TestNodePromises(t *testing.T) {
	saw := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		profile, err := statefulset.Lookup("1.37")
		require.NoError(t, err)
		set := randomSet(t)
		o := newWitness(t, "1.37", true)
		w := sim.New(sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Kubelet: randomKubelet(t),
			Until: 24 * time.Hour, MaxEvents: 20_000, Watch: o.watch,
		})
		steps := []sim.Step{creating(set)}
		for i := range rapid.IntRange(1, 12).Draw(t, "steps") {
			steps = append(steps, sim.Step{Number: i + 2, Act: randomNodeAct(t, set.Key()), When: sim.When{
				Trigger: sim.After, D: time.Duration(rapid.SampledFrom([]int{0, 1, 7, 45, 60, 301, 400}).Draw(t, "after")) * time.Second,
			}})
		}
		back := func(u *sim.User) sim.Outcome {
			for _, name := range nodeNames {
				u.NodeUp(name)
				u.Cordon(name, false)
				u.OutOfService(name, false)
			}
			return sim.Outcome{}
		}
		events := w.Run(append(steps, sim.Step{Number: len(steps) + 1, Act: back}))
		checkNodes(t, events)
		for i := range events {
			saw[events[i].Reason]++
		}
		if verdict := events[len(events)-1].Result.Verdict; verdict == timeline.Settled || verdict == timeline.IsStuck {
			for _, pod := range w.Pods() {
				require.False(t, pod.Terminating(), "%s is Terminating though all nodes are up", pod.Name)
				require.NotEmpty(t, pod.Node, "%s is not bound though all nodes are free", pod.Name)
			}
		}
	})
	for _, reason := range []string{
		timeline.ReasonNodeNotReady, timeline.ReasonUnreachable, timeline.ReasonTaintEviction, timeline.ReasonPodGC,
		timeline.ReasonEvicted, timeline.ReasonTwins, timeline.ReasonDrained, timeline.ReasonFailedScheduling, timeline.ReasonAllNodesDown,
	} {
		requireMet(t, saw[reason], reason)
	}
}

var nodeNames = []string{"node-1", "node-2", "node-3"}

// randomNodeAct draws something that happens to nodes, or to a pod by way of them.
func randomNodeAct(t *rapid.T, set model.Key) func(*sim.User) sim.Outcome {
	node := rapid.SampledFrom(nodeNames).Draw(t, "node")
	pod := model.Key{Namespace: set.Namespace, Name: fmt.Sprintf("web-%d", rapid.IntRange(0, 7).Draw(t, "pod"))}
	yes := rapid.Bool().Draw(t, "yes")
	timeout := time.Duration(rapid.IntRange(0, 1).Draw(t, "timeout")) * time.Minute
	acts := []func(*sim.User){
		func(u *sim.User) { u.NodeDown(node, yes) },
		func(u *sim.User) { u.NodeDown(node, yes) },
		func(u *sim.User) { u.NodeUp(node) },
		func(u *sim.User) { u.Cordon(node, yes) },
		func(u *sim.User) { u.OutOfService(node, yes) },
		func(u *sim.User) { u.DeleteNode(node) },
		func(u *sim.User) { u.Drain(node, timeout, yes) },
		func(u *sim.User) { u.Evict(pod) },
		func(u *sim.User) { u.DeletePod(pod, yes) },
		func(u *sim.User) { u.DeletePod(pod, true) },
		func(u *sim.User) { u.UnreadyPod(pod, time.Minute) },
		func(u *sim.User) {
			u.PutBudget(&model.Budget{
				Namespace: set.Namespace, Name: "web", MaxUnavailable: &model.IntOrPercent{Value: 1},
				Selects: &model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}}, AlwaysAllow: yes,
			})
		},
	}
	act := rapid.SampledFrom(acts).Draw(t, "act")
	return func(u *sim.User) sim.Outcome { act(u); return sim.Outcome{} }
}

// checkNodes holds a timeline to what nodes promise.
func checkNodes(t require.TestingT, events []timeline.Event) {
	nodes := map[string]*timeline.Node{}
	var fold timeline.Fold
	forced := map[string]bool{}
	for i := range events {
		e := &events[i]
		set := fold.Set(model.Key{Namespace: "default", Name: "web"})
		switch {
		case e.Kind == timeline.KindNode && e.NodeState != nil:
			nodes[e.Node] = e.NodeState
		case e.Kind == timeline.KindPod && e.State == timeline.Gone && e.Actor != timeline.Kubelet:
			forced[e.Pod] = true
		case e.Kind == timeline.KindProcess:
			require.True(t, forced[e.Pod], "%s has a process without its pod, and nobody deleted it by force", e.Pod)
		case e.State == timeline.Terminating && e.Reason == timeline.ReasonEvicted:
			checkEviction(t, &fold, set, e)
		}
		if e.Kind == timeline.KindPod && slices.Contains([]timeline.State{timeline.Running, timeline.Ready}, e.State) {
			n := nodes[e.Node]
			require.True(t, n == nil || n.Up, "at %ss %s becomes %s on %s, which is down", e.T.Seconds(), e.Pod, e.State, e.Node)
		}
		fold.Apply(e)
	}
}

// checkEviction makes sure that an eviction of a Ready pod was allowed by the budget.
func checkEviction(t require.TestingT, fold *timeline.Fold, set *timeline.Set, e *timeline.Event) {
	budget := fold.Budget(model.Key{Namespace: "default", Name: "web"})
	if budget == nil || !set.Owned(e.Pod).Serving() {
		return
	}
	down := int(set.Spec.Spec.Replicas) - set.Serving()
	require.LessOrEqual(t, down, 0, "at %ss %s is evicted although the budget of one is used up", e.T.Seconds(), e.Pod)
}
