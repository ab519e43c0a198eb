package statefulset_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
)

var rolling = []func(*model.StatefulSet){rollout}

func parallelRollout(more ...func(*model.StatefulSet)) []func(*model.StatefulSet) {
	return append([]func(*model.StatefulSet){rollout, parallel}, more...)
}

func TestARollingUpdateGoesFromTheTop(t *testing.T) {
	run(t, []syncTest{
		{name: "the highest outdated pod", set: rolling, pods: threeReady, want: []string{"delete web-2 (UpdateRevision)"}},
		{name: "past those that are done", set: rolling, pods: "0@v1:ready 1@v1:ready 2@v2:ready",
			want: []string{"delete web-1 (UpdateRevision)"}},
		{name: "until all are done", set: rolling, pods: "0@v2:ready 1@v2:ready 2@v2:ready"},
		{name: "down to the partition", set: []func(*model.StatefulSet){rollout, partition(2)},
			pods: "0@v1:ready 1@v1:ready 2@v2:ready", waits: []string{"BelowPartition partition 2/2"}},
		{name: "which counts positions", set: []func(*model.StatefulSet){rollout, partition(1), startAt(4)},
			pods: "4@v1:ready 5@v1:ready 6@v2:ready", want: []string{"delete web-5 (UpdateRevision)"}},
		{name: "and may be more than there are", set: []func(*model.StatefulSet){rollout, partition(9)}, pods: threeReady,
			waits: []string{"BelowPartition partition 3/9"}},
		{name: "a broken replica keeps it from beginning", set: rolling, pods: "0@v1:running 1@v1:ready 2@v1:ready",
			waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "OnDelete leaves all alone", set: []func(*model.StatefulSet){rollout, onDelete}, pods: threeReady,
			waits: []string{"OnDelete on-delete 3/0"}},
		{name: "and is told only while there are outdated pods", set: []func(*model.StatefulSet){rollout, onDelete},
			pods: "0@v2:ready 1@v2:ready 2@v2:ready"},
	})
}

// TestTheBudgetFromThePartition: only pods from the partition up count against maxUnavailable from 1.38 on, and a
// percentage is one of these pods.
func TestTheBudgetFromThePartition(t *testing.T) {
	below := parallelRollout(partition(1))
	half := parallelRollout(replicas(4), partition(2), maxUnavailable(50, true))
	run(t, []syncTest{
		{name: "up to 1.37 a broken pod below it uses the budget up", version: "1.37", set: below,
			pods:  "0@v1:pending 1@v1:ready 2@v1:ready",
			waits: []string{"BudgetSpent web-0 max-unavailable 1/1", "WaitingForReady web-0 parallel"}},
		{name: "and not in 1.38", version: "1.38", set: below, pods: "0@v1:pending 1@v1:ready 2@v1:ready",
			want: []string{"delete web-2 (UpdateRevision)"}, waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "there one above it does", version: "1.38", set: below, pods: "0@v1:pending 1@v1:ready 2@v2:pending",
			waits: []string{"BudgetSpent web-2 max-unavailable 1/1", "WaitingForReady web-0 parallel"}},
		{name: "half of four is two up to 1.37", version: "1.37", set: half, pods: threeReady + "3@v1:ready",
			want: []string{"delete web-3 (UpdateRevision)", "delete web-2 (UpdateRevision)"}},
		{name: "and half of the two above the partition is one", version: "1.38", set: half, pods: threeReady + "3@v1:ready",
			want: []string{"delete web-3 (UpdateRevision)"}},
		{name: "a small percentage is one pod", version: "1.38", set: parallelRollout(replicas(4), partition(2), maxUnavailable(10, true)),
			pods: threeReady + "3@v1:ready", want: []string{"delete web-3 (UpdateRevision)"}},
		{name: "a partition above all pods leaves all alone", version: "1.38", set: parallelRollout(partition(9), maxUnavailable(50, true)),
			pods: threeReady, waits: []string{"BelowPartition partition 3/9"}},
	})
}

func TestParallelUpdatesOneByOneWithoutTheGate(t *testing.T) {
	run(t, []syncTest{
		{name: "whatever is below", set: parallelRollout(), pods: "0@v1:pending 1@v1:running 2@v1:ready",
			want: []string{"delete web-2 (UpdateRevision)"}, waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "a broken outdated pod when it is reached", set: parallelRollout(), pods: "0@v1:ready 1@v1:pending 2@v2:ready",
			want: []string{"delete web-1 (UpdateRevision)"}, waits: []string{"WaitingForReady web-1 parallel"}},
		{name: "it waits at one that is updated and not ready", set: parallelRollout(),
			pods:  "0@v1:ready 1@v1:ready 2@v2:running",
			waits: []string{"WaitingForReady web-2 rolling-update", "WaitingForReady web-2 parallel"}},
		{name: "and at one that is outdated and terminating", set: parallelRollout(),
			pods:  "0@v1:ready 1@v1:ready 2@v1:ready,terminating",
			waits: []string{"WaitingForTermination web-2 rolling-update", "WaitingForTermination web-2 parallel"}},
		{name: "and at one that it has just created", set: parallelRollout(), pods: "0@v1:ready 1@v1:ready",
			want: []string{"fork 1", "  create web-2 @v2"}},
		{name: "one that is not available is waited for from 1.34", version: "1.34", set: parallelRollout(minReadySeconds(5)),
			pods:  "0@v1:ready 1@v1:ready 2@v2:fresh",
			waits: []string{"WaitingForAvailable web-2 rolling-update", "WaitingForAvailable web-2 parallel"}},
		{name: "and not before", version: "1.33", set: parallelRollout(minReadySeconds(5)),
			pods: "0@v1:ready 1@v1:ready 2@v2:fresh", want: []string{"delete web-1 (UpdateRevision)"},
			waits: []string{"WaitingForAvailable web-2 parallel"}},
		{name: "creates, scale-downs and updates in one sync", set: parallelRollout(),
			pods: "0@v1:ready 2@v1:ready 3@v1:ready",
			want: []string{
				"fork 1", "  create web-1 @v2", "fork 1", "  delete web-3 (ScaleDown)", "delete web-2 (UpdateRevision)",
			}},
		{name: "a draft is deleted by its own name, not by that of the pod it replaced", set: parallelRollout(replicas(1), noBlock(1)),
			version: "1.24", pods: "web-00@v1:failed",
			want:  []string{"delete web-00 (RecreateFailed)", "create web-0 @v1", "delete web-0 (UpdateRevision)"},
			waits: []string{"WaitingForReady web-00 parallel"}},
		{name: "what it has just created at the current revision it deletes again", set: parallelRollout(noBlock(3)),
			pods: "0@v1:ready 1@v1:ready", want: []string{"fork 1", "  create web-2 @v1", "delete web-2 (UpdateRevision)"}},
		{name: "a pod created in place of a Failed one counts, not the Failed one", version: "1.28.0",
			set: parallelRollout(), pods: "0@v1:ready 1@v1:ready 2@v1:failed",
			want:  []string{"fork 1", "  delete web-2 (RecreateFailed)", "  create web-2 @v2"},
			waits: []string{"WaitingForReady web-2 rolling-update", "WaitingForReady web-2 parallel"}},
		{name: "nothing is left but a pod that is not ready", set: parallelRollout(),
			pods:  "0@v2:running 1@v2:ready 2@v2:running",
			waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "or one below the partition", set: parallelRollout(partition(1)), pods: "0@v1:running 1@v2:ready 2@v2:running",
			waits: []string{"BelowPartition partition 1/1", "WaitingForReady web-0 parallel"}},
	})
}

func TestMaxUnavailableUpTo136(t *testing.T) {
	on := map[string]bool{"MaxUnavailableStatefulSet": true}
	run(t, []syncTest{
		{name: "one where nothing is said", gates: on, set: rolling, pods: threeReady,
			want: []string{"delete web-2 (UpdateRevision)"}},
		{name: "two at once, from the top", gates: on, set: append(rolling, maxUnavailable(2, false)), pods: threeReady,
			want: []string{"delete web-2 (UpdateRevision)", "delete web-1 (UpdateRevision)"}},
		{name: "percentages are rounded down", gates: on, set: append(rolling, maxUnavailable(67, true)), pods: threeReady,
			want: []string{"delete web-2 (UpdateRevision)", "delete web-1 (UpdateRevision)"}},
		{name: "to one at least", gates: on, set: append(rolling, maxUnavailable(10, true)), pods: threeReady,
			want: []string{"delete web-2 (UpdateRevision)"}},
		{name: "but not in 1.24", version: "1.24", gates: on, set: append(rolling, maxUnavailable(10, true)),
			pods:  threeReady,
			waits: []string{"BudgetSpent web-2 max-unavailable"}},
		{name: "down to the partition", gates: on, set: append(rolling, partition(2), maxUnavailable(2, false)),
			pods: threeReady,
			want: []string{"delete web-2 (UpdateRevision)"}},
		{name: "which keeps the others", gates: on, set: append(rolling, partition(2), maxUnavailable(2, false)),
			pods: "0@v1:ready 1@v1:ready 2@v2:ready", waits: []string{"BelowPartition partition 2/2"}},
		{name: "in Parallel any unavailable pod uses the budget up, one below and outdated too",
			gates: on, set: parallelRollout(), pods: "0@v1:pending 1@v1:ready 2@v1:ready",
			waits: []string{"BudgetSpent web-0 max-unavailable 1/1", "WaitingForReady web-0 parallel"}},
		{name: "so it is by default in 1.35.0", version: "1.35.0", set: parallelRollout(),
			pods:  "0@v1:pending 1@v1:ready 2@v1:ready",
			waits: []string{"BudgetSpent web-0 max-unavailable 1/1", "WaitingForReady web-0 parallel"}},
		{name: "a terminating one too", gates: on, set: parallelRollout(maxUnavailable(2, false)),
			pods: "0@v1:ready 1@v1:ready 2@v1:ready,terminating", want: []string{"delete web-1 (UpdateRevision)"},
			waits: []string{"WaitingForTermination web-2 parallel"}},
		{name: "one that is not available does from 1.34", version: "1.34", gates: on,
			set:   parallelRollout(minReadySeconds(5)),
			pods:  "0@v1:ready 1@v1:ready 2@v2:fresh",
			waits: []string{"BudgetSpent web-2 max-unavailable 1/1", "WaitingForAvailable web-2 parallel"}},
		{name: "and not before", version: "1.33", gates: on, set: parallelRollout(minReadySeconds(5)),
			pods: "0@v1:ready 1@v1:ready 2@v2:fresh", want: []string{"delete web-1 (UpdateRevision)"},
			waits: []string{"WaitingForAvailable web-2 parallel"}},
		{name: "a draft does as well", gates: on, set: parallelRollout(), pods: "1@v1:ready 2@v1:ready",
			want: []string{"fork 1", "  create web-0 @v2"}},
	})
}

func TestMaxUnavailableFrom137(t *testing.T) {
	five := replicas(5)
	run(t, []syncTest{
		{name: "OrderedReady as before", version: "1.37", set: append(rolling, maxUnavailable(2, false)), pods: threeReady,
			want: []string{"delete web-2 (UpdateRevision)", "delete web-1 (UpdateRevision)"}},
		{name: "broken outdated pods at once, and then what the budget leaves", version: "1.37",
			set:   parallelRollout(five, maxUnavailable(3, false)),
			pods:  "0@v1:pending 1@v1:running 2@v1:ready 3@v1:ready 4@v1:ready",
			want:  []string{"delete web-1 (UpdateRevision)", "delete web-0 (UpdateRevision)", "delete web-4 (UpdateRevision)"},
			waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "without regard to the budget", version: "1.37", set: parallelRollout(five),
			pods:  "0@v1:pending 1@v1:running 2@v1:ready 3@v1:running 4@v1:ready",
			want:  []string{"delete web-3 (UpdateRevision)", "delete web-1 (UpdateRevision)", "delete web-0 (UpdateRevision)"},
			waits: []string{"BudgetSpent web-0 max-unavailable 3/1", "WaitingForReady web-0 parallel"}},
		{name: "not below the partition, where they use the budget up", version: "1.37", set: parallelRollout(partition(1)),
			pods:  "0@v1:pending 1@v1:ready 2@v1:ready",
			waits: []string{"BudgetSpent web-0 max-unavailable 1/1", "WaitingForReady web-0 parallel"}},
		{name: "new pods that are unavailable use it up", version: "1.37", set: parallelRollout(),
			pods:  "0@v1:ready 1@v1:ready 2@v2:running",
			waits: []string{"BudgetSpent web-2 max-unavailable 1/1", "WaitingForReady web-2 parallel"}},
		{name: "terminating ones too", version: "1.37", set: parallelRollout(),
			pods:  "0@v1:ready 1@v1:ready 2@v1:ready,terminating",
			waits: []string{"BudgetSpent web-2 max-unavailable 1/1", "WaitingForTermination web-2 parallel"}},
	})
}

// The hot loop of 1.37: a low pod that is lost in mid-rollout is created at the current revision, because the set has
// no rollingUpdate block, and deleted in the same sync, because it is outdated and unavailable. 1.36 leaves it alone.
func TestTheHotLoopOf137(t *testing.T) {
	set := parallelRollout(replicas(4), noBlock(2))
	lost := "1@v1:ready 2@v1:ready 3@v2:running"
	run(t, []syncTest{
		{name: "created and deleted", version: "1.37", set: set, pods: lost,
			want: []string{"fork 1", "  create web-0 @v1", "delete web-0 (UpdateRevision)"}},
		{name: "not in 1.36", version: "1.36", set: set, pods: lost,
			want:  []string{"fork 1", "  create web-0 @v1"},
			waits: []string{"WaitingForReady web-3 rolling-update"}},
		{name: "not in 1.36 with the gate", version: "1.36", gates: map[string]bool{"MaxUnavailableStatefulSet": true},
			set: set, pods: lost, want: []string{"fork 1", "  create web-0 @v1"}},
		{name: "not with a rollingUpdate block", version: "1.37", set: parallelRollout(replicas(4)), pods: lost,
			want: []string{"fork 1", "  create web-0 @v2"}},
	})
	o := syncTest{version: "1.37", set: set, pods: lost}.sync(t)
	assert.Equal(t, "replicas=3 ready=2 available=2 current=1 updated=1", o.status(),
		"the status says what the next sync will go by: below position 1 drafts are of the current revision")
}

func TestADeletionOfTheUpdateThatFails(t *testing.T) {
	gone := map[string]model.ErrorReason{"delete web-2": model.NotFound}
	for _, test := range []struct {
		syncTest
		status string
	}{
		{syncTest{name: "1.26, not found", version: "1.26", refuse: gone, err: "NotFound"},
			"replicas=3 ready=3 available=3 current=2 updated=0"},
		{syncTest{name: "1.27, not found", version: "1.27", refuse: gone},
			"replicas=3 ready=3 available=3 current=2 updated=0"},
		{syncTest{name: "1.24 with the gate, not found", version: "1.24", refuse: gone,
			gates: map[string]bool{"MaxUnavailableStatefulSet": true}},
			"replicas=3 ready=3 available=3 current=2 updated=0"},
		{syncTest{name: "1.27, anything else", version: "1.27", err: "Timeout",
			refuse: map[string]model.ErrorReason{"delete web-2": model.Timeout}},
			"replicas=3 ready=3 available=3 current=3 updated=0"},
		{syncTest{name: "1.22 writes no status then", version: "1.22", refuse: gone, err: "NotFound"},
			"delete web-2 (UpdateRevision): NotFound"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.set, test.pods = rolling, threeReady
			assert.Equal(t, test.status, test.sync(t).status())
		})
	}
}

// TestEachDeletionWithinABudgetSaysHowMuchOfItWasSpent: the reason of each has the replicas that were unavailable by then.
func TestEachDeletionWithinABudgetSaysHowMuchOfItWasSpent(t *testing.T) {
	for _, test := range []struct {
		syncTest
		spent []string
	}{
		{syncTest{name: "none at first", set: parallelRollout(maxUnavailable(2, false)), pods: threeReady},
			[]string{"web-2 max-unavailable 0/2", "web-1 max-unavailable 1/2"}},
		{syncTest{name: "one at first", set: parallelRollout(maxUnavailable(3, false)), pods: "0@v1:running 1@v1:ready 2@v1:ready"},
			[]string{"web-0 broken-first 1/3", "web-2 max-unavailable 1/3", "web-1 max-unavailable 2/3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.version = "1.37"
			var spent []string
			for _, call := range test.sync(t).server.Calls {
				if call.Verb == model.Delete {
					spent = append(spent, fmt.Sprintf("%s %s %d/%d", call.Key.Name, call.Why.Rule, call.Why.Have, call.Why.Want))
				}
			}
			assert.Equal(t, test.spent, spent)
		})
	}
}
