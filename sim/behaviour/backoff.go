package behaviour

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// BackOff says how a kubelet lengthens the waits between attempts at something that fails.
type BackOff struct {
	// Initial is the first wait; each one is twice the one before, up to Max.
	Initial, Max time.Duration
	// Forget is how long a container must run to count as healthy. Then waits start from the shortest.
	Forget time.Duration
}

// The kubelet's own back-offs: containerBackOffPeriod and MaxContainerBackOff, imageBackOffPeriod and MaxImageBackOff.
// The waits of a container that has run for more than ten minutes start again from the shortest (HasExpiredFunc of the
// crash loop's back-off, KEP-4603).
var (
	CrashLoopBackOff = BackOff{Initial: 10 * time.Second, Max: 300 * time.Second, Forget: 10 * time.Minute}
	ImageBackOff     = BackOff{Initial: 10 * time.Second, Max: 300 * time.Second}
)

// Capped returns the back-off with a longest wait of the node's own (crashLoopBackOff.maxContainerRestartPeriod,
// KEP-5593). A maximum below the first wait is the first wait too.
func (b BackOff) Capped(longest time.Duration) BackOff {
	b.Max = longest
	b.Initial = min(b.Initial, longest)
	return b
}

// Restarts is what a kubelet remembers of a container that ends again and again. The zero value has never ended.
type Restarts struct {
	// next is the wait after the next end, 0 for none; restarted is when the container was started last.
	next      time.Duration
	restarted model.Time
	// wait and before are the last two waits, rounds says how many there have been.
	wait, before time.Duration
	rounds       int
}

// Ended notes that the container has ended and returns how long it waits for its restart, at first not at all.
func (r *Restarts) Ended(b BackOff, now model.Time) time.Duration {
	if now.Sub(r.restarted) > b.Forget {
		r.next = 0
	}
	r.rounds++
	r.before, r.wait = r.wait, r.next
	r.next = b.after(r.next)
	return r.wait
}

// Unpunished notes that the container has ended and is started again without a wait of its back-off.
func (r *Restarts) Unpunished() {
	r.rounds++
	r.before, r.wait = r.wait, 0
}

// Restarted notes that the container runs again.
func (r *Restarts) Restarted(now model.Time) { r.restarted = now }

// Steady says whether each round is like the last: the waits do not grow any more.
func (r *Restarts) Steady() bool { return r.rounds > 1 && r.wait == r.before }

// Unsettle says that the next rounds may be others than the last ones.
func (r *Restarts) Unsettle() { r.rounds = 0 }

// after returns the wait after one of that length; 0 stands for none yet.
func (b BackOff) after(wait time.Duration) time.Duration {
	if wait == 0 {
		return b.Initial
	}
	return min(2*wait, b.Max)
}

// Attempts is what a kubelet remembers of an image that cannot be pulled.
type Attempts struct {
	// Failed is the number of attempts so far.
	Failed int
	wait   time.Duration
}

// Fail notes a failed attempt and returns how long the next one waits.
func (a *Attempts) Fail(b BackOff) time.Duration {
	a.Failed++
	a.wait = b.after(a.wait)
	return a.wait
}
