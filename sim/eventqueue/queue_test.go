package eventqueue_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/eventqueue"
)

// TestAgainstSortedSlice drives the heap and a plain sorted slice through the same schedule, cancel and next calls and
// wants the same events in the same order from both.
func TestAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q eventqueue.Queue[int]
		var plain []*eventqueue.Entry[int]
		id := 0
		next := func(t *rapid.T) {
			at, ok := q.Peek()
			require.Equal(t, len(plain) > 0, ok)
			if !ok {
				t.Skip("empty")
			}
			q.Advance(at)
			want := plain[0]
			plain = plain[1:]
			got := q.Next(choose.Dull)
			require.Same(t, want, got)
			require.Equal(t, want.At, q.Now())
			require.False(t, got.Pending())
		}
		t.Repeat(map[string]func(*rapid.T){
			"schedule": func(t *rapid.T) {
				at := q.Now() + model.Time(rapid.IntRange(0, 5).Draw(t, "delay"))
				actor := eventqueue.Actor(rapid.IntRange(0, 3).Draw(t, "actor"))
				e := q.Schedule(at, actor, rapid.Bool().Draw(t, "background"), id)
				id++
				i, _ := slices.BinarySearchFunc(plain, at, func(e *eventqueue.Entry[int], at model.Time) int {
					if e.At <= at {
						return -1
					}
					return 1
				})
				plain = slices.Insert(plain, i, e)
			},
			"cancel": func(t *rapid.T) {
				if len(plain) == 0 {
					t.Skip("empty")
				}
				i := rapid.IntRange(0, len(plain)-1).Draw(t, "i")
				q.Cancel(plain[i])
				q.Cancel(plain[i])
				plain = slices.Delete(plain, i, i+1)
			},
			"next": next,
			"": func(t *rapid.T) {
				live := 0
				for _, e := range plain {
					require.True(t, e.Pending())
					if !e.Background {
						live++
					}
				}
				require.Equal(t, live, q.Live())
			},
		})
	})
}

func TestTieBetweenActorsIsAChoice(t *testing.T) {
	var q eventqueue.Queue[string]
	q.Schedule(5, 1, false, "kubelet 1")
	q.Schedule(5, 2, false, "scheduler 1")
	q.Schedule(5, 1, false, "kubelet 2")
	q.Advance(5)
	var asked []int
	second := choose.Func(func(kind choose.Kind, n int) int {
		require.Equal(t, choose.Tie, kind)
		asked = append(asked, n)
		return n - 1
	})
	var got []string
	for e := q.Next(second); e != nil; e = q.Next(second) {
		got = append(got, e.Payload)
	}
	require.Equal(t, []string{"scheduler 1", "kubelet 1", "kubelet 2"}, got)
	require.Equal(t, []int{2}, asked, "with one actor left there is nothing to choose")
}

func TestTheClockNeverGoesBackOrPassesAnEvent(t *testing.T) {
	var q eventqueue.Queue[int]
	q.Schedule(5, 0, false, 0)
	require.Panics(t, func() { q.Advance(6) })
	q.Advance(5)
	require.Panics(t, func() { q.Schedule(4, 0, false, 0) })
	require.Panics(t, func() { q.Advance(4) })
}

// TestACancelledEventLeavesTheOthersInOrder cancels each one of some events, of which the last takes its place: it may
// have to go down in the heap, or up.
func TestACancelledEventLeavesTheOthersInOrder(t *testing.T) {
	times := []model.Time{1, 10, 2, 20, 21, 3, 4, 22, 23, 24, 25, 30, 31, 32, 5}
	for cancelled := range times {
		var q eventqueue.Queue[model.Time]
		var entries []*eventqueue.Entry[model.Time]
		for _, at := range times {
			entries = append(entries, q.Schedule(at, 1, false, at))
		}
		q.Cancel(entries[cancelled])
		want := slices.Delete(slices.Clone(times), cancelled, cancelled+1)
		slices.Sort(want)
		var got []model.Time
		for at, any := q.Peek(); any; at, any = q.Peek() {
			q.Advance(at)
			got = append(got, q.Next(choose.Dull).Payload)
		}
		require.Equal(t, want, got, "without %d", times[cancelled])
	}
}
