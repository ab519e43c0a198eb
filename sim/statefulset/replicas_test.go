package statefulset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
)

func TestOrderedReadyCreatesOneReplicaAfterTheOther(t *testing.T) {
	run(t, []syncTest{
		{name: "the first one", want: []string{"create web-0 @v1"}},
		{name: "not while the one before is Pending", pods: "0@v1:pending",
			waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "not while it is Running and not Ready", pods: "0@v1:running",
			waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "not while it is terminating", pods: "0@v1:ready,terminating",
			waits: []string{"WaitingForTermination web-0 ordered-replicas"}},
		{name: "the next one", pods: "0@v1:ready", want: []string{"create web-1 @v1"}},
		{name: "a gap first", pods: "0@v1:ready 2@v1:ready", want: []string{"create web-1 @v1"}},
		{name: "and then nothing", pods: "0@v1:ready 1@v1:ready 2@v1:ready"},
		{name: "not while the one before is not available", pods: "0@v1:fresh",
			set:   []func(*model.StatefulSet){minReadySeconds(5)},
			waits: []string{"WaitingForAvailable web-0 ordered-replicas"}},
		{name: "available to the second", pods: "0@v1:fresh",
			set:  []func(*model.StatefulSet){minReadySeconds(1)},
			want: []string{"create web-1 @v1"}},
		{name: "the ordinals begin where the set says", pods: "5@v1:ready",
			set:  []func(*model.StatefulSet){startAt(5)},
			want: []string{"create web-6 @v1"}},
		{name: "no minReadySeconds in 1.22", version: "1.22", pods: "0@v1:fresh",
			set:  []func(*model.StatefulSet){minReadySeconds(5)},
			want: []string{"create web-1 @v1"}},
		{name: "but with its gate", version: "1.22", gates: map[string]bool{"StatefulSetMinReadySeconds": true},
			pods: "0@v1:fresh", set: []func(*model.StatefulSet){minReadySeconds(5)},
			waits: []string{"WaitingForAvailable web-0 ordered-replicas"}},
	})
}

func TestParallelCreatesAllReplicas(t *testing.T) {
	run(t, []syncTest{
		{name: "in batches of 1, 2, 4", set: []func(*model.StatefulSet){parallel, replicas(5)},
			want: []string{
				"fork 1", "  create web-0 @v1", "fork 2", "  create web-1 @v1", "  create web-2 @v1",
				"fork 2", "  create web-3 @v1", "  create web-4 @v1",
			}},
		{name: "replicas that need nothing take their places in the batches", pods: "1@v1:ready 3@v1:pending",
			set: []func(*model.StatefulSet){parallel, replicas(9)},
			want: []string{
				"fork 1", "  create web-0 @v1", "fork 1", "  create web-2 @v1",
				"fork 3", "  create web-4 @v1", "  create web-5 @v1", "  create web-6 @v1",
				"fork 2", "  create web-7 @v1", "  create web-8 @v1",
			}},
		{name: "the batch of an error runs to its end, and is the last",
			set:    []func(*model.StatefulSet){parallel, replicas(7)},
			refuse: map[string]model.ErrorReason{"create web-1": model.Timeout}, err: "Timeout",
			want: []string{
				"fork 1", "  create web-0 @v1", "fork 2", "  create web-1 @v1: Timeout", "  create web-2 @v1",
			},
			waits: []string{"SyncError"}},
		{name: "one by one up to the first error before 1.27.4", version: "1.27.3",
			set:    []func(*model.StatefulSet){parallel, replicas(7)},
			refuse: map[string]model.ErrorReason{"create web-1": model.Timeout}, err: "Timeout",
			want:  []string{"create web-0 @v1", "create web-1 @v1: Timeout"},
			waits: []string{"SyncError"}},
		{name: "what is not ready keeps nothing back, and is told", pods: "0@v1:pending 2@v1:running",
			set:   []func(*model.StatefulSet){parallel},
			want:  []string{"fork 1", "  create web-1 @v1"},
			waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "nothing is left to do", pods: "0@v1:ready 1@v1:ready,terminating 2@v1:running",
			set:   []func(*model.StatefulSet){parallel},
			waits: []string{"WaitingForTermination web-1 parallel"}},
	})
}

func TestPodsThatHaveEndedAreMadeAgain(t *testing.T) {
	failed := "0@v1:ready 1@v1:failed 2@v1:failed"
	run(t, []syncTest{
		{name: "deleted in one sync", pods: failed, want: []string{"delete web-1 (RecreateFailed)"}},
		{name: "and waited for in the next", pods: "0@v1:ready 1@v1:failed,terminating 2@v1:failed",
			waits: []string{"WaitingForPodGone web-1 one-name"}},
		{name: "all at once in Parallel", pods: failed, set: []func(*model.StatefulSet){parallel},
			want: []string{
				"fork 2", "  delete web-1 (RecreateFailed)", "  delete web-2 (RecreateFailed)",
			},
			waits: []string{"WaitingForReady web-1 parallel"}},
		{name: "deleted and created in one sync before 1.29.6", version: "1.29.5", pods: failed,
			want: []string{"delete web-1 (RecreateFailed)", "create web-1 @v1"}},
		{name: "terminating or not", version: "1.29.5", pods: "0@v1:failed,terminating",
			want: []string{"delete web-0 (RecreateFailed)", "create web-0 @v1"}},
		{name: "Succeeded too", pods: "0@v1:succeeded", want: []string{"delete web-0 (RecreateSucceeded)"}},
		{name: "but not before 1.27.9", version: "1.27.8", pods: "0@v1:succeeded",
			waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "in one sync in 1.27.9", version: "1.27.9", pods: "0@v1:succeeded",
			want: []string{"delete web-0 (RecreateSucceeded)", "create web-0 @v1"}},
		{name: "the new pod is of the update revision", version: "1.28.0", pods: "0@v1:failed 1@v1:ready 2@v1:ready",
			set:  []func(*model.StatefulSet){rollout},
			want: []string{"delete web-0 (RecreateFailed)", "create web-0 @v2"}},
		{name: "gone already is an error up to 1.35", version: "1.35", pods: failed, err: "NotFound",
			refuse: map[string]model.ErrorReason{"delete web-1": model.NotFound},
			want:   []string{"delete web-1 (RecreateFailed): NotFound"}, waits: []string{"SyncError"}},
		{name: "and as good as deleted from 1.36", pods: failed,
			refuse: map[string]model.ErrorReason{"delete web-1": model.NotFound},
			want:   []string{"delete web-1 (RecreateFailed): NotFound"}},
	})
}

func TestTheRevisionOfANewPod(t *testing.T) {
	run(t, []syncTest{
		{name: "update at the partition and above", pods: "0@v1:ready",
			set:  []func(*model.StatefulSet){rollout, partition(1)},
			want: []string{"create web-1 @v2"}},
		{name: "current below it", pods: "0@v1:ready",
			set:  []func(*model.StatefulSet){rollout, partition(2)},
			want: []string{"create web-1 @v1"}},
		{name: "the partition counts positions, not ordinals", pods: "5@v1:ready",
			set:  []func(*model.StatefulSet){rollout, partition(2), startAt(5)},
			want: []string{"create web-6 @v1"}},
		{name: "without a rollingUpdate block, current below status.currentReplicas", pods: "0@v1:ready",
			set:  []func(*model.StatefulSet){rollout, noBlock(2)},
			want: []string{"create web-1 @v1"}},
		{name: "and update from there on", pods: "0@v1:ready",
			set:  []func(*model.StatefulSet){rollout, noBlock(1)},
			want: []string{"create web-1 @v2"}},
		{name: "update with OnDelete", pods: "0@v1:ready",
			set:  []func(*model.StatefulSet){rollout, onDelete},
			want: []string{"create web-1 @v2"}},
	})
}

func TestADraftIsAWholePod(t *testing.T) {
	set := newSet()
	withClaim(set)
	set.Spec.Template = &model.Template{
		Data: "v1", Labels: map[string]string{"app": "web"},
		Volumes: []model.Volume{{Name: "data"}, {Name: "tmp"}},
	}
	held := revision(set, "v1", 1)
	held.Template = set.Spec.Template
	view := func() *statefulsettest.View {
		return statefulsettest.NewView(set, nil, []*model.Revision{held}, nil, now)
	}
	o := syncTest{version: "1.28"}.syncView(t, view())

	pod := o.server.Calls[1].Pod
	assert.Equal(t, model.Key{Namespace: "default", Name: "web-0"}, pod.Key())
	assert.Equal(t, map[string]string{
		"app": "web", model.LabelRevision: "web-v1", model.LabelPodName: "web-0", model.LabelPodIndex: "0",
	}, pod.Labels)
	assert.Equal(t, []model.Owner{{Kind: model.KindStatefulSet, Name: "web", UID: 7, Controller: true}}, pod.Owners)
	assert.Equal(t, "web-0", pod.Hostname)
	assert.Equal(t, "svc", pod.Subdomain)
	assert.Equal(t, []model.Volume{{Name: "data", Claim: "data-web-0"}, {Name: "tmp"}}, pod.Volumes,
		"the claim takes the place of the template's volume")
	assert.Equal(t, "v1", pod.Template.Data)

	o = syncTest{version: "1.27"}.syncView(t, view())
	assert.NotContains(t, o.server.Calls[1].Pod.Labels, model.LabelPodIndex, "since 1.28")
}

func TestAPodThatExistsIsAnErrorWithoutAnEvent(t *testing.T) {
	o := syncTest{
		refuse: map[string]model.ErrorReason{"create web-0": model.AlreadyExists}, err: "AlreadyExists",
	}.sync(t)
	assert.Empty(t, o.server.Events)
}

// TestTheNamesOfSeveralSets: one controller creates the pods of all sets, of the same set with another start too, and
// each time they have the names of their own.
func TestTheNamesOfSeveralSets(t *testing.T) {
	controller := statefulset.New(profile(t, "", nil))
	for range 2 {
		for _, c := range []struct {
			name  string
			start int32
			want  []string
		}{
			{"web", 0, []string{"web-0", "web-1"}}, {"db", 0, []string{"db-0", "db-1"}},
			{"web", 5, []string{"web-5", "web-6"}}, {"db", 0, []string{"db-0", "db-1"}},
		} {
			set := newSet()
			set.Name = c.name
			parallel(set)
			replicas(2)(set)
			startAt(c.start)(set)
			server := &statefulsettest.Server{View: statefulsettest.NewView(set, nil, history(set), nil, now)}
			require.NoError(t, controller.Sync(server.View, server).Err)
			var created []string
			for _, call := range server.Calls {
				if call.Kind == model.KindPod && call.Verb == model.Create {
					created = append(created, call.Key.Name)
				}
			}
			require.Equal(t, c.want, created)
		}
	}
}
