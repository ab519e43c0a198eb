package play

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Patience ends a run that never settles. No change window is longer.
const Patience = 30 * 24 * time.Hour

// Lab is a place in which scripts are played, each in a world of its own that is made alike. It is a value: a copy with
// something changed is another laboratory.
type Lab struct {
	// Profile is the version of Kubernetes.
	Profile statefulset.Profile
	// World is what worlds are made of. The controller and the API server of the Profile are filled in, and so are the
	// format and, where the header names none, the version; Until is Patience where it is 0.
	World sim.Config
	// Before are steps that come before each script: those of a scenario. They are numbered from 1.
	Before []sim.Step
}

// config is what a world of the laboratory is made of.
func (l *Lab) config() sim.Config {
	c := l.World
	c.Controller, c.API = statefulset.New(l.Profile), l.Profile.API()
	c.Until = cmp.Or(c.Until, Patience)
	c.Header.Format = timeline.FormatVersion
	c.Header.Kubernetes = cmp.Or(c.Header.Kubernetes, l.Profile.Version())
	return c
}

// Run plays a script and returns its timeline. Where a command never returns, what would come after it is not played.
// For each deed that waits for a command the script up to there is played once more.
func (l *Lab) Run(script Script) []timeline.Event {
	events, _ := l.run(script)
	return events
}

// State is the cluster at the end of a script, whose times count from there.
func (l *Lab) State(script Script) *sim.State {
	world := sim.New(l.config())
	world.Run(slices.Concat(l.Before, script.Steps(len(l.Before))))
	return world.State()
}

// run is Run. It says as well how many of the deeds were played.
func (l *Lab) run(script Script) (events []timeline.Event, played int) {
	before := len(l.Before)
	steps := slices.Concat(l.Before, script.Steps(before))
	for i := 1; i < len(script); i++ {
		if !script[i].Prompt {
			continue
		}
		step := &steps[before+i]
		step.When = sim.When{Trigger: sim.After}
		if script[i-1].Returns == nil {
			continue
		}
		soFar := l.play(steps[:before+i])
		at, returns := returned(soFar, before+i, script[i-1].Returns)
		if !returns {
			return soFar, i
		}
		step.When = sim.When{Trigger: sim.At, D: time.Duration(at)}
	}
	return l.play(steps), len(script)
}

func (l *Lab) play(steps []sim.Step) []timeline.Event { return sim.New(l.config()).Run(steps) }

// returned finds when the command of the step with that number returns.
func returned(events []timeline.Event, number int, returns Returns) (at model.Time, found bool) {
	begin := StepAt(events, number)
	if begin < 0 {
		return 0, false
	}
	m := &Moment{Pods: map[model.Key]Pod{}}
	for i := range begin {
		m.apply(&events[i])
	}
	done := returns(m)
	for i := begin; i < len(events); i++ {
		m.apply(&events[i])
		if fixed := i+1 == len(events) || events[i+1].T != events[i].T; fixed && done(m) {
			return m.T, true
		}
	}
	return 0, false
}

func isStep(e *timeline.Event, number int) bool { return e.Step != nil && e.Step.Number == number }

// StepAt returns the index of the event of the step with that number, -1 where the run ended before it.
func StepAt(events []timeline.Event, number int) int {
	for i := range events {
		if isStep(&events[i], number) {
			return i
		}
	}
	return -1
}

// Store lets the API server take a new set: it returns the set as stored, with the defaults of the version, or the
// refusal.
func (l *Lab) Store(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	stored, _, err := l.Change(set, nil)
	return stored, err
}

// Change lets the API server take a new set, and then a change of it. It returns the set as stored before and after,
// and the refusal of either: the one of the change where there is a set before. A nil change leaves the set as it is.
// Where the world of the laboratory begins with the set, that one is changed.
func (l *Lab) Change(set *model.StatefulSet, change func(*model.StatefulSet) (*model.StatefulSet, *model.APIError)) (
	before, after *model.StatefulSet, refusal *model.APIError) {
	c := l.config()
	c.MaxEvents = 1
	at := sim.When{}
	if c.Start != nil {
		c.MaxEvents, c.Until, at = 0, 1, sim.When{Trigger: sim.At}
	}
	acted := false
	sim.New(c).Run([]sim.Step{{Number: 1, Verb: "create", When: at, Act: func(u *sim.User) sim.Outcome {
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
