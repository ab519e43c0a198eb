// Package serve is an API server of Kubernetes whose cluster is a simulated world. Clients such as kubectl speak HTTP
// to it; what they write becomes the acts of the world's user, and what happens in the world becomes objects and watch
// events. The truth about what the model knows is in the world; the server keeps a copy of each object with all that
// the API has of it (package objects), and whole objects of the kinds that the model does not know.
//
// A Server is an http.Handler. It is called from many goroutines and starts none: one lock guards the world, so there
// is one mutating request at a time, and each is served at one instant of virtual time. Whoever runs it calls Turn
// again and again, which lets time pass.
//
// The virtual time is the server's: timestamps, ages, grace periods. The client keeps its own: the timeouts of its
// watches. Versions and uids are drawn only for writes and at fixed points, so that no reader changes what follows.
package serve

import (
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/managed"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Config is a session before it begins.
type Config struct {
	// World is the world; the server sets what it needs to hear of it.
	World sim.Config
	// Kubernetes is the version that the server says it has: 1.37.2.
	Kubernetes string
	// Epoch is the time that 0s of the world is for clients.
	Epoch time.Time
	Speed clock.Speed
	// Lockstep is how long clients must be quiet before the clock jumps to the next event, with the speed max.
	Lockstep time.Duration
	// Now is the clients' time. Wake is called when Turn may have something to do earlier than it said.
	Now  func() time.Time
	Wake func()
	// Ended, if it is given, says that the session is to end: the world stops at the next instant, and changes no more. It
	// is called while others wait.
	Ended func() bool
	// When calls a function when a channel is closed, or when a client had long enough to open its streams, on a goroutine
	// of its own: the server starts none. Without it exec is not served over SPDY.
	When func(closed <-chan bool, do func())
	// Existing are the objects of a dump, as JSON: those that the world does not know are shown as they were.
	Existing [][]byte
	// Record, if it is given, hears of each request that changes something, before it does, and of the end.
	Record func(Recorded)
	// Uncontrolled says that nothing in the cluster acts: objects are only stored, and the world knows none of them.
	Uncontrolled bool
	// Steps says that what the requests do is kept as steps, for Session.Scenario.
	Steps bool
	// NoHistory drops all but the last events of the timeline, so that the memory of a session does not grow with its
	// length. There are no checkpoints then.
	NoHistory bool
	// Panicked, if it is given, hears of a panic while a client's request was served. If whole is false, the request had
	// begun to change something, and nothing may be called any more.
	Panicked func(value any, stack string, whole bool)
	// Told, if it is given, gets the events of the timeline, each once, at the fixed point after it.
	Told func([]timeline.Event)
	// Restored, if it is given, hears that the session has gone back to a checkpoint, where these events were told.
	Restored func(checkpoint string, events []timeline.Event)
}

// Server is a session.
type Server struct {
	config Config

	// turns are those of requests that change objects.
	turns chan bool
	// writing lets one request that changes something after the other wait for mu: whoever reads waits for one of them at
	// most, however many there are.
	writing sync.Mutex
	// mu guards all that follows. changed is told when objects have changed, or time.
	mu      sync.Mutex
	changed *sync.Cond
	world   *sim.World
	user    *sim.User
	objects objects.Store
	clock   clock.Clock
	// steps counts the acts, and uids the objects that only the server has.
	steps, uids int
	// wanted are the fields that a request is writing; what the world makes of them is put onto them.
	wanted map[ref]kinds.Fields
	// types are how the kinds are merged that clients have defined.
	types map[*kinds.Kind]managed.Type
	// rules are those of custom resources.
	rules schema.Rules
	// begun is true once clients may come. halfway is true while something changes: a panic that leaves it so leaves
	// nothing that can be relied on.
	begun, halfway bool
	// moving is true while a request moves the clock far. Only that request moves the world then.
	moving bool
	// did is what requests have done to the world, if the configuration asks for it; line is that of the request that is
	// replayed.
	did  []did
	line int
	// checkpoints are the instants to which Restore goes back, by name.
	checkpoints map[string]*checkpoint
	cluster
	quiet
}

// ref names an object.
type ref struct {
	kind *kinds.Kind
	key  model.Key
}

// New begins a session: its world is at its first fixed point, and its clock stands there until Start.
func New(c Config) *Server {
	s := &Server{config: c, wanted: map[ref]kinds.Fields{}, types: map[*kinds.Kind]managed.Type{},
		rules:       schema.Rules{},
		checkpoints: map[string]*checkpoint{}, turns: newTurns()}
	s.changed = sync.NewCond(&s.mu)
	s.inhabit(c.World)
	s.found()
	s.world.Begin()
	s.clock = clock.New(clock.Paused, c.Now(), s.world.Now())
	return s
}

// inhabit makes the world of a session, which has not begun.
func (s *Server) inhabit(c sim.Config) {
	c.Endless, c.Wrote = true, s.wrote
	if s.config.Uncontrolled {
		c.Start = nil
	}
	// A limit refuses the request that exceeds it, and does not end the world.
	c.MaxReplicas, c.MaxEvents, c.Until, c.Cycles = 0, 0, 0, false
	c.Collector.Foreign = s.exists
	c.Watch = func(*sim.World) { s.atFixedPoint() }
	if s.config.NoHistory {
		c.NoHistory, c.Keep, c.Written = true, lately, func([]timeline.Event) {}
	}
	s.world = sim.New(c)
	s.user = sim.UserOf(s.world)
}

// lately is how many events of the timeline a session without a history keeps, for those who ask why.
const lately = 5_000

// Start lets the clock run at the speed of the configuration.
func (s *Server) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun, s.halfway = true, false
	s.setSpeed(s.config.Speed)
}

// End ends the session and returns its timeline. Nothing may be called afterwards.
func (s *Server) End() []timeline.Event {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config.Record != nil {
		s.config.Record(Recorded{At: time.Duration(s.world.Now())})
	}
	events := s.world.End()
	s.tell()
	return events
}

// Timeline returns what has happened so far.
func (s *Server) Timeline() []timeline.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.world.Events())
}

// instant is the present instant of the world as clients have it.
func (s *Server) instant() time.Time { return s.config.Epoch.Add(time.Duration(s.world.Now())).UTC() }

// act lets the user of the world do something to an object at this instant, as a step of the timeline, and the cluster
// answer it.
func (s *Server) act(d doing, at ref, do func(*sim.User) *model.APIError) (err *model.APIError) {
	s.halfway = true
	s.steps++
	now, n := time.Duration(s.world.Now()), len(s.did)
	if s.config.Steps {
		s.did = append(s.did, did{doing: d, at: now, line: s.line}) // What the cluster deletes in answer comes behind it.
	}
	s.world.Act(&sim.Step{
		Number: s.steps, Verb: d.verb, Does: d.does, When: sim.When{Trigger: sim.At, D: now},
		Act: func(u *sim.User) sim.Outcome {
			before := at.seen(u)
			if err = do(u); err != nil {
				return sim.Outcome{Err: err}
			}
			return at.outcome(u, d.effect, before)
		},
	})
	if s.config.Steps && err != nil {
		s.did[n].refused = err.Message
	}
	return err
}

// seen returns what a reference is about, as the world has it: a value that is another one once it has changed.
func (r ref) seen(u *sim.User) any {
	switch r.kind {
	case kinds.StatefulSet:
		if set := u.Set(r.key); set != nil {
			return set
		}
	case kinds.Service:
		if service := u.Service(r.key); service != nil {
			return *service
		}
	case kinds.Budget:
		if budget := u.Budget(r.key); budget != nil {
			return *budget
		}
	default:
		return u.Version()
	}
	return nil
}

// outcome returns what has become of an act, before which it was seen like that. effect is "" if it follows.
func (r ref) outcome(u *sim.User, effect timeline.Effect, before any) sim.Outcome {
	after, o := r.seen(u), sim.Outcome{Effect: effect}
	was, _ := before.(*model.StatefulSet)
	is, _ := after.(*model.StatefulSet)
	same := reflect.DeepEqual(before, after)
	if was != nil && is != nil {
		same = was.ResourceVersion == is.ResourceVersion
	}
	switch {
	case o.Effect != "":
	case same:
		o.Effect = timeline.Unchanged
	case before == nil:
		o.Effect = timeline.Created
	default:
		o.Effect = timeline.Configured
	}
	switch {
	case is == nil && was != nil:
		o.Removed = []model.Key{r.key}
	case is != nil && o.Effect != timeline.Unchanged:
		o.Sets = []*model.StatefulSet{is}
	}
	switch r.kind {
	case kinds.Pod:
		o.Pod = r.key
	case kinds.Claim:
		if effect != timeline.Created { // As in a scenario, a step that creates a claim is about nothing that is there.
			o.Claim = r.key
		}
	}
	return o
}

// put stores what the API shows of an object from now on, at a version of its own.
func (s *Server) put(kind *kinds.Kind, fields kinds.Fields) *objects.Object {
	s.halfway = true
	o := objects.New(kind, fields, s.user.DrawVersion())
	s.objects.Put(o)
	return o
}

// firstUID is a uid that no object of the world comes to.
const firstUID model.UID = 1 << 40

// nextUID returns the uid of the next object that only the server has.
func (s *Server) nextUID() model.UID { return firstUID + model.UID(s.uids+1) }

// add stores a new object that only the server has.
func (s *Server) add(kind *kinds.Kind, fields kinds.Fields) *objects.Object {
	meta := fields.Map("metadata")
	// The uids of the world's own objects are what they were without a server, as in a scenario that plays the same.
	meta["uid"] = s.nextUID().String()
	s.uids++
	if _, found := meta["creationTimestamp"]; !found {
		meta["creationTimestamp"] = s.instant().Format(time.RFC3339)
	}
	if kind.Counts() {
		meta["generation"] = int64(1)
	}
	return s.put(kind, fields)
}
