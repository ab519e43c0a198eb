package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A world can be driven from outside, an instant at a time, by something that is no scenario: Begin, then Act and Move
// in any order, then End. After each of them the controller is at its fixed point.

// Begin opens the timeline and lets the world come to its first fixed point.
func (w *World) Begin() {
	header := w.config.Header
	header.Until = w.config.Until
	w.record(timeline.Event{Kind: timeline.KindRun, Run: &header})
	w.arm()
	if w.config.Machinery.Resync > 0 {
		w.resync()
	}
	w.tick()
}

// Over says whether the run has ended: by a livelock, a limit, a refusal, or because it was interrupted.
func (w *World) Over() bool { return w.verdict != "" }

// Next is the instant at which the next thing happens that may still change something. There is none where the world
// has settled, or the run is over.
func (w *World) Next() (t model.Time, any bool) {
	if w.Over() || !w.open() {
		return 0, false
	}
	return w.queue.Peek()
}

// Move moves the clock to an instant, which must not be after the next one at which something happens, and lets all
// happen there.
func (w *World) Move(t model.Time) {
	w.moveTo(t)
	w.tick()
}

// Act lets a user do a step, and the controller answer it in the same instant.
func (w *World) Act(step *Step) { w.act(step) }

// End closes the timeline with the result and returns it.
func (w *World) End() []timeline.Event {
	w.killAll()
	w.finish()
	return w.events
}
