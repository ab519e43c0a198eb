package workqueue

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
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

// Printer is the writer that a queue prints itself to. Package kernel implements it.
type Printer interface {
	Int(int)
	Key(model.Key)
	Keys([]model.Key)
	Left(model.Time)
}

// Print prints which keys wait, which are being worked on, and how often each has failed in a row: all that decides
// in which order and how late syncs come.
func (q *Queue) Print(p Printer) {
	p.Keys(q.keys)
	p.Keys(q.busy)
	p.Keys(q.again)
	p.Int(len(q.failures))
	if len(q.failures) > 0 {
		for _, key := range slices.SortedFunc(maps.Keys(q.failures), model.Key.Compare) {
			p.Key(key)
			p.Int(q.failures[key])
		}
	}
	q.bucket.Print(p)
}

// Print prints how long it takes until all tokens are back. A bucket that is nil is a full one.
func (b *Bucket) Print(p Printer) {
	if b == nil {
		p.Left(0)
		return
	}
	p.Left(b.full)
}
