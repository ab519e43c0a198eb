package reasons_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// TestReleaseOfAPodThatIsNotReady: who can end the wait depends on what is known of the pod; what helps most comes first.
func TestReleaseOfAPodThatIsNotReady(t *testing.T) {
	why := model.Why{Code: model.WaitingForReady, Object: "web-1"}
	for want, world := range map[string]reasons.World{
		"ends when web-1 becomes Ready": {},
		"ends when the cause of ErrImagePull of web-1 is fixed, and it becomes Ready": {
			Shown: "ErrImagePull"},
		"node-2 is down: the wait ends when it comes back, or when web-1 is deleted there": {
			Node: "node-2", Down: true, Shown: "ErrImagePull"},
		"ends when web-1 is gone: its containers stop, at the latest after its grace period": {
			Terminating: true, Shown: "ErrImagePull"},
	} {
		require.Equal(t, want, reasons.Release(why, world))
	}
}

// TestEveryWaitHasItsRelease: no two waits are released by the same words, except the two for a pod that goes; and what
// is no wait has none.
func TestEveryWaitHasItsRelease(t *testing.T) {
	seen := map[string]model.Code{}
	for _, code := range model.Codes {
		got := reasons.Release(model.Why{Code: code, Object: "web-1"}, reasons.World{})
		if got == "it is not known what ends it" {
			continue
		}
		if before, twice := seen[got]; twice {
			require.Equal(t, []model.Code{model.WaitingForTermination, model.WaitingForPodGone}, []model.Code{before, code})
		}
		seen[got] = code
		require.Regexp(t, "^ends (when|with) .*[^.]$", got)
	}
	require.Len(t, seen, 15)
	require.NotContains(t, seen, reasons.Release(model.Why{Code: model.CodeCreate}, reasons.World{}))
}

// TestReleaseOfABudget: the wait ends when fewer pods are unavailable than maxUnavailable allows, and the words say how
// many have to become available for that.
func TestReleaseOfABudget(t *testing.T) {
	for want, why := range map[string]model.Why{
		"ends when web-1 becomes available, or when maxUnavailable is raised":                       {Have: 1, Want: 1},
		"ends when one of the unavailable pods becomes available, or when maxUnavailable is raised": {Have: 2, Want: 2},
		"ends when 3 of the unavailable pods become available, or when maxUnavailable is raised":    {Have: 4, Want: 2},
		"ends when maxUnavailable is raised":                                                        {Have: 1, Want: 0},
	} {
		why.Code, why.Object = model.BudgetSpent, "web-1"
		require.Equal(t, want, reasons.Release(why, reasons.World{}))
	}
}

// TestCosts: a way out costs time, pods and availability.
func TestCosts(t *testing.T) {
	for want, way := range map[string]reasons.Way{
		"takes 0s, deletes no pod, and at least 3 of 3 serve meanwhile":   {Fewest: 3, Replicas: 3},
		"takes 1s, deletes 1 pod, and at times no pod serves":             {Takes: time.Second, Deleted: 1, Replicas: 3},
		"takes 0.123456789s, deletes no pod, and at times no pod serves":  {Takes: 123456789},
		"takes 1.1s, deletes 2 pods, and at least 1 of 2 serve meanwhile": {Takes: 1149 * time.Millisecond, Deleted: 2, Fewest: 1, Replicas: 2},
		"takes 1s, deletes 2 pods, and at least 1 of 3 serve meanwhile": {Takes: time.Second, Deleted: 2, Fewest: 1, Replicas: 3,
			Commands: []string{"kubectl -n default rollout undo statefulset/web", "kubectl -n default delete pod web-2 web-1"}},
		"takes 1s, deletes 3 pods in all, and at least 1 of 3 serve meanwhile": {Takes: time.Second, Deleted: 3, Fewest: 1, Replicas: 3,
			Commands: []string{"kubectl -n default delete pod web-2 --force"}},
		"takes 1m00s, deletes no pod, and at times no pod serves": {Takes: time.Minute},
		"takes 1m01s, deletes no pod, and at times no pod serves": {Takes: time.Minute + 600*time.Millisecond},
		"takes 59.6s, deletes no pod, and at times no pod serves": {Takes: 59*time.Second + 600*time.Millisecond},
	} {
		require.Equal(t, want, way.Cost())
		way.What = "deleting web-2"
		require.Equal(t, "Deleting web-2: "+want, way.Line())
	}
}

// TestConditions: each condition of a way is a sentence in a line of its own, and the danger comes last.
func TestConditions(t *testing.T) {
	plain := reasons.Way{}
	require.Equal(t, []string{"deleting web-2:"}, plain.Lead("deleting web-2"))
	way := reasons.Way{Reverts: true, Needs: "node-1 is up", Later: "Uncordon it after the repair", Danger: "only if it is off"}
	require.Equal(t, []string{
		"deleting web-2.",
		"Revert the template in Git too, or the next apply brings it back.",
		"This assumes that node-1 is up.",
		"Uncordon it after the repair.",
		"DANGER: do this only if it is off.",
	}, way.Lead("deleting web-2"))
}

// TestDangers names one pod, and each of several.
func TestDangers(t *testing.T) {
	require.Contains(t, reasons.ForceDanger("web-1"), "only if the process of web-1 has certainly ended")
	require.Contains(t, reasons.ForceDanger("web-1", "web-2"), "only if each process of web-1, web-2 has certainly ended")
	claims := strings.Fields("a b c d e f g h i j")
	require.Contains(t, reasons.VolumeDanger(claims[:9]), "only if the data of a, b, c, d, e, f, g, h, i is backed up")
	require.Contains(t, reasons.VolumeDanger(claims), "only if the data of a, b, c, d, e, f, g, h and 2 more is backed up")
}

// TestAtAnInstant: what is known of a pod is what the timeline says of it and of its node.
func TestAtAnInstant(t *testing.T) {
	web := model.Key{Namespace: "shop", Name: "web"}
	var fold timeline.Fold
	see := func(e timeline.Entry) {
		event := e.Event()
		fold.Apply(&event)
	}
	require.Equal(t, reasons.World{Namespace: "shop", Forever: true}, reasons.At(&fold, web, "web-0", true), "no pod")

	see(timeline.Entry{Kind: timeline.KindPod, Set: web, Pod: "web-0", UID: 1, State: timeline.Pending, Node: "node-1",
		Containers: &model.Containers{Shown: "ErrImagePull"}})
	require.Equal(t, reasons.World{Namespace: "shop", Node: "node-1", Shown: "ErrImagePull"}, reasons.At(&fold, web, "web-0", false))

	see(timeline.Entry{Kind: timeline.KindNode, Node: "node-1", NodeState: &timeline.Node{Up: true}})
	require.False(t, reasons.At(&fold, web, "web-0", false).Down)
	see(timeline.Entry{Kind: timeline.KindNode, Node: "node-1", NodeState: &timeline.Node{OutOfService: true}})
	see(timeline.Entry{Kind: timeline.KindPod, Set: web, Pod: "web-0", UID: 1, State: timeline.Terminating, Node: "node-1"})
	world := reasons.At(&fold, web, "web-0", false)
	require.True(t, world.Down && world.OutOfService && world.Terminating)
}

// TestNames gives the words that the documentation can be searched for.
func TestNames(t *testing.T) {
	require.Equal(t, "OnDelete", reasons.Names(model.Why{Code: model.OnDelete}))
	why := model.Why{Code: model.BudgetSpent, Rule: model.RuleMaxUnavailable, Object: "web-1", Have: 1, Want: 1}
	require.Equal(t, "BudgetSpent, rule max-unavailable", reasons.Names(why))
	require.Equal(t, "web-1 is unavailable, and maxUnavailable allows only 1 unavailable pod "+
		"(BudgetSpent, rule max-unavailable)", reasons.Named(why))
}
