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

// TestTakeOnly takes an event only if it is the only one that is due, and it has not happened yet.
func TestTakeOnly(t *testing.T) {
	for _, c := range []struct {
		name  string
		other func(q *eventqueue.Queue[string], only *eventqueue.Entry[string])
		want  bool
	}{
		{"it is alone", func(*eventqueue.Queue[string], *eventqueue.Entry[string]) {}, true},
		{"another one comes later", func(q *eventqueue.Queue[string], _ *eventqueue.Entry[string]) { q.Schedule(9, 1, false, "later") }, true},
		{"another one of its actor is due", func(q *eventqueue.Queue[string], _ *eventqueue.Entry[string]) { q.Schedule(5, 1, false, "too") }, false},
		{"one of another actor is due", func(q *eventqueue.Queue[string], _ *eventqueue.Entry[string]) { q.Schedule(5, 2, false, "too") }, false},
		{"another one was cancelled", func(q *eventqueue.Queue[string], _ *eventqueue.Entry[string]) {
			q.Cancel(q.Schedule(5, 2, false, "never"))
		}, true},
		{"another one of its actor was cancelled", func(q *eventqueue.Queue[string], _ *eventqueue.Entry[string]) {
			q.Cancel(q.Schedule(5, 1, false, "never"))
		}, false},
		{"it was cancelled", func(q *eventqueue.Queue[string], only *eventqueue.Entry[string]) {
			q.Cancel(only)
			q.Schedule(5, 1, false, "instead")
		}, false},
		{"it has happened", func(q *eventqueue.Queue[string], _ *eventqueue.Entry[string]) {
			q.Next(choose.Dull)
			q.Schedule(5, 1, false, "next")
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var q eventqueue.Queue[string]
			only := q.Schedule(5, 1, false, "only")
			q.Advance(5)
			c.other(&q, only)
			require.Equal(t, c.want, q.TakeOnly(only))
			if c.want {
				require.False(t, only.Pending())
				require.False(t, q.Due())
			}
		})
	}
	var q eventqueue.Queue[string]
	later := q.Schedule(5, 1, false, "later")
	q.Schedule(0, 1, false, "now")
	require.False(t, q.TakeOnly(later), "it is not due yet")
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
