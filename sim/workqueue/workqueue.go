// Package workqueue is the controller's work queue, with the rules of client-go's rate-limiting queue: each key is in
// it at most once, the oldest is served first, a key that is being worked on waits until that is done, and one whose
// sync fails is retried with a growing delay. It has no clock: the caller passes the instant and keeps the timers.
package workqueue

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// firstDelay is the delay of the first retry of a key. It is doubled with each failure in a row, up to maxDelay
// (client-go's exponential limiter: 5 ms, 1,000 s).
const (
	firstDelay = 5 * time.Millisecond
	maxDelay   = 1000 * time.Second
)

// These describe the bucket that all retries of a controller share: ten a second, a hundred at once (client-go's
// default limiter).
const (
	retryInterval = 100 * time.Millisecond
	retryBurst    = 100
)

// few is the number of keys up to which a search looks at one after the other.
const few = 8

// Queue holds the keys that wait for a sync. The zero value is an empty queue. Add and Fail cost the same for any
// length; Take moves the keys behind the one taken up. A key is in keys, or in busy, or in none of them, and never in
// two.
type Queue struct {
	// keys wait, the oldest first, each once.
	keys []model.Key
	// waiting is nil while there are few keys; else it has exactly the keys of keys.
	waiting map[model.Key]bool `print:"-"`
	// failures counts the failures in a row of each key; a key without any is not in it. It is nil until the first
	// failure.
	failures map[model.Key]int
	// bucket is nil until the first failure.
	bucket *Bucket
	// busy are the keys that are being worked on, each once, in the order in which they were taken. again are the keys
	// of busy that have been added since, in the order of the additions.
	busy, again []model.Key
}

// Add puts a key at the end, unless it is waiting already: several additions are one sync. One that is being worked
// on is put there when that is done (client-go: dirty and processing).
func (q *Queue) Add(key model.Key) {
	if q.has(key) {
		return
	}
	if among(q.busy, key) {
		if !among(q.again, key) {
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
	return among(q.keys, key)
}

// among says whether a key is in a list, which is mostly the very same text.
func among(keys []model.Key, key model.Key) bool {
	for i := range keys {
		if k := &keys[i]; k.Shares(key) || *k == key {
			return true
		}
	}
	return false
}

// Len returns the number of keys that wait and that nobody is working on.
func (q *Queue) Len() int { return len(q.keys) }

// Any says whether is returns true for a key that waits. Keys in again are not asked.
func (q *Queue) Any(is func(model.Key) bool) bool { return slices.ContainsFunc(q.keys, is) }

// Busy returns the number of keys that are being worked on.
func (q *Queue) Busy() int { return len(q.busy) }

// Get takes the oldest key off the queue, to be worked on until Done. The queue must not be empty.
func (q *Queue) Get() model.Key { return q.Take(0) }

// long is the length from which on the first key is cut off a queue, and the others are not moved: thousands of sets
// may wait at once.
const long = 64

// Take is Get for the i-th key by age, from 0. There must be that many. It exists for searches that try other orders.
func (q *Queue) Take(i int) model.Key {
	key := q.keys[i]
	switch {
	case len(q.keys) == 1:
		q.keys = q.keys[:0]
	case i == 0 && len(q.keys) > long:
		q.keys = q.keys[1:]
	default:
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

// Done says that the work on a key, which Get or Take has returned, has ended. A key that was added meanwhile waits
// again, behind all others. A key that is not busy is ignored.
func (q *Queue) Done(key model.Key) {
	if len(q.busy) == 1 && among(q.busy, key) {
		q.busy = q.busy[:0]
	} else if at := slices.Index(q.busy, key); at >= 0 {
		q.busy = slices.Delete(q.busy, at, at+1)
	}
	switch {
	case len(q.again) == 0:
		return
	case len(q.again) == 1 && among(q.again, key):
		q.again = q.again[:0]
		q.Add(key)
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

// Forget notes that a key's sync has succeeded: its next failure begins with the shortest delay again. It gives no
// token of the bucket back.
func (q *Queue) Forget(key model.Key) {
	if q.failures != nil {
		delete(q.failures, key)
	}
}

// Bucket is a token bucket, as client-go's limiters are built on: one token comes back each interval, and up to burst
// of them may be there at the same time. Whoever takes a token that is not there yet waits for it. All times are
// whole nanoseconds, so nothing is rounded.
type Bucket struct {
	// interval is the time for one token, burst the greatest number of tokens, at least 1.
	interval time.Duration
	burst    int
	// full is the instant at which all tokens will be back; in the past if they are. It is all that has to be remembered.
	full model.Time `print:"left"`
}

// NewBucket returns a full bucket.
func NewBucket(interval time.Duration, burst int) *Bucket {
	return &Bucket{interval: interval, burst: max(burst, 1)}
}

// Take takes a token and returns how long it takes until it is there, 0 if there is one. A token that is waited for
// is taken at once, so the next caller waits longer. now must not go back from one call to the next.
func (b *Bucket) Take(now model.Time) time.Duration {
	b.full = max(b.full, now).Add(b.interval)
	return max(0, b.full.Sub(now)-time.Duration(b.burst)*b.interval)
}
