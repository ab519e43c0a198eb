// Package pace decides when the world moves on: at the speed of the session's clock, by hand, or when its clients
// are quiet.
package pace

import (
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// LookAgain is how long Turn lets a client wait when nothing is due that it knows of.
const LookAgain = 250 * time.Millisecond

// Timing is what the pace has to know about the clients.
type Timing struct {
	// Lockstep is how long clients must be quiet before the clock jumps to the next event, with the speed max.
	Lockstep time.Duration
	// Now is the clients' time. Wake is called when Turn may have something to do earlier than it said.
	Now  func() time.Time
	Wake func()
	// Ended, if set, reports whether the session must end: the world then stops at the next instant and does not
	// change any more. It is called while others wait.
	Ended func() bool
}

// Pace ties the time of the cluster to the time of its clients.
type Pace struct {
	Config  *Timing
	Cluster *bridge.Cluster
	// Mu is the lock of the session, which is held, and which breathe gives away; changed is told when time has passed.
	Mu      *sync.Mutex
	Changed *sync.Cond
	Clock   clock.Clock
	// Moving is true while a request moves the clock far. Only that request moves the world then.
	Moving bool
	// These are what the lockstep has to know about the clients: the number of running requests, the last sign of a
	// client, and whether every watch was sent everything.
	Under   int
	heard   time.Time
	Drained func() bool
}

// CatchUp brings the world to the instant that the clock shows, to the millisecond.
func (p *Pace) CatchUp() {
	if p.Clock.Speed().Timed() && !p.Moving {
		at := min(p.Clock.At(p.Config.Now()), model.Time(recording.Longest))
		p.Advance(max(p.Cluster.World.Now(), at-at%model.Time(time.Millisecond)), p.Ended)
	}
}

// Ended reports whether the session must end.
func (p *Pace) Ended() bool { return p.Config.Ended != nil && p.Config.Ended() }

// Advance lets the world run up to an instant, or until stop returns true.
func (p *Pace) Advance(to model.Time, stop func() bool) {
	p.Cluster.Halfway = true
	p.Cluster.Advance(to, stop)
	p.Cluster.Halfway = false
	p.Changed.Broadcast()
}

// letRead begins a long move of the clock, during which breathe lets others read; the function that it returns ends
// the move. The caller holds writing, and mu.
func (p *Pace) letRead() (end func()) {
	p.Moving = true
	return func() { p.Moving = false }
}

// breathe gives the callers that wait for mu, and the watches, their turn at every sixteenth instant of a long
// move: they see the world as it is there, and cannot change it.
func (p *Pace) breathe(instant int) {
	if instant%atOnce != 0 {
		return
	}
	halfway := p.Cluster.Halfway
	p.Cluster.Halfway = false
	p.Changed.Broadcast()
	p.Mu.Unlock()
	p.Mu.Lock()
	p.Cluster.Halfway = halfway
}

// left reports whether a request no longer has a waiting client: the client disconnected, or the session must end.
func (p *Pace) left(r *http.Request) bool { return p.Ended() || r.Context().Err() != nil }

// Leaves is the answer to a request that is not served, or not served completely, because its client no longer
// waits.
func (p *Pace) Leaves(r *http.Request) error {
	if !p.left(r) {
		return nil
	}
	return refuse.With(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable,
		"the session ends, or the client has gone, at "+time.Duration(p.Cluster.World.Now()).String())
}

// atOnce is how many instants are played before watches are told about them, if clients need not be ready for each:
// sending them one by one takes longer than playing them.
const atOnce = 16

// Jump plays the next instants that have events: one, if the clients must be ready for it.
func (p *Pace) Jump() time.Duration {
	next, open := p.Cluster.Next()
	if !open {
		return LookAgain
	}
	if d := p.Config.Lockstep; d > 0 {
		if p.Under > 0 || !p.Drained() {
			return min(d, LookAgain)
		}
		if rest := d - p.Config.Now().Sub(p.heard); rest > 0 {
			return rest
		}
	}
	p.Cluster.Halfway = true
	p.Cluster.World.Move(next)
	for n := 1; n < atOnce && p.Config.Lockstep == 0; n++ {
		if next, open = p.Cluster.Next(); !open {
			break
		}
		p.Cluster.World.Move(next)
	}
	p.Cluster.Halfway = false
	p.Changed.Broadcast()
	return 0
}

// SetSpeed lets the clock run at another speed from this instant on.
func (p *Pace) SetSpeed(speed clock.Speed) {
	p.CatchUp()
	p.Clock = clock.New(speed, p.Config.Now(), p.Cluster.World.Now())
	p.wake()
}

// Rebase lets the clock go on from the instant of the world, which was moved by hand.
func (p *Pace) Rebase() {
	p.Clock = clock.New(p.Clock.Speed(), p.Config.Now(), p.Cluster.World.Now())
}

func (p *Pace) wake() {
	if p.Config.Wake != nil {
		p.Config.Wake()
	}
}

// Begin notes that a request is under way.
func (p *Pace) Begin() {
	p.Mu.Lock()
	p.Under++
	p.heard = p.Config.Now()
	p.Mu.Unlock()
}

// Done notes that a request is under way no more.
func (p *Pace) Done() {
	p.Mu.Lock()
	p.Under--
	p.heard = p.Config.Now()
	p.Mu.Unlock()
	p.wake()
}
