package explore

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Explorer explores one scenario on one version of Kubernetes. New makes it; its exported fields may be changed until
// the first run. After that all of it is only read, so Subject may play several runs at the same time.
type Explorer struct {
	// Sim is the version of the simulator.
	Sim string
	// Promises are the promises that runs are judged by; nil is promise.Default. They do not change which runs there are,
	// only what is found in them.
	Promises []promise.Name
	// Acts, Instants and MaxEvents are the largest numbers of acts, instants and events in a run. New sets the bounds of
	// the block explore, or defaults. With 0 acts there is only the plain run and what is open besides acts; 0 events are
	// no bound. The end of a run that is cut off by its number of instants is not judged.
	Acts, Instants, MaxEvents int
	// Controller, if set, returns the controller of each run, which no other run may share. The conformance modules pass
	// Kubernetes' own control code here; nil is the simulator's own.
	Controller func(statefulset.Profile) model.Controller
	// Interrupted and GiveUp are those of the Source.
	Interrupted, GiveUp func() bool

	// source is the text that is played: the caller's with what widen adds. scenario and tokens are of it.
	source   *Source
	scenario *scenario.Scenario
	// block is the block explore of the scenario, never nil; regimes has a copy of the scenario under each of its
	// regimes, in the order of block.Regimes.
	block   *scenario.Exploration
	regimes []*scenario.Scenario
	// acts are the acts that may happen, those of the block first. Their order is that of the answers of the search.
	acts []act
	// behind is how far behind an act lets a controller begin at most; 0 if no act restarts one behind the others.
	behind time.Duration
	// times is the greatest number of acts of each kind, by kind. A kind that no act has may stand in it.
	times []int
	// writes are the writes that may fail: the entries of block.May with a fault. strike.write is an index.
	writes []scenario.May
	// places has a workplace for each run that is under way, as many as workers. New makes it.
	places *sync.Pool
}

// The defaults of an Explorer.
const (
	// A trap of three acts is about as much as a person can follow.
	defaultActs     = 3
	defaultInstants = 400
	defaultEvents   = 20_000
)

// workplace is what runs of the search use one after the other, to allocate little. No result depends on it.
type workplace struct {
	// spare is the memory of the world that was left last.
	spare sim.Spare
	// configs are the worlds of the regimes, by their numbers, with the simulator's own controller: it remembers nothing
	// of a world that is left, so the next world may have it. An entry is nil until a run has had its regime.
	configs []*sim.Config
	// packed and opened are the buffers of the courses; see course.
	packed []byte
	opened []*act
}

// unbounded is the block of a scenario that has none: the usual acts, without bounds of its own.
var unbounded = scenario.Exploration{Usual: true}

// New prepares the exploration of a scenario, for which it plays the plain run: only that shows which pods there are.
// An error is one of reading, with file, line and column, or search.ErrCut if that run was interrupted.
//
// If the scenario changes no template, a restart of each StatefulSet is added at its end, because most traps are in
// rollouts. If a scale-down deletes claims and the scenario does not say how fast the garbage collector is, it takes
// half a second, because a collector that takes no time hides what happens meanwhile.
func New(source *Source) (*Explorer, error) {
	x := &Explorer{
		Interrupted: source.Interrupted, GiveUp: source.GiveUp,
		source: source, Acts: defaultActs, Instants: defaultInstants, MaxEvents: defaultEvents,
		places: &sync.Pool{New: func() any { return &workplace{} }},
	}
	var err error
	if x.scenario, err = source.parse(source.Data); err != nil {
		return nil, err
	}
	x.block = &unbounded
	if x.scenario.Exploration != nil {
		x.block = x.scenario.Exploration
	}
	x.Acts, x.Instants = cmp.Or(x.block.Acts, defaultActs), cmp.Or(x.block.Instants, defaultInstants)
	sets, err := x.sets()
	if err != nil {
		return nil, err
	}
	if err := x.widen(sets); err != nil {
		return nil, err
	}
	if err := x.readRegimes(); err != nil {
		return nil, err
	}
	return x, x.readActs(sets)
}

// widen adds to the scenario the steps and settings that New describes, and reads it again. Nothing is added for the
// collector if the block names the acts itself: then the file says all that is to vary.
func (x *Explorer) widen(sets []shape) (err error) {
	wider := *x.source
	if len(sets) > 0 && !slices.ContainsFunc(sets, func(s shape) bool { return s.changes }) {
		if wider.Data, err = wider.restarting(sets); err != nil {
			return err
		}
	}
	if x.block.Usual && slices.ContainsFunc(sets, func(s shape) bool { return s.claimsGo }) {
		if wider.Data, err = wider.collecting(); err != nil {
			return err
		}
	}
	x.source = &wider
	x.scenario, err = wider.parse(wider.Data)
	return err
}

// sets returns the sets of the plain run, which it plays.
func (x *Explorer) sets() ([]shape, error) {
	c := x.newCourse(nil)
	if c.play(); c.cut() {
		return nil, search.ErrCut
	}
	var start *sim.State
	if x.scenario.Start != nil {
		start = x.scenario.Start.State
	}
	return shapes(start, c.world.Events()), nil
}

// readRegimes reads the scenario once with each of its regimes. The steps are the same in all of them.
func (x *Explorer) readRegimes() error {
	for _, regime := range x.block.Regimes {
		text, err := x.source.under(regime)
		if err != nil {
			return err
		}
		under, err := x.source.parse(text)
		if err != nil {
			return err
		}
		x.regimes = append(x.regimes, under)
	}
	return nil
}

// readActs reads the acts that may happen. It must come after widen, whose steps the acts follow.
func (x *Explorer) readActs(sets []shape) error {
	drafts, err := x.drafts(sets)
	if err != nil {
		return err
	}
	x.acts, x.behind, err = x.source.read(drafts)
	return err
}

// Deviations returns the number of deviations that the scenario asks for; 0 if it does not say. The caller decides
// which bound holds, and passes it in Settings.
func (x *Explorer) Deviations() int { return x.block.Deviations }

// Plain plays the run without any deviation and returns its timeline, which has no end if GiveUp ends the run.
func (x *Explorer) Plain() []timeline.Event {
	c := x.unhurried().newCourse(nil)
	c.play()
	return c.world.Events()
}

// Digest identifies what is explored: the scenario with the files that it names, the version, the gates, and what may
// happen. A token with another digest is refused, because its answers would mean something else. The acts are in it
// although they follow from the scenario: a simulator with other usual acts refuses old tokens.
func (x *Explorer) Digest() string {
	digest := sha256.New()
	fmt.Fprintln(digest, x.scenario.Digest, x.scenario.Profile.Version(), x.scenario.Gates, x.Acts, x.Instants)
	for i := range x.acts {
		fmt.Fprintln(digest, x.acts[i].kind, x.acts[i].step.Verb, x.acts[i].step.Does)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// Subject plays one run of the search. It may be called by several goroutines at the same time. Neither its timeline
// nor its world survives: replay plays a run of which more is wanted.
func (x *Explorer) Subject(run *search.Run) {
	place := x.places.Get().(*workplace)
	c := x.courseAt(run, place)
	c.play()
	if c.cut() {
		run.Cut()
	}
	sim.Leave(c.world)
	place.packed, place.opened = c.packed, c.opened
	x.places.Put(place)
}

// Open says which kinds of choices the search varies. Acts are always open; a choice that is not open is answered as
// in the plain run and has no number, so tokens depend on what is open.
func (x *Explorer) Open(kind choose.Kind) bool {
	return kind == choose.Act || slices.Contains(x.block.Open, kind)
}

// Replay plays a run again and returns its timeline, from the header to the result, and all its breaches in order. The
// error is of type search.Diverged if the tape does not fit, and search.ErrCut if the run was interrupted.
func (x *Explorer) Replay(tape []search.Deviation) (events []timeline.Event, broken []promise.Breach, err error) {
	c, err := x.replay(tape, false)
	if err != nil {
		return nil, nil, err
	}
	return c.world.Events(), c.judge.Breaches(), nil
}

// replay plays a run again and keeps it; marks says whether its timeline marks deviations.
func (x *Explorer) replay(tape []search.Deviation, marks bool) (c *course, err error) {
	_, err = search.Play(func(run *search.Run) {
		c = x.newCourse(run)
		c.marks = marks
		if c.play(); c.cut() {
			run.Cut()
		}
	}, x.Open, tape)
	return c, err
}

// unhurried returns the explorer for runs that tell what is known: only GiveUp ends them at an interruption.
func (x *Explorer) unhurried() *Explorer {
	last := *x
	last.Interrupted = x.GiveUp
	return &last
}

// Name returns the name of what is explored.
func (x *Explorer) Name() string { return x.source.Name }

// Kubernetes returns the version on which it is explored.
func (x *Explorer) Kubernetes() string { return x.scenario.Profile.Version() }

// Marked plays a run again and returns its timeline, in which deviations are marked, and its first breach of a class.
// The run must have such a breach: tape and class are those of one finding. The error is of type search.Diverged if
// the tape does not fit, and search.ErrCut if GiveUp has ended the run.
func (x *Explorer) Marked(tape []search.Deviation, class string) ([]timeline.Event, promise.Breach, error) {
	c, err := x.unhurried().replay(tape, true)
	if err != nil {
		return nil, promise.Breach{}, err
	}
	return c.world.Events(), *c.breach(class), nil
}
