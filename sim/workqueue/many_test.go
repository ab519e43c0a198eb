package workqueue_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// TestManyKeysAgainstLists does the same to a queue and to three plain lists, with more keys than are searched one by
// one. Its copy is like it, and is not changed with it.
func TestManyKeysAgainstLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q, copied workqueue.Queue
		var keys, busy, again, before []model.Key
		key := func(t *rapid.T) model.Key {
			return model.Key{Namespace: "default", Name: fmt.Sprint("set-", rapid.IntRange(0, 15).Draw(t, "set"))}
		}
		add := func(k model.Key) {
			switch {
			case slices.Contains(keys, k):
			case slices.Contains(busy, k):
				if !slices.Contains(again, k) {
					again = append(again, k)
				}
			default:
				keys = append(keys, k)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for range 4 {
					k := key(t)
					q.Add(k)
					add(k)
				}
			},
			"take": func(t *rapid.T) {
				if len(keys) == 0 {
					t.Skip("empty")
				}
				i := rapid.IntRange(0, len(keys)-1).Draw(t, "i")
				require.Equal(t, keys[i], q.Take(i))
				busy = append(busy, keys[i])
				keys = slices.Delete(keys, i, i+1)
			},
			"done": func(t *rapid.T) {
				k := key(t)
				q.Done(k)
				busy = slices.DeleteFunc(busy, func(other model.Key) bool { return other == k })
				if at := slices.Index(again, k); at >= 0 {
					again = slices.Delete(again, at, at+1)
					add(k)
				}
			},
			"copy": func(*rapid.T) { copied, before = q.Copy(), slices.Clone(keys) },
			"": func(t *rapid.T) {
				require.Equal(t, len(keys), q.Len())
				require.Equal(t, len(busy), q.Busy())
				for _, k := range keys {
					require.True(t, q.Any(func(other model.Key) bool { return other == k }))
				}
				require.False(t, q.Any(func(k model.Key) bool { return !slices.Contains(keys, k) }))
			},
		})
		for _, k := range before {
			require.Equal(t, k, copied.Get())
		}
		require.Zero(t, copied.Len())
	})
}

// written is what a queue prints.
type written []string

func (w *written) Int(n int)               { *w = append(*w, fmt.Sprint(n)) }
func (w *written) Key(k model.Key)         { *w = append(*w, k.Name) }
func (w *written) Keys(keys []model.Key)   { *w = append(*w, fmt.Sprint(keys)) }
func (w *written) Left(instant model.Time) { *w = append(*w, instant.Clock()) }

// TestQueuesAreToldApart prints queues that differ in one thing.
func TestQueuesAreToldApart(t *testing.T) {
	a, b := model.Key{Name: "a"}, model.Key{Name: "b"}
	seen := map[string]int{}
	for i, build := range []func(*workqueue.Queue){
		func(*workqueue.Queue) {},
		func(q *workqueue.Queue) { q.Add(a) },
		func(q *workqueue.Queue) { q.Add(b) },
		func(q *workqueue.Queue) { q.Add(a); q.Add(b) },
		func(q *workqueue.Queue) { q.Add(b); q.Add(a) },
		func(q *workqueue.Queue) { q.Add(a); q.Get() },
		func(q *workqueue.Queue) { q.Add(a); q.Get(); q.Add(a) },
		func(q *workqueue.Queue) { q.Fail(a, 0) },
		func(q *workqueue.Queue) { q.Fail(b, 0) },
		func(q *workqueue.Queue) { q.Fail(a, 0); q.Fail(a, 0) },
		func(q *workqueue.Queue) { q.Fail(a, 0); q.Fail(b, 0) },
		func(q *workqueue.Queue) { q.Fail(a, 0); q.Fail(b, 0); q.Fail(b, 0) },
		func(q *workqueue.Queue) { q.Fail(a, 0); q.Fail(b, 0); q.Fail(a, 0) },
		func(q *workqueue.Queue) { q.Fail(a, 0); q.Forget(a) },
	} {
		var q workqueue.Queue
		var text written
		build(&q)
		q.Print(&text)
		other, known := seen[fmt.Sprint(text)]
		require.False(t, known, "queue %d is like %d: %v", i, other, text)
		seen[fmt.Sprint(text)] = i
	}
}
