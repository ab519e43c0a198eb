package statefulset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
)

func TestClaimsComeBeforeTheirPod(t *testing.T) {
	claim := []func(*model.StatefulSet){withClaim}
	run(t, []syncTest{
		{name: "created", set: claim, want: []string{"create data-web-0", "create web-0 @v1"}},
		{name: "or found", set: claim, claims: "data-web-0", want: []string{"create web-0 @v1"}},
		{name: "of their ordinals", set: []func(*model.StatefulSet){withClaim, startAt(5)},
			want: []string{"create data-web-5", "create web-5 @v1"}},
		{name: "no pod without its claim", set: claim, err: "failed to create PVC data-web-0: Forbidden",
			refuse: map[string]model.ErrorReason{"create data-web-0": model.Forbidden},
			want:   []string{"create data-web-0: Forbidden"}, waits: []string{"SyncError"}},
		{name: "a claim that the cache does not know yet is an error as well", set: claim, err: "AlreadyExists",
			refuse: map[string]model.ErrorReason{"create data-web-0": model.AlreadyExists},
			want:   []string{"create data-web-0: AlreadyExists"}, waits: []string{"SyncError"}},
		{name: "a claim that is being deleted keeps its pod back", set: claim, claims: "data-web-0:terminating",
			err: "pvc data-web-0 is being deleted", waits: []string{"ClaimTerminating data-web-0"}},
		{name: "but not in 1.16", version: "1.16", set: claim, claims: "data-web-0:terminating",
			want: []string{"create web-0 @v1"}},
		{name: "all are tried, and Parallel goes on with the batch", set: []func(*model.StatefulSet){withClaim, parallel},
			claims: "data-web-1:terminating data-web-2", pods: "0@v1:ready", err: "pvc data-web-1 is being deleted",
			want: []string{"fork 2", "  create web-2 @v1"}, waits: []string{"ClaimTerminating data-web-1"}},
	})
}

func TestAllClaimsThatFailAreTold(t *testing.T) {
	two := func(set *model.StatefulSet) {
		set.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data"}, {Name: "log"}}
	}
	o := syncTest{
		set: []func(*model.StatefulSet){two}, claims: "data-web-0:terminating",
		refuse: map[string]model.ErrorReason{"create log-web-0": model.Forbidden},
		err:    "[pvc data-web-0 is being deleted, failed to create PVC log-web-0: Forbidden]",
	}.sync(t)
	var refusal *model.APIError
	assert.ErrorAs(t, o.result.Err, &refusal)
}

func TestMissingClaimsOfAPendingPod(t *testing.T) {
	claim := []func(*model.StatefulSet){withClaim}
	blocked := []string{"WaitingForReady web-0 ordered-replicas"}
	run(t, []syncTest{
		{name: "are created", set: claim, pods: "0@v1:pending", want: []string{"create data-web-0"}, waits: blocked},
		{name: "not before 1.27", version: "1.26", set: claim, pods: "0@v1:pending", waits: blocked},
		{name: "not those of other pods", set: claim, pods: "0@v1:running", waits: blocked},
		{name: "in Parallel too", set: []func(*model.StatefulSet){withClaim, parallel}, claims: "data-web-1",
			pods: "0@v1:pending 1@v1:pending 2@v1:running", want: []string{"fork 1", "  create data-web-0"},
			waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "an error ends the sync", set: claim, pods: "0@v1:pending", claims: "data-web-0:terminating",
			err: "being deleted", waits: []string{"ClaimTerminating data-web-0"}},
	})
}

func TestAClaimThatIsCreated(t *testing.T) {
	set := newSet()
	set.Spec.ClaimTemplates = []model.ClaimTemplate{
		{Name: "data", Data: "other"},
		{Name: "log", Data: "{}"},
		{Name: "data", Data: "{1}", Labels: map[string]string{"app": "x", "k": "v"},
			Annotations: map[string]string{"a": "b"}},
	}
	o := syncTest{}.syncView(t, viewOf(set))
	assert.Equal(t, []string{"create log-web-0", "create data-web-0", "create web-0 @v1"}, o.acts(),
		"of two templates of one name the last one counts")
	claim := o.server.Calls[1].Claim
	assert.Equal(t, "{1}", claim.Data)
	assert.Equal(t, map[string]string{"app": "web", "k": "v"}, claim.Labels, "the selector's labels, over the template's")
	assert.Equal(t, map[string]string{"a": "b"}, claim.Annotations)
	assert.Empty(t, claim.Owners)
}
