package serve

import (
	"net/http"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// lookAgain is how long Turn lets a client wait when nothing is due that it knows of.
const lookAgain = 250 * time.Millisecond

// quiet is what the lockstep has to know of the clients: how many requests are under way, how far the watches are, and
// when a client was last heard of.
type quiet struct {
	under   int
	watches []*cursor
	heard   time.Time
}

// drained says whether every watch was sent everything.
func (s *Server) drained() bool {
	return !slices.ContainsFunc(s.watches, func(c *cursor) bool { return c.sending || c.next < s.cluster.Objects.End() })
}

// Turn lets the world do what is due by now and returns after how long it wants to be called again. With the speed max
// it plays a few instants and wants to be called at once, as long as something is left that can still change something.
func (s *Server) Turn() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.moving, s.clock.Speed() == clock.Paused:
		return lookAgain
	case s.clock.Speed() == clock.Max:
		return s.jump()
	}
	s.catchUp()
	if next, open := s.cluster.World.Next(); open {
		return min(lookAgain, s.clock.Until(next, s.config.Now()))
	}
	return lookAgain
}

// Due returns after how long of the clients' time something happens next at a timed speed, and false if nothing is left
// that could still change something.
func (s *Server) Due() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, open := s.cluster.World.Next()
	// The world is moved to whole milliseconds: see catchUp.
	const whole = model.Time(time.Millisecond)
	return s.clock.Until((next+whole-1)/whole*whole, s.config.Now()), open
}

// catchUp brings the world to the instant that the clock shows, to the millisecond.
func (s *Server) catchUp() {
	if s.clock.Speed().Timed() && !s.moving {
		at := min(s.clock.At(s.config.Now()), model.Time(longest))
		s.advance(max(s.cluster.World.Now(), at-at%model.Time(time.Millisecond)), s.ended)
	}
}

// ended says that the session is to end.
func (s *Server) ended() bool { return s.config.Ended != nil && s.config.Ended() }

// advance lets the world run up to an instant, or to an earlier one at which stop says so.
func (s *Server) advance(to model.Time, stop func() bool) {
	s.cluster.Halfway = true
	s.cluster.World.Advance(to, stop)
	s.cluster.Halfway = false
	s.changed.Broadcast()
}

// letRead begins a long move of the clock, in which breathe lets others read; what it returns ends the move. The caller
// holds writing, and mu.
func (s *Server) letRead() (end func()) {
	s.moving = true
	return func() { s.moving = false }
}

// breathe lets those who wait for mu have their turn, and the watches, at every sixteenth instant of a long move: they see
// the world as it is there, and cannot change it.
func (s *Server) breathe(instant int) {
	if instant%atOnce != 0 {
		return
	}
	halfway := s.cluster.Halfway
	s.cluster.Halfway = false
	s.changed.Broadcast()
	s.mu.Unlock()
	s.mu.Lock()
	s.cluster.Halfway = halfway
}

// left says that nobody waits any more for what a request does: its client has gone, or the session is to end.
func (s *Server) left(r *http.Request) bool { return s.ended() || r.Context().Err() != nil }

// leaves is the answer to a request that is not served, or not to its end, since nobody waits for it.
func (s *Server) leaves(r *http.Request) error {
	if !s.left(r) {
		return nil
	}
	return refuse.With(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable,
		"the session ends, or the client has gone, at "+time.Duration(s.cluster.World.Now()).String())
}

// atOnce is how many instants are played before watches are told of them, where clients need not be ready for each: to
// send them one by one takes longer than to play them.
const atOnce = 16

// jump plays the next instants at which something happens: one, if the clients are to be ready for it.
func (s *Server) jump() time.Duration {
	next, open := s.cluster.World.Next()
	if !open {
		return lookAgain
	}
	if d := s.config.Lockstep; d > 0 {
		if s.under > 0 || !s.drained() {
			return min(d, lookAgain)
		}
		if rest := d - s.config.Now().Sub(s.heard); rest > 0 {
			return rest
		}
	}
	s.cluster.Halfway = true
	s.cluster.World.Move(next)
	for n := 1; n < atOnce && s.config.Lockstep == 0; n++ {
		if next, open = s.cluster.World.Next(); !open {
			break
		}
		s.cluster.World.Move(next)
	}
	s.cluster.Halfway = false
	s.changed.Broadcast()
	return 0
}

// setSpeed lets the clock run at another speed from this instant on.
func (s *Server) setSpeed(speed clock.Speed) {
	s.catchUp()
	s.clock = clock.New(speed, s.config.Now(), s.cluster.World.Now())
	s.wake()
}

// rebase lets the clock go on from the instant of the world, which was moved by hand.
func (s *Server) rebase() {
	s.clock = clock.New(s.clock.Speed(), s.config.Now(), s.cluster.World.Now())
}

func (s *Server) wake() {
	if s.config.Wake != nil {
		s.config.Wake()
	}
}
