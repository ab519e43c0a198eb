package statefulset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
)

func TestReplicasGetTheirIdentityBack(t *testing.T) {
	run(t, []syncTest{
		{name: "the label, and the sync goes on", pods: "0@v1:ready,unlabelled 1@v1:ready",
			want: []string{"update web-0 @v1", "create web-2 @v1"}},
		{name: "not above a blocker", pods: "0@v1:running 1@v1:ready,unlabelled",
			waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "nor of the blocker", pods: "0@v1:running,unlabelled",
			waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "in Parallel of any", set: []func(*model.StatefulSet){parallel},
			pods: "0@v1:running,unlabelled 1@v1:ready 2@v1:ready",
			want: []string{"fork 1", "  update web-0 @v1"}, waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "the name", pods: "web-00@v1:ready", want: []string{"update web-0 @v1", "create web-1 @v1"}},
		{name: "an error ends the sync", pods: "0@v1:ready,unlabelled", err: "Timeout",
			refuse: map[string]model.ErrorReason{"update web-0": model.Timeout},
			want:   []string{"update web-0 @v1: Timeout"}, waits: []string{"SyncError"}},
		{name: "four attempts at a conflict", pods: "0@v1:ready,unlabelled", err: "Conflict",
			refuse: map[string]model.ErrorReason{"update web-0": model.Conflict},
			want: []string{
				"update web-0 @v1: Conflict", "update web-0 @v1: Conflict",
				"update web-0 @v1: Conflict", "update web-0 @v1: Conflict",
			},
			waits: []string{"SyncError"}},
		{name: "a renamed pod that the cache does not have by its new name is taken for repaired", pods: "web-00@v1:ready",
			refuse: map[string]model.ErrorReason{"update web-0": model.Conflict},
			want:   []string{"update web-0 @v1: Conflict", "create web-1 @v1"}},
		{name: "the volumes, and the claims with them", set: []func(*model.StatefulSet){withClaim}, pods: "0@v1:ready,bare",
			want: []string{"create data-web-0", "update web-0 @v1", "create data-web-1", "create web-1 @v1"}},
		{name: "no volumes without the claims", set: []func(*model.StatefulSet){withClaim}, pods: "0@v1:ready,bare",
			claims: "data-web-0:terminating", err: "being deleted", waits: []string{"ClaimTerminating data-web-0"}},
	})
}

func TestARepairedPod(t *testing.T) {
	test := syncTest{pods: "0@v1:ready,unlabelled,bare", set: []func(*model.StatefulSet){withClaim}, claims: "data-web-0"}
	o := test.sync(t)
	pod := o.server.Calls[0].Pod
	assert.Equal(t, "web-0", pod.Labels[model.LabelPodName])
	assert.Equal(t, "0", pod.Labels[model.LabelPodIndex])
	assert.Equal(t, "web-v1", pod.Labels[model.LabelRevision])
	assert.Equal(t, []model.Volume{{Name: "data", Claim: "data-web-0"}}, pod.Volumes)
	assert.Equal(t, model.CodeRepairIdentity, o.server.Calls[0].Why.Code)
	cached := o.server.View.Pod(model.Replicas, 0)
	assert.NotContains(t, cached.Labels, model.LabelPodName, "the cache's own pod is not touched")
}
