package play

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// await plays steps up to the moment at which the command of the last one returns. It returns that instant, and the
// point from which a run goes on there. If the command never returns, hangs is the whole run, which is otherwise nil.
// If it returns only where a livelock ends the run, which is no fixed point, a run goes on from the same point as this.
func (l *Lab) await(from *stem, steps []sim.Step, returns Returns) (next *stem, at model.Time, hangs []timeline.Event) {
	asks := asking{returns: returns, number: len(steps), now: Moment{Pods: map[model.Key]Pod{}}}
	held, lab := false, *l
	lab.World.Watch = func(world *sim.World) {
		if l.World.Watch != nil {
			l.World.Watch(world)
		}
		if !held && asks.done(world.Events()) {
			next, held = l.hold(world, len(steps)), true
		}
	}
	lab.World.Interrupted = func() bool { return held || l.World.Interrupted != nil && l.World.Interrupted() }
	_, events := lab.play(from, steps, nil)
	switch {
	case held:
		return next, next.at, nil
	case asks.done(events):
		return from, asks.now.T, nil
	}
	return nil, 0, events
}

// asking asks whether the command of a step has returned, as a run goes on.
type asking struct {
	returns Returns
	number  int
	// now is the cluster after so many events. has is nil until the step acts.
	now    Moment
	events int
	has    func(*Moment) bool
}

// done says whether the command has returned by the end of these events, of which it has seen the first ones before.
// It returns at the first fixed point at or after the step at which its condition holds.
func (a *asking) done(events []timeline.Event) bool {
	more := events[a.events:]
	a.events = len(events)
	for i := range more {
		if isStep(&more[i], a.number) {
			a.has = a.returns(&a.now)
		}
		a.now.apply(&more[i])
	}
	return len(more) > 0 && a.has != nil && a.has(&a.now)
}
