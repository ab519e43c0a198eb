package workqueue

import (
	"maps"
	"slices"
)

// Copy returns a queue that holds the same, the back-offs included. Each may be changed without the other.
func (q *Queue) Copy() Queue {
	return Queue{
		keys: slices.Clone(q.keys), waiting: maps.Clone(q.waiting), failures: maps.Clone(q.failures),
		bucket: q.bucket.Copy(), busy: slices.Clone(q.busy), again: slices.Clone(q.again),
	}
}

// Copy returns a bucket with as many tokens, nil for nil.
func (b *Bucket) Copy() *Bucket {
	if b == nil {
		return nil
	}
	c := *b
	return &c
}
