package workqueue

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

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
