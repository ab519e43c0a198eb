package eventqueue_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/eventqueue"
)

// late is an actor whose events only NextLate returns.
const late = eventqueue.Actor(3)

// TestPending schedules, cancels and takes events in any order: what is to come is listed by time and by age, Due says
// what Next will do, and the events of a late actor wait for NextLate. The answer of the chooser picks among the actors
// by the age of their first events, whoever they are.
func TestPending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q eventqueue.Queue[int]
		q.Late(late)
		var known []*eventqueue.Entry[int]
		// first returns the oldest event that is due of each actor that may be next, the oldest of them first.
		first := func(isLate bool) (heads []*eventqueue.Entry[int]) {
			seen := map[eventqueue.Actor]bool{}
			for _, e := range known {
				if e.At == q.Now() && (e.Actor == late) == isLate && !seen[e.Actor] {
					heads, seen[e.Actor] = append(heads, e), true
				}
			}
			return heads
		}
		take := func(t *rapid.T, isLate bool) {
			heads, asked, pick := first(isLate), 0, 0
			chooser := choose.Func(func(kind choose.Kind, n int) int {
				require.Equal(t, choose.Tie, kind)
				asked, pick = n, rapid.IntRange(0, n-1).Draw(t, "pick")
				return pick
			})
			next := q.Next
			if isLate {
				next = q.NextLate
			}
			got := next(chooser)
			if len(heads) == 0 {
				require.Nil(t, got)
				return
			}
			if len(heads) > 1 {
				require.Equal(t, len(heads), asked)
			} else {
				require.Zero(t, asked, "there is nothing to choose")
			}
			require.Same(t, heads[pick], got)
			require.False(t, heads[pick].Pending())
			known = slices.DeleteFunc(known, func(e *eventqueue.Entry[int]) bool { return e == heads[pick] })
		}
		t.Repeat(map[string]func(*rapid.T){
			"schedule": func(t *rapid.T) {
				at := q.Now() + model.Time(rapid.IntRange(0, 3).Draw(t, "delay"))
				actor := eventqueue.Actor(rapid.SampledFrom([]int{0, 1, 2, 3, eventqueue.MaxActors - 1}).Draw(t, "actor"))
				known = append(known, q.Schedule(at, actor, false, len(known)))
			},
			"cancel": func(t *rapid.T) {
				if len(known) == 0 {
					t.Skip("empty")
				}
				i := rapid.IntRange(0, len(known)-1).Draw(t, "i")
				q.Cancel(known[i])
				known = slices.Delete(known, i, i+1)
			},
			"next":      func(t *rapid.T) { take(t, false) },
			"next late": func(t *rapid.T) { take(t, true) },
			"advance": func(*rapid.T) {
				if at, any := q.Peek(); any {
					q.Advance(at)
				}
			},
			"": func(t *rapid.T) {
				require.True(t, slices.Equal(known, q.Scheduled()), "in the order in which they were scheduled")
				inOrder := slices.Clone(known)
				slices.SortStableFunc(inOrder, func(a, b *eventqueue.Entry[int]) int { return cmp.Compare(a.At, b.At) })
				require.True(t, slices.Equal(inOrder, q.All()), "in the order of time")
				require.Equal(t, len(first(false)) > 0, q.Due())
				at, any := q.Peek()
				require.Equal(t, len(known) > 0, any)
				if any {
					require.Equal(t, inOrder[0].At, at)
				}
			},
		})
	})
}
