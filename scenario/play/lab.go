// Package play is a laboratory. It plays scripts of what people do to a cluster, and of what happens to it, each in a
// world of its own. A deed has its command beside its effect, so what is printed is what was played.
//
// Plans, upgrades, explanations and repairs compare runs; they write scripts, and this package plays them. A run is a
// function of the laboratory and the script: nothing is kept between two runs except a common beginning (Lab.Begun),
// which does not change any timeline.
package play

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Patience is the virtual time after which a run ends that never settles. No change window is longer.
const Patience = 30 * 24 * time.Hour

// Lab plays scripts, each in a new world with the same configuration. A changed copy is another laboratory.
type Lab struct {
	// Profile is the version of Kubernetes.
	Profile statefulset.Profile
	// World is the configuration of the worlds. The laboratory fills in the parts of the Profile, the format and, if the
	// header names none, the version; Until is Patience if it is 0. A Chooser that is set is shared by all runs; Begun, and
	// deeds that wait for a command, need one whose position can be resumed.
	World sim.Config
	// Before are steps that are played before each script, for example those of a scenario. They are numbered from 1.
	Before []sim.Step
	// Controller, if set, returns the controller of each world, which no other world may share. Package conformance passes
	// Kubernetes' own.
	Controller func(statefulset.Profile) model.Controller

	// stem is the common beginning of all scripts; nil if each begins with an empty timeline. It does not change, so
	// copies of the laboratory share it.
	stem *stem
}

// stem is a run at a fixed point, from which runs with the same beginning continue. That a script begins like the stem
// is not checked: the caller of Begun promises it.
type stem struct {
	// steps is the number of steps that have acted; settled is true if the world has settled since.
	steps   int
	settled bool
	// at is the instant of the point, state the world there, with everything that objects do not show.
	at    model.Time
	state *sim.State
	// objects are the objects at that point; nil if they are not known.
	objects *sim.State
}

// carries says whether a run with these steps, which lasts this long, may continue from the stem: there are more steps
// than it has, it comes before the end, and the next step waits until all has settled if the stem has.
func (s *stem) carries(steps []sim.Step, until time.Duration) bool {
	return s != nil && len(steps) > s.steps && s.at <= model.Time(until) &&
		(!s.settled || steps[s.steps].When.Trigger == sim.OnceSettled)
}

// Begun returns a laboratory for scripts that begin with the deeds of this one: these are played once, and each of the
// scripts continues from there if it waits until all is settled. The timelines are what they are in this laboratory.
// Other scripts, and whatever is changed in the laboratory, must not differ before that point. If the beginning does
// not settle, or the chooser cannot be resumed, it returns a copy without a new beginning.
func (l *Lab) Begun(script Script) *Lab {
	if !l.resumes() {
		return l.copy()
	}
	_, begun := l.RunTo(script, func(*sim.World) bool { return true })
	return cmp.Or(begun, l.copy())
}

// resumes says whether the chooser of the laboratory, if it has one, can go on from a point with the same answers.
func (l *Lab) resumes() bool {
	_, again := l.World.Chooser.(choose.Positioned)
	return again || l.World.Chooser == nil
}

// RunTo plays a script and returns its timeline, as Run does, and the laboratory that Begun returns, without playing
// the script again. That is nil if it has no new beginning, or if worth, which sees the settled world, does not want
// one.
func (l *Lab) RunTo(script Script, worth func(*sim.World) bool) (events []timeline.Event, begun *Lab) {
	hold := func(world *sim.World, steps int) {
		if worth(world) {
			objects := world.State()
			begun = l.copy()
			begun.stem = l.stemAt(world, steps, objects.Rest)
			begun.stem.settled, begun.stem.objects = true, objects
		}
	}
	if !l.resumes() {
		hold = nil
	}
	events, _ = l.run(script, hold)
	return events, begun
}

// Opened returns a laboratory for scripts whose first deed acts at the instant at which the worlds begin: the
// beginning, with all that happens at that instant before the deed, is played once. The timelines are what they are in
// this laboratory. It is a copy without a new beginning if there are steps before the script, if the run ends there, or
// if the chooser cannot be resumed.
func (l *Lab) Opened() *Lab {
	opened := l.copy()
	if l.stem != nil || len(l.Before) > 0 || !l.resumes() {
		return opened
	}
	world := sim.New(l.config())
	defer world.Release()
	if world.Begin(); !world.Over() {
		opened.stem = l.hold(world, 0)
	}
	return opened
}

// copy returns a laboratory like this one.
func (l *Lab) copy() *Lab {
	other := *l
	return &other
}

// Onwards returns this laboratory with the beginning of another one.
func (l *Lab) Onwards(from *Lab) *Lab {
	onwards := *l
	onwards.stem = from.stem
	return &onwards
}

// Reached returns the state at the end of the common beginning; nil if it is not known. Times count from there. It is
// shared: do not change it.
func (l *Lab) Reached() *sim.State {
	if l.stem == nil {
		return nil
	}
	return l.stem.objects
}

// Fresh returns this laboratory without the common beginning, for a change of the configuration that would affect it.
func (l *Lab) Fresh() *Lab {
	fresh := *l
	fresh.stem = nil
	return &fresh
}

// hold keeps a world after some steps as a stem.
func (l *Lab) hold(world *sim.World, steps int) *stem {
	return l.stemAt(world, steps, world.Hold().Rest)
}

// stemAt returns the stem of a world after some steps. Its nodes are those of the start.
func (l *Lab) stemAt(world *sim.World, steps int, rest *sim.Rest) *stem {
	state := &sim.State{Rest: rest}
	if l.World.Start != nil {
		state.Nodes = l.World.Start.Nodes
	}
	return &stem{steps: steps, at: world.Now(), state: state}
}

// config returns the configuration of a world of the laboratory, with a controller of its own.
func (l *Lab) config() sim.Config {
	c := release.Config(l.Profile, l.World)
	if l.Controller != nil {
		c.Controller = l.Controller(l.Profile)
	}
	c.Until = cmp.Or(c.Until, Patience)
	c.Header.Format = timeline.FormatVersion
	c.Header.Kubernetes = cmp.Or(c.Header.Kubernetes, l.Profile.Version())
	c.Header.PreRelease = l.Profile.PreRelease()
	return c
}

// Run plays a script and returns its timeline, from the header to the result. If a command never returns, the deeds
// after it are not played.
func (l *Lab) Run(script Script) []timeline.Event {
	events, _ := l.run(script, nil)
	return events
}

// State returns the cluster at the end of a script. Times count from there.
func (l *Lab) State(script Script) *sim.State {
	if begun := l.Begun(script); begun.stem != nil && begun.stem != l.stem {
		return begun.stem.objects
	}
	world, _ := l.play(nil, slices.Concat(l.Before, script.Steps(len(l.Before))), nil)
	return world.State()
}

// settled is called with a world that has settled after all steps. It may look at the world and save it.
type settled func(world *sim.World, steps int)

// run is Run, and also returns how many of the deeds were played. A deed that waits for the command before it needs
// the instant at which that returns, which only a run shows: so the script is played up to that instant first, and
// then continues from there. A script with n such deeds is played in n+1 parts, each from the last point.
func (l *Lab) run(script Script, whole settled) (events []timeline.Event, played int) {
	before, from := len(l.Before), l.stem
	steps := slices.Concat(l.Before, script.Steps(before))
	for i := 1; i < len(script); i++ {
		if script[i].Prompt {
			steps[before+i].When = sim.When{Trigger: sim.After}
		}
	}
	first := 1
	if from.carries(steps, l.config().Until) {
		first = max(first, from.steps-before+1)
	}
	for i := first; i < len(script); i++ {
		if !script[i].Prompt || script[i-1].Returns == nil {
			continue
		}
		next, at, hangs := l.await(from, steps[:before+i], script[i-1].Returns)
		if hangs != nil {
			return hangs, i
		}
		steps[before+i].When = sim.When{Trigger: sim.At, D: time.Duration(at)}
		from = next
	}
	_, events = l.play(from, steps, whole)
	return events, len(script)
}

// play plays steps, from the stem if it carries them. whole is called when all has settled; nil is not called.
func (l *Lab) play(from *stem, steps []sim.Step, whole settled) (*sim.World, []timeline.Event) {
	config := l.config()
	if whole != nil {
		config.Settled = func(world *sim.World) { whole(world, len(steps)) }
	}
	if !from.carries(steps, config.Until) {
		world := sim.New(config)
		return world, world.Run(steps)
	}
	config.Start = from.state
	world := sim.New(config)
	events := world.Run(steps[from.steps:])
	header := config.Header
	header.Until = config.Until
	events[0].Run = &header
	return world, events
}

// isStep says whether an event is the step of that number.
func isStep(e *timeline.Event, number int) bool { return e.Step != nil && e.Step.Number == number }

// StepAt returns the index of the event of the step with that number, -1 if the run ended before it.
func StepAt(events []timeline.Event, number int) int {
	for i := range events {
		if isStep(&events[i], number) {
			return i
		}
	}
	return -1
}

// Store creates a set in the API server. It returns the set as stored, with defaults, or the refusal.
func (l *Lab) Store(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	stored, _, err := l.Change(set, nil)
	return stored, err
}

// Change lets the API server take a new set, and then a change of it. It returns the set as stored before and after,
// and the refusal of either: the one of the change if there is a set before. A nil change leaves the set as it is. If
// the world of the laboratory begins with the set, that one is changed. Nothing is played after that, so it costs
// little.
func (l *Lab) Change(set *model.StatefulSet, change func(*model.StatefulSet) (*model.StatefulSet, *model.APIError)) (
	before, after *model.StatefulSet, refusal *model.APIError) {
	c := l.config()
	if c.Start == nil {
		return sim.CreateAndChange(c.API, set, change)
	}
	c.MaxEvents, c.Until = 0, 1
	acted := false
	sim.New(c).Run([]sim.Step{{Number: 1, Verb: "create", When: sim.When{Trigger: sim.At}, Act: func(u *sim.User) sim.Outcome {
		acted = true
		if before = u.Set(set.Key()); before == nil {
			before, refusal = u.Create(set)
		}
		if refusal != nil || change == nil {
			after = before
			return sim.Outcome{Effect: timeline.None}
		}
		next, err := change(before)
		if err == nil {
			after, err = u.Update(next)
		}
		refusal = err
		return sim.Outcome{Effect: timeline.None}
	}}})
	if !acted {
		panic(fmt.Sprintf("play: the API server was never asked about %s", set.Key()))
	}
	return before, after, refusal
}
