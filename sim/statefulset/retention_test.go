package statefulset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
)

// retaining gives a set a claim and a retention policy: when it is deleted, when it is scaled.
func retaining(deleted, scaled bool) func(*model.StatefulSet) {
	return func(set *model.StatefulSet) {
		withClaim(set)
		set.Spec.Retention = &model.Retention{DeleteWithSet: deleted, DeleteWhenScaled: scaled}
	}
}

var withGate = map[string]bool{"StatefulSetAutoDeletePVC": true}

const (
	allWell   = "0@v1:ready 1@v1:ready 2@v1:ready"
	ofTheSet  = "=StatefulSet/web/7!"
	allOwned  = "data-web-0" + ofTheSet + " data-web-1" + ofTheSet + " data-web-2" + ofTheSet
	noneOwned = "data-web-0 data-web-1 data-web-2"
)

func TestOwnersOfTheClaimsOfAReplica(t *testing.T) {
	set := func(deleted, scaled bool) []func(*model.StatefulSet) {
		return []func(*model.StatefulSet){retaining(deleted, scaled)}
	}
	gained := []string{
		"update data-web-0 of StatefulSet/web!", "update web-0 @v1", "update data-web-1 of StatefulSet/web!", "update web-1 @v1",
		"update data-web-2 of StatefulSet/web!", "update web-2 @v1",
	}
	lost := []string{"update data-web-0 of nobody", "update web-0 @v1"}
	run(t, []syncTest{
		{name: "Retain, Retain: none", set: set(false, false), pods: allWell, claims: noneOwned},
		{name: "none any more", set: set(false, false), pods: allWell, claims: "data-web-0" + ofTheSet, want: lost},
		{name: "those of others stay", set: set(false, false), pods: allWell, claims: "data-web-0=X/backup/9!"},
		{name: "deleted with the set: the set", set: set(true, false), pods: allWell, claims: allOwned},
		{name: "it is made the owner, and the pod is written with it", set: set(true, false), pods: allWell, claims: noneOwned,
			want: gained},
		{name: "deleted when scaled: none in range", set: set(false, true), pods: allWell, claims: noneOwned},
		{name: "the pod that is needed again is none", set: set(false, true), pods: allWell, claims: "data-web-0=Pod/web-0/100!",
			want: lost},
		{name: "both: the set in range", set: set(true, true), pods: allWell, claims: allOwned},
		{name: "and not the pod", set: set(true, true), pods: allWell,
			claims: "data-web-0=Pod/web-0/100! data-web-1" + ofTheSet + " data-web-2" + ofTheSet,
			want:   []string{"update data-web-0 of StatefulSet/web!", "update web-0 @v1"}},
		{name: "missing claims are skipped", set: set(true, false), pods: allWell},
		{name: "not before the pod is available", set: set(true, false), pods: "0@v1:running", claims: noneOwned,
			waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "but while it is Pending", set: set(true, false), pods: "0@v1:pending", claims: noneOwned,
			want: gained[:1], waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "in Parallel always", set: append(set(true, false), parallel), pods: "0@v1:running 1@v1:ready 2@v1:failed,terminating",
			claims: noneOwned, want: []string{
				"fork 1", "  " + gained[0], "  " + gained[1], "fork 1", "  " + gained[2], "  " + gained[3]},
			waits: []string{"WaitingForReady web-0 parallel"}},
		{name: "nothing with the gate off", version: "1.26", set: set(true, false), pods: allWell, claims: noneOwned},
		{name: "plain owners up to 1.30", version: "1.30", set: set(true, false), pods: allWell,
			claims: "data-web-1=StatefulSet/web/7 data-web-2=X/backup/9!",
			want:   []string{"update data-web-2 of /backup!,StatefulSet/web", "update web-2 @v1"}},
	})
}

func TestOwnersOfTheClaimsOfANewPod(t *testing.T) {
	set := []func(*model.StatefulSet){retaining(true, false)}
	run(t, []syncTest{
		{name: "at once", set: set,
			want: []string{"create data-web-0", "create web-0 @v1", "update data-web-0 of StatefulSet/web!"}},
		{name: "also where the pod could not be created", set: set, err: "Forbidden",
			refuse: map[string]model.ErrorReason{"create web-0": model.Forbidden},
			want:   []string{"create data-web-0", "create web-0 @v1: Forbidden", "update data-web-0 of StatefulSet/web!"},
			waits:  []string{"SyncError"}},
		{name: "but not where it exists", set: set, err: "AlreadyExists",
			refuse: map[string]model.ErrorReason{"create web-0": model.AlreadyExists},
			want:   []string{"create data-web-0", "create web-0 @v1: AlreadyExists"}, waits: []string{"SyncError"}},
		{name: "an error ends the sync", set: set, err: "could not update claim data-web-0 for delete policy ownerRefs: Timeout",
			refuse: map[string]model.ErrorReason{"update data-web-0": model.Timeout},
			want:   []string{"create data-web-0", "create web-0 @v1", "update data-web-0 of StatefulSet/web!: Timeout"},
			waits:  []string{"SyncError"}},
		{name: "with a capital letter up to 1.30", version: "1.30", set: set, err: "Could not update claim data-web-0",
			refuse: map[string]model.ErrorReason{"update data-web-0": model.Timeout},
			want:   []string{"create data-web-0", "create web-0 @v1", "update data-web-0 of StatefulSet/web: Timeout"},
			waits:  []string{"SyncError"}},
		{name: "Parallel looks once more", set: append(set, parallel, replicas(1)),
			want: []string{"fork 1", "  create data-web-0", "  create web-0 @v1", "  update data-web-0 of StatefulSet/web!"}},
	})
}

func TestAStaleClaimKeepsItsPodFromBeingCreated(t *testing.T) {
	set := []func(*model.StatefulSet){retaining(false, true)}
	stale := "data-web-1=Pod/web-1/55!"
	waits := []string{"StaleClaim data-web-1"}
	both := append(set, parallel)
	run(t, []syncTest{
		{name: "OrderedReady ends there, without an error", set: set, pods: "0@v1:ready 2@v1:ready", claims: stale, waits: waits},
		{name: "Parallel goes on", set: both, pods: "0@v1:ready", claims: stale,
			want: []string{"fork 2", "  create data-web-2", "  create web-2 @v1"}, waits: waits},
		{name: "and on to the update", set: append(both, rollout), pods: "0@v1:ready", claims: stale,
			want: []string{"fork 2", "  create data-web-2", "  create web-2 @v2"}, waits: waits},
		{name: "but not where it goes one by one", version: "1.24", gates: withGate, set: append(both, rollout),
			pods: "0@v1:ready", claims: stale, waits: waits},
		{name: "only where claims go with their pods", set: []func(*model.StatefulSet){retaining(true, false)},
			pods: "0@v1:running 2@v1:ready", claims: stale, waits: []string{"WaitingForReady web-0 ordered-replicas"}},
		{name: "an owner of another name or kind blocks nothing", set: set, pods: "0@v1:ready 2@v1:ready",
			claims: "data-web-1=Pod/web-2/55,StatefulSet/web-1/55", want: []string{"create web-1 @v1"}},
		{name: "of another kind it did up to 1.30", version: "1.30", set: set, pods: "0@v1:ready 2@v1:ready",
			claims: "data-web-1=StatefulSet/web-1/55", waits: waits},
		{name: "nothing with the gate off", version: "1.26", set: set, pods: "0@v1:ready 2@v1:ready", claims: stale,
			want: []string{"create web-1 @v1"}},
	})
}

func TestClaimsOfCondemnedPods(t *testing.T) {
	set := []func(*model.StatefulSet){retaining(true, true), replicas(1)}
	three := "0@v1:ready 1@v1:ready 2@v1:ready"
	one, two := "update data-web-1 of Pod/web-1!", "update data-web-2 of Pod/web-2!"
	run(t, []syncTest{
		{name: "get their pods as owners, all before one pod goes", set: set, pods: three, claims: allOwned,
			want: []string{two, one, "delete web-2 (ScaleDown)"}},
		{name: "even of those that terminate", set: set, pods: "0@v1:ready 1@v1:ready 2@v1:ready,terminating", claims: allOwned,
			want: []string{two, one}, waits: []string{"WaitingForTermination web-2 ordered-scale-down"}},
		{name: "upwards before there were batches", version: "1.27.3", set: set, pods: three, claims: allOwned,
			want: []string{"update data-web-1 of Pod/web-1", "update data-web-2 of Pod/web-2", "delete web-2 (ScaleDown)"}},
		{name: "in batches", set: append(set, parallel, replicas(0)), pods: three, claims: allOwned,
			want: []string{"fork 1", "  " + two, "fork 2", "  " + one, "  update data-web-0 of Pod/web-0!",
				"fork 1", "  delete web-2 (ScaleDown)", "fork 2", "  delete web-1 (ScaleDown)", "  delete web-0 (ScaleDown)"}},
		{name: "an error ends the sync", set: set, pods: three, claims: allOwned, err: "Timeout",
			refuse: map[string]model.ErrorReason{"update data-web-2": model.Timeout},
			want:   []string{two + ": Timeout"}, waits: []string{"SyncError"}},
		{name: "upwards too", version: "1.27.3", set: set, pods: three, claims: allOwned, err: "Timeout",
			refuse: map[string]model.ErrorReason{"update data-web-1": model.Timeout},
			want:   []string{"update data-web-1 of Pod/web-1: Timeout"}, waits: []string{"SyncError"}},
		{name: "nothing where claims stay", set: []func(*model.StatefulSet){retaining(true, false), replicas(1)}, pods: three,
			claims: allOwned, want: []string{"delete web-2 (ScaleDown)"}},
	})
}

// From 1.31 the policy works with controllers, and leaves alone what another one controls.
func TestClaimsWithAnotherController(t *testing.T) {
	set := []func(*model.StatefulSet){retaining(true, false)}
	blocked := []string{"WaitingForReady web-0 ordered-replicas"}
	test := syncTest{set: set, pods: "0@v1:pending", claims: "data-web-0=X/backup/9!"}
	o := test.sync(t)
	assert.Empty(t, o.acts())
	assert.Equal(t, []string{"ConflictingController: PersistentVolumeClaim data-web-0 has a conflicting OwnerReference that " +
		"acts as a manging controller, the retention policy is ignored for this claim"}, o.server.Events)
	run(t, []syncTest{
		{name: "the set does not stay beside it", set: set, pods: "0@v1:pending", claims: "data-web-0=X/backup/9!,StatefulSet/web/7",
			want: []string{"update data-web-0 of /backup!"}, waits: blocked},
		{name: "nor what an earlier set of the name owns", set: set, pods: "0@v1:pending", claims: "data-web-0=StatefulSet/web/5!",
			waits: blocked},
		{name: "a plain owner becomes the controller", set: set, pods: "0@v1:pending", claims: "data-web-0=StatefulSet/web/7",
			want: []string{"update data-web-0 of StatefulSet/web!"}, waits: blocked},
		{name: "all that was no concern of 1.30", version: "1.30", set: set, pods: "0@v1:pending",
			claims: "data-web-0=X/backup/9!,StatefulSet/web/7", waits: blocked},
		{name: "there another uid is another owner", version: "1.30", set: set, pods: "0@v1:pending",
			claims: "data-web-0=StatefulSet/web/5", waits: blocked,
			want: []string{"update data-web-0 of StatefulSet/web,StatefulSet/web"}},
	})
}

// A conflict is tried again: the claim may have been changed by somebody else meanwhile.
func TestAClaimThatMeetsConflicts(t *testing.T) {
	set := []func(*model.StatefulSet){retaining(true, false)}
	update := "update data-web-0 of StatefulSet/web!: Conflict"
	test := syncTest{set: set, pods: allWell, claims: "data-web-0", err: "Conflict",
		refuse: map[string]model.ErrorReason{"update data-web-0": model.Conflict}}
	o := test.sync(t)
	assert.Equal(t, []string{update, update, update, update}, o.acts())
	assert.Len(t, o.server.Events, 4)
}

// TestEachClaimOfAPodGetsItsOwners: a claim that is missing, or that has its owners, does not hide those of the templates
// behind it; an error does.
func TestEachClaimOfAPodGetsItsOwners(t *testing.T) {
	three := func(set *model.StatefulSet) {
		retaining(true, false)(set)
		set.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data"}, {Name: "log"}, {Name: "tmp"}}
	}
	set := []func(*model.StatefulSet){three, replicas(1)}
	data, log, tmp := "update data-web-0 of StatefulSet/web!", "update log-web-0 of StatefulSet/web!", "update tmp-web-0 of StatefulSet/web!"
	run(t, []syncTest{
		{name: "all", set: set, pods: "0@v1:ready", claims: "data-web-0 log-web-0 tmp-web-0",
			want: []string{data, log, tmp, "update web-0 @v1"}},
		{name: "behind one that has them", set: set, pods: "0@v1:ready",
			claims: "data-web-0=StatefulSet/web/7! log-web-0 tmp-web-0=StatefulSet/web/7!", want: []string{log, "update web-0 @v1"}},
		{name: "behind one that is missing", set: set, pods: "0@v1:ready", claims: "log-web-0 tmp-web-0",
			want: []string{log, tmp, "update web-0 @v1"}},
		{name: "up to an error", set: set, pods: "0@v1:ready", claims: "data-web-0 log-web-0 tmp-web-0", err: "Timeout",
			refuse: map[string]model.ErrorReason{"update log-web-0": model.Timeout},
			want:   []string{data, log + ": Timeout"}, waits: []string{"SyncError"}},
	})
}
