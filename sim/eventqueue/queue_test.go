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
			entry, want := plain[0], *plain[0].Item
			plain = plain[1:]
			got := q.Next(choose.Dull)
			require.Equal(t, want.Payload, got.Payload)
			require.Equal(t, want.At, q.Now())
			require.False(t, entry.Pending())
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
