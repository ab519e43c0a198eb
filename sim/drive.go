package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A world can be driven from outside, an instant at a time, by something that is no scenario: Begin, then Act, Move,
// Advance and Settle in any order, then End. After each of them the controller is at its fixed point: nothing is due,
// and no set waits for a sync. Run is written with them.

// Begin opens the timeline and lets the world come to its first fixed point. It is called once, before all else.
func (w *World) Begin() {
	w.open()
	w.tick()
}

// open records the header, takes up the state that the world begins with, and arms the faults.
func (w *World) open() {
	if w.config.resumes() {
		w.config.Start.Rest.load(w)
		return
	}
	header := w.config.Header
	header.Until = w.config.Until
	w.kernel.Record(timeline.Entry{Kind: timeline.KindRun, Run: &header})
	if w.config.Start != nil {
		w.beginWith(w.config.Start)
	}
	w.faults.arm()
	w.manager.ResyncLater()
}

// Over says whether the run has ended early: by a limit, a refusal, a livelock or an interruption. Then nothing happens
// any more, whatever is called.
func (w *World) Over() bool { return w.kernel.Result.Verdict != "" }

// Next returns the instant of the next event, and false if the world is settled: nothing is left then that could change
// anything, though a background event, a retry say, may still come. The controller must be at its fixed point.
func (w *World) Next() (model.Time, bool) {
	if w.Over() || !w.goesOn() {
		return 0, false
	}
	return w.kernel.Peek()
}

// Settle lets the world run until nothing is left that could still change something. What keeps it going is an event
// that is not in the background, whatever it is; and of those who only try again or look again, which would go on for
// ever, the ones who may find the world changed: the retry of a failed sync, that of a drain, and a sync that takes
// time and began before the last change.
func (w *World) Settle() {
	for !w.Over() {
		w.tick()
		next, open := w.Next()
		if !open {
			return
		}
		w.moveTo(next)
	}
}

func (w *World) goesOn() bool {
	return w.kernel.Open() || w.manager.MayHelp() || w.disruption.DrainMayHelp()
}

// Move moves the clock to an instant, which must not be after the next one at which something happens, and lets all
// happen there.
func (w *World) Move(t model.Time) {
	w.moveTo(t)
	w.tick()
}

// Advance lets the world run up to an instant, which must not have passed, and stops the clock there. Advance(Now())
// only brings the controller to its fixed point.
func (w *World) Advance(target model.Time) {
	for !w.Over() {
		w.tick()
		if w.Over() || w.Now() == target {
			return
		}
		next, any := w.kernel.Peek()
		if !any || next > target {
			next = target
		}
		w.moveTo(next)
	}
}

// Act lets a user do a step at this instant, whatever the step's When says, and the controller answer it.
func (w *World) Act(step *Step) {
	if w.Over() {
		return
	}
	note := &timeline.Step{
		Number: step.Number, Name: step.Name, Verb: step.Verb, Does: step.Does,
		Trigger: step.When.Trigger.String(), Delay: step.When.D, ExpectedRefusal: step.Refused,
	}
	waited := ""
	if step.Until != nil {
		note.Trigger = step.Until.Command
	} else {
		waited = w.waitedFor(step.When)
	}
	at := len(w.Events())
	w.kernel.Record(timeline.Entry{Kind: timeline.KindStep, Actor: timeline.User, Step: note, Message: waited})
	outcome := step.Act(&User{w})
	note.Effect, note.Sets, note.Removed = outcome.Effect, outcome.Sets, outcome.Removed
	w.locate(&w.Events()[at], &outcome)
	if outcome.Warning != "" {
		w.kernel.Warn("step %d: %s", step.Number, outcome.Warning)
	}
	if outcome.Err != nil {
		w.refused(step, note, outcome.Err)
	}
	w.manager.NewInstant(w.limits.patience)
	w.limits.crowded()
	w.tick()
}

// Release lets go of the syncs that are suspended, and of the coroutines they run on, which no collector takes: for a
// world that is left before its end. End does it too. The controller writes nothing afterwards.
func (w *World) Release() { w.manager.Kill() }

// End judges how the run has ended and closes the timeline, which it returns as Run does.
func (w *World) End() []timeline.Event {
	w.Release()
	w.finish()
	w.history.handOn()
	return w.Events()
}
