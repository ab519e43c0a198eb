package versus

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// drawRun draws a run of at most so many events, with few different ones at few instants, so that two runs often have
// something in common.
func drawRun(t *rapid.T, most int) []timeline.Event {
	var run []timeline.Event
	at, steps := 0, 0
	for range rapid.IntRange(0, most).Draw(t, "events") {
		at += rapid.SampledFrom([]int{0, 0, 1}).Draw(t, "later")
		name := rapid.SampledFrom([]string{"web-0", "web-1"}).Draw(t, "pod")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			run = append(run, pod(at, name, 1, timeline.Pending))
		case 1:
			run = append(run, says(at, model.Status{Ready: int32(rapid.IntRange(0, 1).Draw(t, "ready")), UpdateRevision: name}))
		case 2:
			run = append(run, revision(at, model.Added, name))
		case 3:
			steps++
			refusal := rapid.SampledFrom([]string{"", "no"}).Draw(t, "refusal")
			run = append(run, timeline.Entry{
				T: seconds(at), Kind: timeline.KindStep, Step: &timeline.Step{Number: steps, Refusal: refusal},
			}.Event())
		}
	}
	return run
}

// drawChanged draws a run that is not the same as another one in a few statuses, and ends earlier.
func drawChanged(t *rapid.T, run []timeline.Event) []timeline.Event {
	changed := slices.Clone(run[:rapid.IntRange(1, len(run)).Draw(t, "length")])
	for range rapid.IntRange(0, 2).Draw(t, "changes") {
		at := rapid.IntRange(0, len(changed)-1).Draw(t, "at")
		if e := &changed[at]; e.Kind == timeline.KindStatus {
			*e = says(int(e.T/seconds(1)), model.Status{Ready: 2})
		}
	}
	return changed
}

// TestCommon: what two runs begin with alike is passed over, and what comes late is often not looked at. Where they
// diverge is the same as without that.
func TestCommon(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		head := drawRun(rt, 12)
		var runs [2][]timeline.Event
		both := drawRun(rt, 3*near)
		for i := range runs {
			tail := drawRun(rt, 12)
			if len(both) > 0 {
				tail = drawChanged(rt, both)
			}
			runs[i] = append(head[:len(head):len(head)], tail...)
			for j := len(head); j < len(runs[i]) && len(head) > 0; j++ {
				runs[i][j].T += head[len(head)-1].T
			}
		}
		n := common(runs[0], runs[1])
		require.LessOrEqual(rt, n, min(len(runs[0]), len(runs[1])))
		found := Find(runs[0], runs[1])
		for level := Pods; level <= Words; level++ {
			whole := part(Moments(runs[0]), Moments(runs[1]), level)
			if whole == nil {
				continue
			}
			whole.fill(runs[0], runs[1])
			require.Equal(rt, whole, found)
			return
		}
		require.Nil(rt, found)
	})
	same := []timeline.Event{pod(1, "web-0", 1, timeline.Pending), pod(5, "web-0", 1, timeline.Ready)}
	require.Equal(t, 1, common(same, same), "all but the last moment")
}

// TestCommonStatuses: two runs have nothing in common from the first status on that differs, in whichever field.
func TestCommonStatuses(t *testing.T) {
	run := func(status *model.Status) []timeline.Event {
		told := timeline.Entry{T: seconds(2), Kind: timeline.KindStatus, Set: web, Status: status}.Event()
		return []timeline.Event{pod(1, "web-0", 1, timeline.Pending), told, pod(3, "web-0", 1, timeline.Ready), pod(4, "web-1", 1, timeline.Ready)}
	}
	plain := run(&model.Status{})
	require.Equal(t, 3, common(plain, run(&model.Status{})))
	require.Equal(t, 3, common(run(nil), run(nil)))
	for name, other := range map[string]*model.Status{
		"replicas": {Replicas: 1}, "ready": {Ready: 1}, "available": {Available: 1}, "current": {Current: 1}, "updated": {Updated: 1},
		"the current revision": {CurrentRevision: "a"}, "the update revision": {UpdateRevision: "a"}, "none": nil,
	} {
		require.Equal(t, 0, common(plain, run(other)), name)
		require.Equal(t, 0, common(run(other), plain), name)
	}
}

// TestCommonEvents: of each kind of event that is compared, the same one is common, and another one is not.
func TestCommonEvents(t *testing.T) {
	elsewhere := revision(2, model.Added, "a")
	elsewhere.Set = model.Key{Namespace: "other", Name: "web"}
	for _, c := range []struct {
		name string
		same timeline.Event
		not  []timeline.Event
	}{
		{"a step", step(2, 1, timeline.Configured, ""), []timeline.Event{
			step(2, 2, timeline.Configured, ""), step(2, 1, timeline.None, ""), step(2, 1, timeline.Configured, "no")}},
		{"a revision", revision(2, model.Added, "a"), []timeline.Event{revision(2, model.Added, "b"), elsewhere}},
		{"a result", result(2, timeline.Settled), []timeline.Event{result(2, timeline.IsStuck)}},
	} {
		run := func(e timeline.Event) []timeline.Event {
			return []timeline.Event{pod(1, "web-0", 1, timeline.Pending), e, pod(3, "web-0", 1, timeline.Ready)}
		}
		require.Equal(t, 2, common(run(c.same), run(c.same)), c.name)
		for _, other := range c.not {
			require.Equal(t, 0, common(run(c.same), run(other)), c.name)
		}
	}
}
