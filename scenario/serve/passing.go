package serve

import (
	"net/http"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// lookAgain is how long Turn lets a client wait when nothing is due that it knows of.
const lookAgain = 250 * time.Millisecond

// pace is how the time of the cluster follows that of its clients.
type pace struct {
	config  *Config
	cluster *bridge.Cluster
	// mu is the lock of the session, which is held, and which breathe gives away; changed is told when time has passed.
	mu      *sync.Mutex
	changed *sync.Cond
	clock   clock.Clock
	// moving is true while a request moves the clock far. Only that request moves the world then.
	moving bool
	// What the lockstep has to know of the clients: how many requests are under way, when a client was last heard of, and
	// whether every watch was sent everything.
	under   int
	heard   time.Time
	drained func() bool
}

// drained says whether every watch was sent everything.
func (w *watches) drained() bool {
	return !slices.ContainsFunc(w.all, func(c *cursor) bool { return c.sending || c.next < w.reader.cluster.Objects.End() })
}

// Turn lets the world do what is due by now and returns after how long it wants to be called again. With the speed max
// it plays a few instants and wants to be called at once, as long as something is left that can still change something.
func (s *Server) Turn() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.pace.moving, s.pace.clock.Speed() == clock.Paused:
		return lookAgain
	case s.pace.clock.Speed() == clock.Max:
		return s.pace.jump()
	}
	s.pace.catchUp()
	if next, open := s.cluster.Next(); open {
		return min(lookAgain, s.pace.clock.Until(next, s.config.Now()))
	}
	return lookAgain
}

// Due returns after how long of the clients' time something happens next at a timed speed, and false if nothing is left
// that could still change something.
func (s *Server) Due() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, open := s.cluster.Next()
	// The world is moved to whole milliseconds: see catchUp.
	const whole = model.Time(time.Millisecond)
	return s.pace.clock.Until((next+whole-1)/whole*whole, s.config.Now()), open
}

// catchUp brings the world to the instant that the clock shows, to the millisecond.
func (p *pace) catchUp() {
	if p.clock.Speed().Timed() && !p.moving {
		at := min(p.clock.At(p.config.Now()), model.Time(recording.Longest))
		p.advance(max(p.cluster.World.Now(), at-at%model.Time(time.Millisecond)), p.ended)
	}
}

// ended says that the session is to end.
func (p *pace) ended() bool { return p.config.Ended != nil && p.config.Ended() }

// advance lets the world run up to an instant, or to an earlier one at which stop says so.
func (p *pace) advance(to model.Time, stop func() bool) {
	p.cluster.Halfway = true
	p.cluster.Advance(to, stop)
	p.cluster.Halfway = false
	p.changed.Broadcast()
}

// letRead begins a long move of the clock, in which breathe lets others read; what it returns ends the move. The caller
// holds writing, and mu.
func (p *pace) letRead() (end func()) {
	p.moving = true
	return func() { p.moving = false }
}

// breathe lets those who wait for mu have their turn, and the watches, at every sixteenth instant of a long move: they see
// the world as it is there, and cannot change it.
func (p *pace) breathe(instant int) {
	if instant%atOnce != 0 {
		return
	}
	halfway := p.cluster.Halfway
	p.cluster.Halfway = false
	p.changed.Broadcast()
	p.mu.Unlock()
	p.mu.Lock()
	p.cluster.Halfway = halfway
}

// left says that nobody waits any more for what a request does: its client has gone, or the session is to end.
func (p *pace) left(r *http.Request) bool { return p.ended() || r.Context().Err() != nil }

// leaves is the answer to a request that is not served, or not to its end, since nobody waits for it.
func (p *pace) leaves(r *http.Request) error {
	if !p.left(r) {
		return nil
	}
	return refuse.With(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable,
		"the session ends, or the client has gone, at "+time.Duration(p.cluster.World.Now()).String())
}

// atOnce is how many instants are played before watches are told of them, where clients need not be ready for each: to
// send them one by one takes longer than to play them.
const atOnce = 16

// jump plays the next instants at which something happens: one, if the clients are to be ready for it.
func (p *pace) jump() time.Duration {
	next, open := p.cluster.Next()
	if !open {
		return lookAgain
	}
	if d := p.config.Lockstep; d > 0 {
		if p.under > 0 || !p.drained() {
			return min(d, lookAgain)
		}
		if rest := d - p.config.Now().Sub(p.heard); rest > 0 {
			return rest
		}
	}
	p.cluster.Halfway = true
	p.cluster.World.Move(next)
	for n := 1; n < atOnce && p.config.Lockstep == 0; n++ {
		if next, open = p.cluster.Next(); !open {
			break
		}
		p.cluster.World.Move(next)
	}
	p.cluster.Halfway = false
	p.changed.Broadcast()
	return 0
}

// setSpeed lets the clock run at another speed from this instant on.
func (p *pace) setSpeed(speed clock.Speed) {
	p.catchUp()
	p.clock = clock.New(speed, p.config.Now(), p.cluster.World.Now())
	p.wake()
}

// rebase lets the clock go on from the instant of the world, which was moved by hand.
func (p *pace) rebase() {
	p.clock = clock.New(p.clock.Speed(), p.config.Now(), p.cluster.World.Now())
}

func (p *pace) wake() {
	if p.config.Wake != nil {
		p.config.Wake()
	}
}

// begin notes that a request is under way.
func (p *pace) begin() {
	p.mu.Lock()
	p.under++
	p.heard = p.config.Now()
	p.mu.Unlock()
}

// done notes that a request is under way no more.
func (p *pace) done() {
	p.mu.Lock()
	p.under--
	p.heard = p.config.Now()
	p.mu.Unlock()
	p.wake()
}
