package statefulset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
)

// statusTest is a sync and the status that it writes, or "" where it writes none.
type statusTest struct {
	syncTest
	status string
}

func runStatus(t *testing.T, tests []statusTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.status, test.sync(t).status())
		})
	}
}

func TestTheStatusCountsThePodsOfTheCache(t *testing.T) {
	runStatus(t, []statusTest{
		{syncTest{name: "terminating ones are ready and of no revision", pods: "0@v1:ready 1@v1:ready,terminating"},
			"replicas=2 ready=2 available=2 current=1 updated=1"},
		{syncTest{name: "fresh ones are not available", pods: "0@v1:ready 1@v1:fresh 2@v1:ready",
			set: []func(*model.StatefulSet){minReadySeconds(5)}},
			"replicas=3 ready=3 available=2 current=3 updated=3"},
		{syncTest{name: "one created now counts next time"}, "replicas=0 ready=0 available=0 current=0 updated=0"},
		{syncTest{name: "at once before 1.27.4", version: "1.27.3"}, "replicas=1 ready=0 available=0 current=1 updated=1"},
		{syncTest{name: "one removed now counts as before", pods: threeReady + "3@v1:ready"},
			"replicas=4 ready=4 available=4 current=4 updated=4"},
		{syncTest{name: "but for no revision before 1.27.4", version: "1.27.3", pods: threeReady + "3@v1:ready"},
			"replicas=4 ready=4 available=4 current=3 updated=3"},
		{syncTest{name: "one deleted for its revision is taken from current, whatever its revision",
			set: rolling, pods: "0@v1:ready 1@v1:ready 2@v3:ready"},
			"replicas=3 ready=3 available=3 current=1 updated=0"},
		{syncTest{name: "a Failed one counts as long as it is there", pods: "0@v1:failed"},
			"replicas=1 ready=0 available=0 current=1 updated=1"},
		{syncTest{name: "and no more when it is replaced in the same sync", version: "1.29.0",
			pods: "0@v1:ready 1@v1:failed"},
			"replicas=1 ready=1 available=1 current=1 updated=1"},
		{syncTest{name: "its successor counts instead before 1.27.4", version: "1.27.3", pods: "0@v1:ready 1@v1:failed"},
			"replicas=2 ready=1 available=1 current=2 updated=2"},
		{syncTest{name: "which makes current negative where it was terminating", version: "1.27.3", err: "Timeout",
			pods: "0@v1:failed,terminating", refuse: map[string]model.ErrorReason{"create web-0": model.Timeout}},
			"replicas=0 ready=0 available=0 current=-1 updated=-1"},
		{syncTest{name: "pods without an ordinal do not count", pods: threeReady + "web-99999999999@v1:ready"},
			"replicas=3 ready=3 available=3 current=3 updated=3"},
		{syncTest{name: "but they did before 1.27.4", version: "1.27.3", pods: threeReady + "web-99999999999@v1:ready"},
			"replicas=4 ready=4 available=4 current=4 updated=4"},
		{syncTest{name: "and they do in a set that is being deleted", pods: threeReady + "web-99999999999@v1:ready",
			set: []func(*model.StatefulSet){func(set *model.StatefulSet) { set.Deletion = &model.Deletion{} }}},
			"replicas=4 ready=4 available=4 current=4 updated=4"},
		{syncTest{name: "1.16 has no available replicas", version: "1.16", pods: "0@v1:ready 1@v1:ready 2@v1:running"},
			"replicas=3 ready=2 available=0 current=3 updated=3"},
		{syncTest{name: "in 1.22 all ready ones are", version: "1.22", pods: "0@v1:fresh",
			set: []func(*model.StatefulSet){minReadySeconds(5)}},
			"replicas=2 ready=1 available=1 current=2 updated=2"},
	})
}

func TestASetThatIsBeingDeletedOnlyGetsAStatus(t *testing.T) {
	deleting := func(set *model.StatefulSet) { set.Deletion = &model.Deletion{} }
	run(t, []syncTest{{
		name: "nothing", set: []func(*model.StatefulSet){rollout, deleting, replicas(1)}, pods: threeReady,
		waits: []string{"SetDeleting web"},
	}})
}

func TestCompletion(t *testing.T) {
	updated := "0@v2:ready 1@v2:ready 2@v2:ready"
	for _, test := range []struct {
		syncTest
		current string
	}{
		{syncTest{name: "all updated and ready", set: rolling, pods: updated}, "web-v2"},
		{syncTest{name: "one not ready", set: rolling, pods: "0@v2:ready 1@v2:ready 2@v2:running"}, "web-v1"},
		{syncTest{name: "one missing", set: rolling, pods: "0@v2:ready 1@v2:ready"}, "web-v1"},
		{syncTest{name: "one missing, up to 1.27.7", version: "1.27.7", set: rolling,
			pods: "0@v2:ready 1@v2:ready"}, "web-v2"},
		{syncTest{name: "one missing that counts as created before 1.27.4", version: "1.27.3", set: rolling,
			pods: "0@v2:ready 1@v2:ready"}, "web-v1"},
		{syncTest{name: "one too many", set: rolling, pods: updated + " 3@v2:ready"}, "web-v1"},
		{syncTest{name: "none wanted", set: []func(*model.StatefulSet){rollout, replicas(0)}}, "web-v2"},
		{syncTest{name: "not available is enough", set: append(rolling, minReadySeconds(5)),
			pods: "0@v2:fresh 1@v2:ready 2@v2:ready"}, "web-v2"},
		{syncTest{name: "OnDelete never, up to 1.36", set: append(rolling, onDelete), pods: updated}, "web-v1"},
		{syncTest{name: "OnDelete in 1.37", version: "1.37", set: append(rolling, onDelete), pods: updated}, "web-v2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls := test.sync(t).server.Calls
			assert.Equal(t, test.current, calls[len(calls)-1].Set.Status.CurrentRevision)
		})
	}
}

func TestTheStatusIsWrittenIfItDiffers(t *testing.T) {
	settled := model.Status{
		ObservedGeneration: 1, Replicas: 3, Ready: 3, Available: 3, Current: 3, Updated: 3,
		CurrentRevision: "web-v1", UpdateRevision: "web-v1",
	}
	for _, test := range []struct {
		name   string
		change func(*model.Status)
		writes bool
	}{
		{"nothing", func(*model.Status) {}, false},
		{"an older generation", func(s *model.Status) { s.ObservedGeneration = 0 }, true},
		{"a newer generation", func(s *model.Status) { s.ObservedGeneration = 2 }, false},
		{"replicas", func(s *model.Status) { s.Replicas = 2 }, true},
		{"ready", func(s *model.Status) { s.Ready = 2 }, true},
		{"available", func(s *model.Status) { s.Available = 2 }, true},
		{"current", func(s *model.Status) { s.Current = 2 }, true},
		{"updated", func(s *model.Status) { s.Updated = 2 }, true},
		{"current revision", func(s *model.Status) { s.CurrentRevision = "web-v0" }, true},
		{"update revision", func(s *model.Status) { s.UpdateRevision = "web-v0" }, true},
		{"the collision count is not compared", func(s *model.Status) { s.CollisionCount = 3 }, false},
		{"nor are conditions", func(s *model.Status) { s.Conditions = []model.Condition{{Type: "X"}} }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			status := func(set *model.StatefulSet) {
				set.Status = settled
				test.change(&set.Status)
			}
			o := syncTest{pods: threeReady, set: []func(*model.StatefulSet){status}}.sync(t)
			assert.Equal(t, test.writes, len(o.server.Calls) == 1)
		})
	}
}

func TestTheWriteReplacesConditionsUpTo136(t *testing.T) {
	withCondition := func(set *model.StatefulSet) { set.Status.Conditions = []model.Condition{{Type: "X"}} }
	test := syncTest{pods: threeReady, set: []func(*model.StatefulSet){withCondition}}
	assert.Empty(t, test.sync(t).server.Calls[0].Set.Status.Conditions)
	test.version = "1.37"
	assert.Equal(t, []model.Condition{{Type: "X"}}, test.sync(t).server.Calls[0].Set.Status.Conditions)
}

func TestTheStatusIsWrittenAgainAfterAConflict(t *testing.T) {
	for _, test := range []struct {
		reason model.ErrorReason
		writes int
	}{{model.Conflict, 5}, {model.Timeout, 1}} {
		o := syncTest{
			pods: threeReady, refuse: map[string]model.ErrorReason{"update status of web": test.reason},
			err: test.reason.String(),
		}.sync(t)
		assert.Len(t, o.server.Calls, test.writes, test.reason)
	}
}

func TestAStatusAfterAnError(t *testing.T) {
	test := syncTest{refuse: map[string]model.ErrorReason{"create web-1": model.Timeout}, pods: "0@v1:ready",
		err: "Timeout"}
	const none, written = "create web-1 @v1: Timeout", "replicas=1 ready=1 available=1 current=1 updated=1"
	for _, want := range [][2]string{{"1.22", none}, {"1.24.9", none}, {"1.24.10", written}, {"1.36", written}} {
		test.version = want[0]
		assert.Equal(t, want[1], test.sync(t).status(), want[0])
	}
}

func TestRequeue(t *testing.T) {
	five := []func(*model.StatefulSet){minReadySeconds(5)}
	for _, test := range []struct {
		syncTest
		after     time.Duration
		fromStart bool
	}{
		{syncTest{name: "when the next pod becomes available", set: five, pods: "0@v1:fresh"}, 4 * time.Second, true},
		{syncTest{name: "not while none is on its way", set: five, pods: "0@v1:ready 1@v1:running"}, 0, false},
		{syncTest{name: "not without minReadySeconds", pods: "0@v1:running"}, 0, false},
		{syncTest{name: "in 1.35.0 while not all are available", version: "1.35.0", set: five,
			pods: "0@v1:ready 1@v1:running"},
			5 * time.Second, false},
		{syncTest{name: "but not when they are", version: "1.35.0", set: five, pods: threeReady}, 0, false},
		{syncTest{name: "not in 1.22 without the gate", version: "1.22", set: five, pods: "0@v1:running"}, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := test.sync(t).result
			assert.Equal(t, test.after, result.After)
			assert.Equal(t, test.after > 0, result.Requeue)
			assert.Equal(t, test.fromStart, result.FromStart)
		})
	}
	failed := syncTest{set: five, pods: "0@v1:fresh", err: "Timeout",
		refuse: map[string]model.ErrorReason{"update status of web": model.Timeout}}
	assert.False(t, failed.sync(t).result.Requeue, "an error is retried, and no more")
}

func TestTheStaleGuard(t *testing.T) {
	view := viewOf(newSet())
	view.StaleCache = true
	o := syncTest{err: "have not seen"}.syncView(t, view)
	assert.Empty(t, o.server.Log)
	assert.Equal(t, []string{"StaleCache"}, o.waits())

	o = syncTest{version: "1.35"}.syncView(t, view)
	assert.Equal(t, "create web-0 @v1", o.server.Log[0], "versions without the guard go by what they see")
}

var _ model.View = (*statefulsettest.View)(nil)
