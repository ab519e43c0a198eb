package statefulset_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/model"
)

const threeReady = "0@v1:ready 1@v1:ready 2@v1:ready "

func TestOrderedReadyScalesDownFromTheTop(t *testing.T) {
	waitsForTop := []string{"WaitingForReady web-4 first-unavailable"}
	fresh := []func(*model.StatefulSet){minReadySeconds(5)}
	run(t, []syncTest{
		{name: "the highest one", pods: threeReady + "3@v1:ready 4@v1:ready", want: []string{"delete web-4 (ScaleDown)"}},
		{name: "not while one is terminating", pods: threeReady + "3@v1:ready 4@v1:ready,terminating",
			waits: []string{"WaitingForTermination web-4 ordered-scale-down"}},
		{name: "not while a replica is missing", pods: "0@v1:ready 2@v1:ready 3@v1:ready",
			want: []string{"create web-1 @v1"}},
		{name: "not while a replica is not ready", pods: "0@v1:ready 1@v1:ready 2@v1:running 3@v1:ready",
			waits: []string{"WaitingForReady web-2 ordered-replicas"}},
		{name: "an unready one, if it is the first unhealthy pod", pods: threeReady + "3@v1:ready 4@v1:running",
			want: []string{"delete web-4 (ScaleDown)"}},
		{name: "the ready one above an unready one", pods: threeReady + "3@v1:running 4@v1:ready",
			want: []string{"delete web-4 (ScaleDown)"}},
		{name: "two unready ones block each other", pods: threeReady + "3@v1:running 4@v1:running", waits: waitsForTop},
		{name: "Failed ones too", pods: threeReady + "3@v1:failed 4@v1:failed", waits: waitsForTop},
		{name: "one that is not available goes at once from 1.34", version: "1.34", set: fresh,
			pods: threeReady + "3@v1:fresh", want: []string{"delete web-3 (ScaleDown)"}},
		{name: "and is waited for up to 1.33", version: "1.33", set: fresh, pods: threeReady + "3@v1:fresh",
			waits: []string{"WaitingForAvailable web-3 first-unavailable"}},
		{name: "but not in 1.22, which knows no such thing", version: "1.22", set: fresh, pods: threeReady + "3@v1:fresh",
			want: []string{"delete web-3 (ScaleDown)"}},
		{name: "ordinals above and below the range, by ordinal", set: []func(*model.StatefulSet){startAt(2)},
			pods: "0@v1:ready 2@v1:ready 3@v1:ready 4@v1:ready 5@v1:ready", want: []string{"delete web-5 (ScaleDown)"}},
		{name: "then those below", set: []func(*model.StatefulSet){startAt(2)},
			pods: "0@v1:ready 1@v1:ready 2@v1:ready 3@v1:ready 4@v1:ready", want: []string{"delete web-1 (ScaleDown)"}},
		{name: "with none to keep", set: []func(*model.StatefulSet){replicas(0)}, pods: "0@v1:ready 1@v1:ready",
			want: []string{"delete web-1 (ScaleDown)"}},
		{name: "no update in the sync of a scale-down", set: []func(*model.StatefulSet){rollout},
			pods: threeReady + "3@v1:ready", want: []string{"delete web-3 (ScaleDown)"}},
		{name: "gone already is an error up to 1.35", version: "1.35", pods: threeReady + "3@v1:ready", err: "NotFound",
			refuse: map[string]model.ErrorReason{"delete web-3": model.NotFound},
			want:   []string{"delete web-3 (ScaleDown): NotFound"}, waits: []string{"SyncError"}},
	})
}

// TestSurplusPodsFirst: Parallel of 1.38 deletes surplus pods before it creates missing ones. So a creation that fails
// no longer keeps a surplus pod, and a deletion that fails keeps missing pods from being created.
func TestSurplusPodsFirst(t *testing.T) {
	quota := map[string]model.ErrorReason{"create web-2": model.Forbidden}
	webhook := map[string]model.ErrorReason{"delete web-3": model.Forbidden}
	const pods = "0@v1:ready 1@v1:ready 3@v1:ready"
	set := []func(*model.StatefulSet){parallel}
	failed := []string{"SyncError"}
	run(t, []syncTest{
		{name: "1.37 creates first", version: "1.37", set: set, pods: pods,
			want: []string{"fork 1", "  create web-2 @v1", "fork 1", "  delete web-3 (ScaleDown)"}},
		{name: "1.38 deletes first", version: "1.38", set: set, pods: pods,
			want: []string{"fork 1", "  delete web-3 (ScaleDown)", "fork 1", "  create web-2 @v1"}},
		{name: "1.37 keeps the surplus pod while a creation fails", version: "1.37", set: set, pods: pods, refuse: quota,
			err: "Forbidden", want: []string{"fork 1", "  create web-2 @v1: Forbidden"}, waits: failed},
		{name: "1.38 does not", version: "1.38", set: set, pods: pods, refuse: quota, err: "Forbidden", waits: failed,
			want: []string{"fork 1", "  delete web-3 (ScaleDown)", "fork 1", "  create web-2 @v1: Forbidden"}},
		{name: "1.38 creates nothing while the deletion fails", version: "1.38", set: set, pods: pods, refuse: webhook,
			err: "Forbidden", want: []string{"fork 1", "  delete web-3 (ScaleDown): Forbidden"}, waits: failed},
		{name: "1.37 does", version: "1.37", set: set, pods: pods, refuse: webhook, err: "Forbidden", waits: failed,
			want: []string{"fork 1", "  create web-2 @v1", "fork 1", "  delete web-3 (ScaleDown): Forbidden"}},
		{name: "OrderedReady creates first in both", version: "1.38", pods: pods, want: []string{"create web-2 @v1"}},
	})
}

func TestParallelScalesDownAllAtOnce(t *testing.T) {
	all := threeReady + "3@v1:ready 4@v1:ready,terminating 5@v1:running 6@v1:failed"
	run(t, []syncTest{
		{name: "in batches from the top", set: []func(*model.StatefulSet){parallel}, pods: all,
			want: []string{
				"fork 1", "  delete web-6 (ScaleDown)", "fork 1", "  delete web-5 (ScaleDown)",
				"fork 1", "  delete web-3 (ScaleDown)",
			}},
		{name: "whatever becomes of the replicas", set: []func(*model.StatefulSet){parallel}, pods: "1@v1:pending 3@v1:ready",
			want: []string{
				"fork 1", "  create web-0 @v1", "fork 1", "  create web-2 @v1", "fork 1", "  delete web-3 (ScaleDown)",
			}},
		{name: "no batch after an error", set: []func(*model.StatefulSet){parallel}, pods: all, err: "Timeout",
			refuse: map[string]model.ErrorReason{"delete web-5": model.Timeout},
			want: []string{
				"fork 1", "  delete web-6 (ScaleDown)", "fork 1", "  delete web-5 (ScaleDown): Timeout",
			},
			waits: []string{"SyncError"}},
		{name: "one by one before 1.26.7", version: "1.26.6", set: []func(*model.StatefulSet){parallel}, pods: all,
			want: []string{"delete web-6 (ScaleDown)", "delete web-5 (ScaleDown)", "delete web-3 (ScaleDown)"}},
		{name: "what is not gone is told", set: []func(*model.StatefulSet){parallel},
			pods: threeReady + "3@v1:ready,terminating", waits: []string{"WaitingForTermination web-3 parallel"}},
	})
}
