// Package workqueue is the controller's work queue: each key is in it at most once, the oldest is served first, a key
// that is being worked on waits until that is done, and one whose sync fails is retried with a growing delay.
package workqueue

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// The delays of the retries of one key: 5 ms, doubled with each failure in a row, at most 1,000 s (client-go's
// exponential limiter).
const (
	firstDelay = 5 * time.Millisecond
	maxDelay   = 1000 * time.Second
)

// The bucket that all retries of a controller share: ten a second, a hundred at once (client-go's default limiter).
const (
	retryInterval = 100 * time.Millisecond
	retryBurst    = 100
)

// few is the number of keys up to which they are searched one by one.
const few = 8

// Queue holds the keys that wait for a sync. The zero value is an empty queue. Add and Fail cost the same for any
// length; Get moves the keys behind the first one up.
type Queue struct {
	// keys wait, the oldest first, each once.
	keys []model.Key
	// waiting is nil while there are few keys; else it has exactly the keys of keys.
	waiting map[model.Key]bool `print:"-"`
	// failures counts the failures in a row of each key; a key without any is not in it.
	failures map[model.Key]int
	// bucket is nil until the first failure.
	bucket *Bucket
	// busy are the keys that are being worked on, each once: no key is in busy and in keys. again are the keys of busy
	// that have been added since, in that order.
	busy, again []model.Key
}

// Add puts a key at the end, unless it is waiting already. One that is being worked on is put there when that is done.
func (q *Queue) Add(key model.Key) {
	if q.has(key) {
		return
	}
	if slices.Contains(q.busy, key) {
		if !slices.Contains(q.again, key) {
			q.again = append(q.again, key)
		}
		return
	}
	q.keys = append(q.keys, key)
	if q.waiting == nil && len(q.keys) > few {
		q.waiting = map[model.Key]bool{}
		for _, k := range q.keys {
			q.waiting[k] = true
		}
	}
	if q.waiting != nil {
		q.waiting[key] = true
	}
}

// has says whether a key waits.
func (q *Queue) has(key model.Key) bool {
	if q.waiting != nil {
		return q.waiting[key]
	}
	for i := range q.keys {
		if q.keys[i] == key {
			return true
		}
	}
	return false
}

// Len returns the number of keys that wait and that could be worked on now.
func (q *Queue) Len() int { return len(q.keys) }

// Any says whether a key waits for which this is true.
func (q *Queue) Any(is func(model.Key) bool) bool { return slices.ContainsFunc(q.keys, is) }

// Busy returns the number of keys that are being worked on.
func (q *Queue) Busy() int { return len(q.busy) }

// Get takes the oldest key off the queue, to be worked on until Done. The queue must not be empty.
func (q *Queue) Get() model.Key { return q.Take(0) }

// Take is Get for the i-th key by age, from 0. There must be so many.
func (q *Queue) Take(i int) model.Key {
	key := q.keys[i]
	if len(q.keys) == 1 {
		q.keys = q.keys[:0]
	} else {
		q.keys = append(q.keys[:i], q.keys[i+1:]...)
	}
	if q.waiting != nil {
		if delete(q.waiting, key); len(q.keys) == 0 {
			q.waiting = nil
		}
	}
	q.busy = append(q.busy, key)
	return key
}

// Done says that the work on a key, which Get has returned, has ended. A key that was added meanwhile waits again.
func (q *Queue) Done(key model.Key) {
	if len(q.busy) == 1 && q.busy[0] == key {
		q.busy = q.busy[:0]
	} else if at := slices.Index(q.busy, key); at >= 0 {
		q.busy = slices.Delete(q.busy, at, at+1)
	}
	if len(q.again) == 0 {
		return
	}
	if at := slices.Index(q.again, key); at >= 0 {
		q.again = slices.Delete(q.again, at, at+1)
		q.Add(key)
	}
}

// Fail notes that a key's sync has failed and returns the delay until its retry: the key's own, which doubles with each
// failure in a row, or that of the bucket for all keys, whichever is longer. It does not add the key: the caller does,
// after the delay. now must not go back from one call to the next.
func (q *Queue) Fail(key model.Key, now model.Time) time.Duration {
	if q.failures == nil {
		q.failures, q.bucket = map[model.Key]int{}, NewBucket(retryInterval, retryBurst)
	}
	n := q.failures[key]
	q.failures[key]++
	own := maxDelay
	if n <= 30 {
		own = min(firstDelay<<n, maxDelay)
	}
	return max(own, q.bucket.Take(now))
}

// Forget notes that a key's sync has succeeded: its next failure begins with the shortest delay again.
func (q *Queue) Forget(key model.Key) {
	if q.failures != nil {
		delete(q.failures, key)
	}
}
