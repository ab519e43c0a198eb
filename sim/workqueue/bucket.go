package workqueue

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Bucket is a token bucket, as client-go's limiters are built on: one token comes back each interval, and a number of
// them may be there at the same time. Who takes a token that is not there yet waits for it; all is reckoned in whole
// nanoseconds.
type Bucket struct {
	interval time.Duration
	burst    int
	// full is the instant at which all tokens will be back.
	full model.Time `print:"left"`
}

// NewBucket returns a full bucket.
func NewBucket(interval time.Duration, burst int) *Bucket {
	return &Bucket{interval: interval, burst: max(burst, 1)}
}

// Take takes a token and returns how long it takes until it is there.
func (b *Bucket) Take(now model.Time) time.Duration {
	b.full = max(b.full, now).Add(b.interval)
	return max(0, b.full.Sub(now)-time.Duration(b.burst)*b.interval)
}
