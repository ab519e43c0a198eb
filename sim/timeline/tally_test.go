package timeline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// two is the set with two replicas and that uid.
func two(uid model.UID) *model.StatefulSet {
	set := newSet(1)
	set.UID, set.Spec.Replicas = uid, 2
	return set
}

func removed(at time.Duration) timeline.Event {
	return timeline.Entry{T: model.Time(at), Kind: timeline.KindStep, Step: &timeline.Step{Removed: []model.Key{web}}}.Event()
}

// complete is a set whose two pods are Ready at 1s.
func complete() []timeline.Event {
	return []timeline.Event{
		step(0, two(1)), pod(0, "web-0", 1, timeline.Pending), pod(0, "web-1", 2, timeline.Pending),
		pod(1e9, "web-0", 1, timeline.Ready), pod(1e9, "web-1", 2, timeline.Ready),
	}
}

// TestTally: what a state does not tell.
func TestTally(t *testing.T) {
	events := append(complete(),
		pod(2e9, "web-1", 2, timeline.Terminating), pod(3e9, "web-1", 2, timeline.Gone), pod(3e9, "web-1", 3, timeline.Pending),
		pod(4e9, "web-1", 3, timeline.Ready), pod(5e9, "web-0", 1, timeline.Gone),
	)
	set := tallyOf(events)
	require.NotNil(t, set)
	assert.Equal(t, []any{true, model.Time(1e9), 1, model.Time(2e9)},
		[]any{set.Complete, set.CompleteSince, set.Fewest, set.FewestAt}, "the first instant of the fewest")
	assert.Equal(t, []int{3, 1, 2, 1, 1},
		[]int{set.Created(), set.Replaced(), set.Deleted(), set.Serving(), set.Alive()})
	zero, one := set.Pod("web-0"), set.Pod("web-1")
	assert.Equal(t, []any{timeline.Gone, model.Time(5e9), 1, 1}, []any{zero.State, zero.Since, zero.Lives, zero.Deletes},
		"deleted at once")
	assert.Equal(t, []any{timeline.Ready, 2, 1, true, model.Time(1e9)},
		[]any{one.State, one.Lives, one.Deletes, one.WasReady, one.FirstReady})
	assert.Nil(t, set.Pod("web-2"))
	assert.Equal(t, []*timeline.PodTally{zero, one}, set.Pods)
}

// TestTallyOfAFault: what a fault does to a set counts as if a user had done it.
func TestTallyOfAFault(t *testing.T) {
	fault := func(at time.Duration, f timeline.Fault) timeline.Event {
		return timeline.Entry{T: model.Time(at), Kind: timeline.KindFault, Fault: &f}.Event()
	}
	grown := two(1)
	grown.Spec.Replicas = 3
	set := tallyOf(append(complete(), fault(2e9, timeline.Fault{Sets: []*model.StatefulSet{grown}})))
	assert.Equal(t, int32(3), set.Replicas)
	set = tallyOf(append(complete(), fault(2e9, timeline.Fault{Removed: []model.Key{web}})))
	assert.False(t, set.Exists())
	without := timeline.Entry{T: 2e9, Kind: timeline.KindFault}.Event()
	assert.True(t, tallyOf(append(complete(), without)).Exists(), "a fault of which nothing is said")
}

// TestTallyOfADeletedSet: the time between a deletion and the next creation counts, that after a deletion for good does
// not.
func TestTallyOfADeletedSet(t *testing.T) {
	gone := append(complete(), removed(2e9), pod(3e9, "web-0", 1, timeline.Gone), pod(3e9, "web-1", 2, timeline.Gone))
	set := tallyOf(gone)
	assert.Equal(t, []any{false, 2, model.Time(1e9)}, []any{set.Exists(), set.Fewest, set.FewestAt}, "deleted for good")
	assert.Equal(t, int32(2), set.Replicas, "the last that was wanted")

	again := append(gone, step(4e9, two(9)), pod(4e9, "web-0", 8, timeline.Pending), pod(5e9, "web-0", 8, timeline.Ready))
	set = tallyOf(again)
	assert.Equal(t, []any{true, 0, model.Time(3e9)}, []any{set.Exists(), set.Fewest, set.FewestAt}, "and created again")
}

// TestTallyOfASuccessor: a set that is created while the pods of the one before still run has none of them, unless it
// adopts them.
func TestTallyOfASuccessor(t *testing.T) {
	late := pod(3e9, "web-0", 1, timeline.Gone)
	late.Bare = true
	set := tallyOf(append(complete(), removed(2e9), step(2e9, two(9)), late))
	assert.Equal(t, []any{0, 0, 0, model.Time(2e9)}, []any{set.Serving(), set.Alive(), set.Fewest, set.FewestAt})
	assert.True(t, set.Pod("web-0").Gone())
	assert.Equal(t, 1, set.Deleted(), "whoever looks at the name sees its pod go")

	adopted := pod(2e9, "web-0", 1, timeline.Ready)
	adopted.Kind, adopted.Owned = timeline.KindOwner, &timeline.Owned{Change: timeline.Adopted}
	set = tallyOf(append(complete(), removed(2e9), step(2e9, two(9)), adopted))
	assert.Equal(t, []int{1, 1, 1, 2}, []int{set.Serving(), set.Alive(), set.Fewest, set.Created()}, "an adoption creates nothing")
}

// TestTalliesAreTicks: tallies are taken at the fixed points of the fold, of the same states.
func TestTalliesAreTicks(t *testing.T) {
	events := append(complete(), removed(1e9), step(1e9, two(9)))
	var ticks, tallies []int
	for f := range timeline.Ticks(events) {
		ticks = append(ticks, f.Index, int(f.T))
	}
	for a := range timeline.Tallies(events) {
		tallies = append(tallies, a.Fold.Index, int(a.Fold.T))
	}
	assert.Equal(t, ticks, tallies)
	for range timeline.Tallies(events) {
		break
	}
	assert.Empty(t, timeline.TallyOf(nil).Sets())
}

// tallyOf is the tally of the set web at the end of a timeline.
func tallyOf(events []timeline.Event) *timeline.SetTally {
	for _, set := range timeline.TallyOf(events).Sets() {
		if set.Key == web {
			return set
		}
	}
	return nil
}
