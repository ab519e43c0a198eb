// Package serve is an API server of Kubernetes whose cluster is a simulated world. Clients such as kubectl speak
// HTTP to it; their writes become acts of the world's user, and events in the world become objects and watch
// events. The world has the truth about everything that the model knows; the server keeps a copy of each object
// with all fields of the API (package objects), and whole objects of the kinds that the model does not know.
//
// Package bridge is this world with its objects, and knows nothing about requests. Package request reads what
// clients ask, a reader and its watches show the objects, a writer lets the bridge change them, and the pace
// decides when the world moves on; a Server finds out which of them a request is for, and locks.
//
// A Server is an http.Handler. It is called from many goroutines and starts none: one lock guards the world, so
// there is one mutating request at a time, and each is served at one instant of virtual time. Its caller must call
// Turn again and again, which lets time pass.
//
// The virtual time is the server's: timestamps, ages, grace periods. The client keeps its own: the timeouts of its
// watches. Versions and uids are drawn only for writes and at fixed points, so that no reader changes what follows.
package serve

import (
	"slices"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/managed"
	"github.com/statefulsim/statefulsim/scenario/serve/pace"
	"github.com/statefulsim/statefulsim/scenario/serve/reader"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
	"github.com/statefulsim/statefulsim/scenario/serve/writer"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Config is a session before it starts.
type Config struct {
	// Config is the cluster.
	bridge.Config
	Speed clock.Speed
	pace.Timing
	// When calls a function when a channel is closed, or when a client had long enough to open its streams, on a goroutine
	// of its own: the server starts none. Without it exec is not served over SPDY.
	When func(closed <-chan bool, do func())
	// Record, if it is given, hears of each request that changes something, before it does, and of the end.
	Record func(recording.Recorded)
	// Panicked, if set, is called after a panic in a client's request. If whole is false, the request had changed
	// something already, and nothing may be called any more.
	Panicked func(value any, stack string, whole bool)
	// Restored, if set, is called after the session was reset to a checkpoint, with the events up to it.
	Restored func(checkpoint string, events []timeline.Event)
}

// Server is a session.
type Server struct {
	config Config

	// turns are the turns of requests that change objects.
	turns turns
	// writing lets requests that change something wait for mu one after the other: a reader waits for one of them
	// at most, however many there are.
	writing sync.Mutex
	// mu guards all that follows. changed is told when objects have changed, or time.
	mu      sync.Mutex
	changed *sync.Cond
	cluster *bridge.Cluster
	pace    pace.Pace
	reader  reader.Reader
	// watching are the watches that are open.
	watching reader.Watches
	writer   writer.Writer
	// begun is true once clients may connect.
	begun bool
	// checkpoints are the states that Restore can return to, by name.
	checkpoints map[string]*bridge.Checkpoint
}

// New begins a session: its world is at its first fixed point, and its clock does not move until Start.
func New(c Config) *Server {
	s := &Server{config: c, checkpoints: map[string]*bridge.Checkpoint{}, turns: newTurns()}
	s.changed = sync.NewCond(&s.mu)
	s.config.Expired = s.watching.Expire
	s.cluster = bridge.New(s.config.Config)
	s.writer = writer.Writer{Config: &s.config.Config, Cluster: s.cluster, Types: map[*kinds.Kind]managed.Type{},
		Rules: schema.Rules{}}
	s.pace = pace.Pace{Config: &s.config.Timing, Cluster: s.cluster, Mu: &s.mu, Changed: s.changed, Drained: s.watching.Drained,
		Clock: clock.New(clock.Paused, c.Now(), s.cluster.World.Now())}
	s.reader = reader.Reader{Config: &s.config.Config, Cluster: s.cluster, Pace: &s.pace}
	s.watching.Reader, s.watching.Pace = &s.reader, &s.pace
	return s
}

// Start lets the clock run at the speed of the configuration.
func (s *Server) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun, s.cluster.Halfway = true, false
	s.pace.SetSpeed(s.config.Speed)
}

// End ends the session and returns its timeline. Nothing may be called afterwards.
func (s *Server) End() []timeline.Event {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config.Record != nil {
		s.config.Record(recording.Recorded{At: time.Duration(s.cluster.World.Now())})
	}
	events := s.cluster.World.End()
	s.cluster.Tell()
	return events
}

// Timeline returns the events so far.
func (s *Server) Timeline() []timeline.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.cluster.World.Events())
}

// Turn lets the world do everything that is due by now and returns the delay until the next call. At speed max it
// plays a few instants and asks to be called again at once, as long as something is left that can still change
// something.
func (s *Server) Turn() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.pace.Moving, s.pace.Clock.Speed() == clock.Paused:
		return pace.LookAgain
	case s.pace.Clock.Speed() == clock.Max:
		return s.pace.Jump()
	}
	s.pace.CatchUp()
	if next, open := s.cluster.Next(); open {
		return min(pace.LookAgain, s.pace.Clock.Until(next, s.config.Now()))
	}
	return pace.LookAgain
}

// Due returns after how long of the clients' time something happens next at a timed speed, and false if nothing is left
// that could still change something.
func (s *Server) Due() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, open := s.cluster.Next()
	// The world is moved to whole milliseconds: see catchUp.
	const whole = model.Time(time.Millisecond)
	return s.pace.Clock.Until((next+whole-1)/whole*whole, s.config.Now()), open
}
