// Package workqueue is the controller's work queue: each key is in it at most once, the oldest is served first, and a key
// whose sync fails is retried with a growing delay.
package workqueue

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// The delays of the retries of one key: 5 ms, doubled with each failure in a row, at most 1,000 s (client-go's
// exponential limiter).
const (
	firstDelay = 5 * time.Millisecond
	maxDelay   = 1000 * time.Second
)

// Queue holds the keys that wait for a sync. The zero value is an empty queue.
type Queue struct {
	keys     []model.Key
	waiting  map[model.Key]bool
	failures map[model.Key]int
}

// Add puts a key at the end, unless it is waiting already.
func (q *Queue) Add(key model.Key) {
	if q.waiting[key] {
		return
	}
	if q.waiting == nil {
		q.waiting = map[model.Key]bool{}
	}
	q.waiting[key] = true
	q.keys = append(q.keys, key)
}

// Len returns the number of keys that wait.
func (q *Queue) Len() int { return len(q.keys) }

// Get takes the oldest key off the queue. The queue must not be empty.
func (q *Queue) Get() model.Key {
	key := q.keys[0]
	q.keys = append(q.keys[:0], q.keys[1:]...)
	delete(q.waiting, key)
	return key
}

// Fail notes that a key's sync has failed and returns the delay until its retry.
func (q *Queue) Fail(key model.Key) time.Duration {
	if q.failures == nil {
		q.failures = map[model.Key]int{}
	}
	n := q.failures[key]
	q.failures[key]++
	if n > 30 {
		return maxDelay
	}
	return min(firstDelay<<n, maxDelay)
}

// Forget notes that a key's sync has succeeded: its next failure begins with the shortest delay again.
func (q *Queue) Forget(key model.Key) { delete(q.failures, key) }
