package statefulset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
)

// liveSet is the set as the API server has it, changed.
func liveSet(change func(*model.StatefulSet)) *model.StatefulSet {
	set := newSet()
	change(set)
	return set
}

func deleting(set *model.StatefulSet) { set.Deletion = &model.Deletion{} }

func TestOrphansAreAdopted(t *testing.T) {
	another := liveSet(func(set *model.StatefulSet) { set.UID = 9 })
	run(t, []syncTest{
		{name: "and take part in the same sync", pods: "0@v1:ready 1@v1:ready,orphan",
			want: []string{"get web", "adopt web-1", "create web-2 @v1"}},
		{name: "all of them after one look", pods: "2@v1:ready,orphan 0@v1:ready,orphan 1@v1:ready,orphan",
			want: []string{"get web", "adopt web-0", "adopt web-1", "adopt web-2"}},
		{name: "those out of range too, to be removed", pods: "0@v1:ready 1@v1:ready 2@v1:ready 5@v1:ready,orphan",
			want: []string{"get web", "adopt web-5", "delete web-5 (ScaleDown)"}},
		{name: "those without an ordinal", pods: "0@v1:ready 1@v1:ready 2@v1:ready web-99999999999@v1:ready,orphan",
			want: []string{"get web", "adopt web-99999999999"}},
		{name: "as the cache has them: the label is still missing", pods: "0@v1:ready,orphan,unlabelled 1@v1:ready 2@v1:ready",
			want: []string{"get web", "adopt web-0", "update web-0 @v1"}},
		{name: "of an old revision, to be updated", set: []func(*model.StatefulSet){rollout},
			pods: "0@v1:ready,orphan 1@v1:ready,orphan 2@v1:ready,orphan",
			want: []string{"get web", "adopt web-0", "adopt web-1", "adopt web-2", "delete web-2 (UpdateRevision)"}},
		{name: "not those of others", pods: "0@v1:ready,foreign 1@v1:ready 2@v1:ready", want: []string{"create web-0 @v1"}},
		{name: "not with other labels", pods: "0@v1:ready 1@v1:ready 2@v1:ready 3@v1:ready,orphan,relabelled"},
		{name: "not with other names", pods: "0@v1:ready 1@v1:ready 2@v1:ready db-0@v1:ready,orphan web@v1:ready,orphan"},
		{name: "not while they terminate", pods: "0@v1:ready 1@v1:ready 2@v1:ready,orphan,terminating",
			want: []string{"create web-2 @v1"}},
		{name: "not by a set that is being deleted", set: []func(*model.StatefulSet){deleting},
			pods: "0@v1:ready 1@v1:ready,orphan", waits: []string{"SetDeleting web"}},
		{name: "one that is gone by now is none", pods: "0@v1:ready,orphan", want: []string{
			"get web", "adopt web-0: NotFound", "create web-0 @v1"},
			refuse: map[string]model.ErrorReason{"adopt web-0": model.NotFound}},
		{name: "an error ends the sync, after all were tried", pods: "0@v1:ready,orphan 1@v1:ready,orphan",
			refuse: map[string]model.ErrorReason{"adopt web-0": model.Timeout}, err: "Timeout",
			want:  []string{"get web", "adopt web-0: Timeout", "adopt web-1"},
			waits: []string{"SyncError"}},
		{name: "not for a set that is gone", pods: "0@v1:ready,orphan", refuse: map[string]model.ErrorReason{"get web": model.NotFound},
			err:  "can't adopt Pod default/web-0 (uid-100): can't recheck DeletionTimestamp: NotFound",
			want: []string{"get web: NotFound"}, waits: []string{"SyncError"}},
		{name: "nor for another one of the name", pods: "0@v1:ready,orphan", live: another,
			err:  "original StatefulSet default/web is gone: got uid uid-9, wanted uid-7",
			want: []string{"get web"}, waits: []string{"SyncError"}},
		{name: "nor for one that was deleted just now", pods: "0@v1:ready,orphan", live: liveSet(deleting),
			err: "default/web has just been deleted", want: []string{"get web"}, waits: []string{"SyncError"}},
	})
}

func TestPodsThatDoNotMatchAreReleased(t *testing.T) {
	run(t, []syncTest{
		{name: "and made anew in the same sync", pods: "0@v1:ready 1@v1:ready,relabelled 2@v1:ready",
			want: []string{"release web-1", "create web-1 @v1"}},
		{name: "for their names as well", pods: "0@v1:ready 1@v1:ready 2@v1:ready db-0@v1:ready", want: []string{"release db-0"}},
		{name: "even if they terminate", pods: "0@v1:ready 1@v1:ready 2@v1:ready,relabelled,terminating",
			want: []string{"release web-2", "create web-2 @v1"}},
		{name: "not by a set that is being deleted", set: []func(*model.StatefulSet){deleting},
			pods: "0@v1:ready 1@v1:ready,relabelled", waits: []string{"SetDeleting web"}},
		{name: "one that is gone by now is none", pods: "0@v1:ready,relabelled 1@v1:ready 2@v1:ready",
			refuse: map[string]model.ErrorReason{"release web-0": model.NotFound},
			want:   []string{"release web-0: NotFound", "create web-0 @v1"}},
		{name: "one that is another by now neither", pods: "0@v1:ready,relabelled 1@v1:ready 2@v1:ready",
			refuse: map[string]model.ErrorReason{"release web-0": model.Invalid},
			want:   []string{"release web-0: Invalid", "create web-0 @v1"}},
		{name: "an error ends the sync, after all were tried", pods: "0@v1:ready,relabelled 1@v1:ready,relabelled 2@v1:ready,orphan",
			refuse: map[string]model.ErrorReason{"release web-0": model.Conflict}, err: "Conflict",
			want:  []string{"release web-0: Conflict", "release web-1", "get web", "adopt web-2"},
			waits: []string{"SyncError"}},
	})
}

func TestWhatIsSentToAdoptAndRelease(t *testing.T) {
	set := newSet()
	view := viewOf(set, pods(t, set, "0@v1:ready,relabelled 1@v1:ready,orphan")...)
	calls := syncTest{}.syncView(t, view).server.Calls
	owner := ownersOf(set)[0]
	assert.Equal(t, model.Call{Verb: model.Release, Kind: model.KindPod, Key: model.Key{Namespace: "default", Name: "web-0"},
		UID: 100, Owner: owner, Why: model.Why{Code: model.CodeRelease, Object: "web-0"}}, calls[0])
	assert.Equal(t, model.Call{Verb: model.Adopt, Kind: model.KindPod, Key: model.Key{Namespace: "default", Name: "web-1"},
		UID: 101, Owner: owner, Why: model.Why{Code: model.CodeAdopt, Object: "web-1"}}, calls[2])
	last := calls[len(calls)-1].Set.Status
	assert.EqualValues(t, 1, last.Replicas, "what is adopted counts, what is released does not")
	assert.EqualValues(t, 1, last.Ready)
}

// orphaned returns a revision that nobody owns.
func orphaned(set *model.StatefulSet, version string, number int64) *model.Revision {
	r := revision(set, version, number)
	r.Owners = nil
	return r
}

// adoptions is one sync of a set that is complete, with this history: what it did beside writing the status.
func adoptions(t *testing.T, test syncTest, set *model.StatefulSet, held ...*model.Revision) []string {
	t.Helper()
	view := statefulsettest.NewView(set, pods(t, set, "0@v1:ready 1@v1:ready 2@v1:ready"), held, nil, now)
	return test.syncView(t, view).acts()
}

func TestOrphanRevisionsAreAdopted(t *testing.T) {
	set := newSet()
	assert.Equal(t, []string{"get web", "adopt web-v1"}, adoptions(t, syncTest{}, set, orphaned(set, "v1", 1)),
		"and are the history then: no other revision is made")
	rolled := orphaned(set, "v2", 2)
	assert.Equal(t, []string{"get web", "adopt web-v1", "adopt web-v2", "update web-v1 #3"},
		adoptions(t, syncTest{}, set, orphaned(set, "v1", 1), rolled), "an older one of the template is the newest again")
	strange := orphaned(set, "v2", 2)
	strange.Labels = map[string]string{"app": "other"}
	assert.Empty(t, adoptions(t, syncTest{}, set, revision(set, "v1", 1), strange), "not those that the set does not select")
	foreign := revision(set, "v2", 2)
	foreign.Owners[0].UID = 8
	assert.Empty(t, adoptions(t, syncTest{}, set, revision(set, "v1", 1), foreign), "nor those of others")
	lost := revision(set, "v2", 2)
	lost.Labels = nil
	assert.Empty(t, adoptions(t, syncTest{}, set, revision(set, "v1", 1), lost),
		"its own that it does not select are no part of its history")
	failing := syncTest{err: "NotFound", refuse: map[string]model.ErrorReason{"adopt web-v1": model.NotFound}}
	assert.Equal(t, []string{"get web", "adopt web-v1: NotFound"}, adoptions(t, failing, set, orphaned(set, "v1", 1)),
		"one that is gone by now is an error")
}

// What is adopted while the garbage collector leaves the revisions of a set behind is deleted with the set.
func TestASetThatIsBeingDeletedAdoptsNoRevisions(t *testing.T) {
	set := liveSet(deleting)
	refused := syncTest{live: set, err: "can't adopt ControllerRevisions: default/web has just been deleted"}
	for _, version := range []string{"", "1.22"} {
		refused.version = version
		assert.Equal(t, []string{"get web"}, adoptions(t, refused, set, orphaned(set, "v1", 1)))
	}
	assert.Equal(t, []string{"get web", "adopt web-v1"},
		adoptions(t, syncTest{version: "1.16", live: set}, set, orphaned(set, "v1", 1)), "before PR 84984 it did")
}

func TestOrphanRevisionsBesideOwnedOnes(t *testing.T) {
	set := newSet()
	held := []*model.Revision{revision(set, "v2", 1), orphaned(set, "v1", 2)}
	assert.Equal(t, []string{"get web", "adopt web-v1"}, adoptions(t, syncTest{}, set, held...))
	failing := syncTest{version: "1.16", err: "attempt to adopt revision owned by StatefulSet web"}
	assert.Equal(t, []string{"get web"}, adoptions(t, failing, set, held...), "before PR 86801 that failed every sync")
}
