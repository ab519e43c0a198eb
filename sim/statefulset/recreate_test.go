package statefulset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

func recreateStrategy(set *model.StatefulSet) {
	set.Spec.Strategy = model.Strategy{Type: model.RecreateStrategy}
}

var recreateOn = map[string]bool{"StatefulSetRecreateStrategy": true}

func TestRecreateDeletesAllOldPodsBeforeItCreatesAny(t *testing.T) {
	set := []func(*model.StatefulSet){rollout, recreateStrategy}
	run(t, []syncTest{
		{name: "condemned ones too", version: "1.37", gates: recreateOn, set: set,
			pods: threeReady + "3@v1:ready 4@v1:ready",
			want: []string{
				"fork 1", "  delete web-0 (UpdateRevision)",
				"fork 2", "  delete web-1 (UpdateRevision)", "  delete web-2 (UpdateRevision)",
				"fork 2", "  delete web-4 (UpdateRevision)", "  delete web-3 (UpdateRevision)",
			},
			waits: []string{"WaitingForTermination web-0 recreate"}},
		{name: "not those of the new revision", version: "1.37", gates: recreateOn, set: set, pods: "0@v2:ready 1@v1:failed",
			want:  []string{"fork 1", "  delete web-1 (UpdateRevision)"},
			waits: []string{"WaitingForTermination web-1 recreate"}},
		{name: "none is created while one is left", version: "1.37", gates: recreateOn, set: set,
			pods:  "3@v1:ready,terminating",
			waits: []string{"WaitingForTermination web-3 recreate"}},
		{name: "then as the policy has it", version: "1.37", gates: recreateOn, set: set, want: []string{"create web-0 @v2"}},
		{name: "a pod that is gone already is no error", version: "1.37", gates: recreateOn, set: set, pods: "0@v1:ready",
			refuse: map[string]model.ErrorReason{"delete web-0": model.NotFound},
			want:   []string{"fork 1", "  delete web-0 (UpdateRevision): NotFound"},
			waits:  []string{"WaitingForTermination web-0 recreate"}},
	})
}

func TestRecreateTellsItsProgress(t *testing.T) {
	test := syncTest{version: "1.37", gates: recreateOn, set: []func(*model.StatefulSet){rollout, recreateStrategy}}
	other := model.Condition{Type: "Other", True: true}
	progress := func(before []model.Condition, pods string) []model.Condition {
		test := test
		test.pods = pods
		test.set = append(test.set, func(set *model.StatefulSet) { set.Status.Conditions = before })
		o := test.sync(t)
		return o.server.Calls[len(o.server.Calls)-1].Set.Status.Conditions
	}

	deleting := progress([]model.Condition{other}, threeReady)
	assert.Equal(t, []model.Condition{other, {
		Type: "Progressing", Reason: "RecreateInProgress", Message: "Deleting old revision pods", True: true, Since: now,
	}}, deleting)

	deleting[1].Since = 5
	creating := progress(deleting, "")
	assert.Equal(t, model.Condition{
		Type: "Progressing", Reason: "RecreateInProgress", Message: "Waiting for new-revision pods to be created",
		True: true, Since: 5,
	}, creating[1], "still true since then")
	assert.Equal(t, "Deleting old revision pods", deleting[1].Message, "the set's own conditions are not touched")

	done := progress(creating, "0@v2:ready 1@v2:ready 2@v2:ready")
	assert.Equal(t, model.Condition{
		Type: "Progressing", Reason: "RecreateCompleted", Message: "All pods recreated successfully", Since: now,
	}, done[1])
}

func TestRecreateWithoutItsGateIsRefused(t *testing.T) {
	test := syncTest{
		version: "1.37", set: []func(*model.StatefulSet){rollout, recreateStrategy}, pods: threeReady,
		err: "feature gate StatefulSetRecreateStrategy is disabled",
	}
	o := test.sync(t)
	assert.Empty(t, o.server.Log, "not even a status")
	assert.Equal(t, []string{"UnknownStrategy: statefulset default/web uses Recreate strategy but feature gate " +
		"StatefulSetRecreateStrategy is disabled"}, o.server.Events)
	require.Equal(t, []string{"SyncError"}, o.waits())
}
