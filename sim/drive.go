package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A world can be driven from outside, one instant at a time, by something other than a scenario: Begin, then Act,
// Move, Advance and Settle in any order, then End. After each of them the controller is at its fixed point: nothing
// is due, and no set waits for a sync. Run is written with them.

// Begin opens the timeline and lets the world reach its first fixed point. It is called once, at first; Run calls open.
func (w *World) Begin() {
	w.open()
	w.tick()
}

// open records the header, loads the start state of the world, and arms the faults. A world that continues another
// one has the other world's timeline, with its header.
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

// Over reports whether the run has ended early: by a limit, a refusal, a livelock or an interruption. After that,
// no call has an effect.
func (w *World) Over() bool { return w.kernel.Result.Verdict != "" }

// Next returns the instant of the next event, and false if the world is settled: nothing that could still change
// anything is left then, though a background event, such as a retry, may still be pending. The controller must be
// at its fixed point. The next event may itself be a background event, as long as something else keeps the run
// open.
func (w *World) Next() (model.Time, bool) {
	if w.Over() || !w.goesOn() {
		return 0, false
	}
	return w.kernel.Peek()
}

// Settle lets the world run until nothing is left that could still change something. Every event that is not in the
// background keeps it going. Retries and periodic checks would continue forever, so they keep it going only if they
// may find a change: the retry of a failed sync, the retry of a drain, and a sync that takes time and began before
// the last change.
func (w *World) Settle() {
	for !w.Over() {
		w.tick()
		next, open := w.Next()
		if !open {
			break
		}
		w.moveTo(next)
	}
}

// goesOn reports whether anything is left that keeps a run open.
func (w *World) goesOn() bool {
	return w.kernel.Open() || w.manager.MayHelp() || w.disruption.DrainMayHelp()
}

// Move moves the clock to an instant, and lets everything happen there, up to the fixed point. It panics if an
// event is due before that instant.
func (w *World) Move(t model.Time) {
	w.moveTo(t)
	w.tick()
}

// Advance lets the world run up to an instant, which must not have passed, and stops the clock there, at a fixed
// point. Unlike Settle it continues even if only background events are left. Advance(Now()) only brings the controller
// to its fixed point. It stops at an earlier instant if one of unless, which are asked at each, says so.
func (w *World) Advance(target model.Time, unless ...func() bool) {
	stops := func(stop func() bool) bool { return stop() }
	for !w.Over() {
		w.tick()
		if w.Over() || w.Now() == target || slices.ContainsFunc(unless, stops) {
			break
		}
		next, any := w.kernel.Peek()
		if !any || next > target {
			next = target
		}
		w.moveTo(next)
	}
}

// Act lets a user do a step at this instant, whatever the step's When says, and the controller answer it, up to the
// fixed point. The world must be at a fixed point. A refusal that the step does not expect ends the run.
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
		waited = w.history.waitedFor(step.When)
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
	if outcome.Effect.Changes() {
		w.kernel.Changes++
	}
	w.manager.NewInstant(w.limits.patience)
	w.limits.crowded()
	w.tick()
}

// Release ends the suspended syncs and frees the coroutines that they run on, which the garbage collector cannot
// free: call it for a world that is abandoned before its end. End does it too. The controller writes nothing
// afterwards.
func (w *World) Release() { w.manager.Kill() }

// End judges how the run ended and closes the timeline, which it returns as Run does.
func (w *World) End() []timeline.Event {
	w.Release()
	w.finish()
	w.history.handOn()
	return w.Events()
}
