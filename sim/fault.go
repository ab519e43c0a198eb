package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/glob"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Fault is something that goes wrong when its trigger says so. Exactly one of At, Write and Pod is its trigger, and
// exactly one of Error, LoseAnswer and Act is what it does; the first two go with Write.
type Fault struct {
	// Number counts the faults of a scenario from 1. Name, Verb, Does and Trigger are for the timeline.
	Number                    int
	Name, Verb, Does, Trigger string

	// At is the instant of a fault that happens at a time.
	At *time.Duration
	// Write is for faults that happen at writes of the controller, Pod for those that happen when a pod enters a state.
	Write *WriteMatch
	Pod   func(*timeline.Event) bool

	// Chance is how likely the fault is each time that its trigger says so; the zero value is certain.
	Chance Chance
	// Times is how often it happens at most; 0 is without end.
	Times int

	// Error is the error that the controller gets instead of its write. Message is its text, "" is what the API says.
	Error   model.ErrorReason
	Message string
	// LoseAnswer lets the write be made, and the controller get a timeout.
	LoseAnswer bool
	// Act does anything that a step can do. A fault at a write acts when the write has been made, before its answer.
	Act func(*User) Outcome
}

// WriteMatch says which writes of the controller a fault is for: the Nth of those that satisfy all that is given, and
// those after it.
type WriteMatch struct {
	// Verbs and Kinds are those that match; empty is any.
	Verbs []model.Verb
	Kinds []model.Kind
	// Name and Namespace are globs, "" is any.
	Name, Namespace string
	// Nth counts from 1.
	Nth int
}

func (m *WriteMatch) matches(call *model.Call) bool {
	return (len(m.Verbs) == 0 || slices.Contains(m.Verbs, call.Verb)) &&
		(len(m.Kinds) == 0 || slices.Contains(m.Kinds, call.Kind)) &&
		(m.Name == "" || glob.Match(m.Name, call.Key.Name)) &&
		(m.Namespace == "" || glob.Match(m.Namespace, call.Key.Namespace))
}

// Chance is a probability as a fraction: Of one in Among. The zero value is certain.
type Chance struct{ Of, Among int }

// draw says whether it happens. What is certain draws nothing.
func (c Chance) draw(chooser choose.Chooser) bool {
	return c.Among == 0 || chooser.Choose(choose.Fault, c.Among) >= c.Among-c.Of
}

// armed is a fault during a run.
type armed struct {
	*Fault
	// seen counts the writes that have matched, fired how often the fault has happened.
	seen, fired int
}

func (f *armed) spent() bool { return f.Times > 0 && f.fired >= f.Times }

// endless says whether the fault hits each of its writes for ever, so that nothing is gained by another attempt.
func (f *armed) endless() bool { return f.Times == 0 && f.Chance.Among == 0 }

// arm makes the faults of the configuration ready.
func (w *World) arm() {
	for i := range w.config.Faults {
		f := &armed{Fault: &w.config.Faults[i]}
		switch {
		case f.At != nil:
			at := model.Time(*f.At)
			w.queue.Schedule(at, byFault, false, event{do: func() { w.strike(f) }})
		case f.Write != nil:
			w.writeFaults = append(w.writeFaults, f)
		default:
			w.podFaults = append(w.podFaults, f)
		}
	}
}

// happens counts a trigger and says whether the fault happens.
func (w *World) happens(f *armed) bool {
	if f.spent() || !f.Chance.draw(w.chooser) {
		return false
	}
	f.fired++
	return true
}

// strike lets a fault that acts by itself happen, if chance will have it so.
func (w *World) strike(f *armed) {
	if w.happens(f) {
		w.actOut(f)
	}
}

// actOut does what a fault does and notes it.
func (w *World) actOut(f *armed) {
	actor, why := w.actor, w.why
	at := len(w.events)
	note := w.noteFault(f)
	w.actor, w.why = timeline.User, model.Why{}
	outcome := f.Act(&User{w})
	w.actor, w.why = actor, why
	note.Effect, note.Sets, note.Removed = outcome.Effect, outcome.Sets, outcome.Removed
	if outcome.Err != nil {
		note.Effect, note.Refusal = timeline.Refused, outcome.Err.Message
	}
	w.locate(&w.events[at], &outcome)
	if outcome.Warning != "" {
		w.warnings = append(w.warnings, fmt.Sprintf("fault %d: %s", f.Number, outcome.Warning))
	}
}

// faultActors are who the timeline says did it, where that is not a user.
var faultActors = map[string]timeline.Actor{
	"error": timeline.APIServer, "loseAnswer": timeline.APIServer, "watch": timeline.APIServer,
	"restartController": timeline.Controller, "fail": timeline.Kubelet, "unready": timeline.Kubelet,
}

// noteFault puts a fault into the timeline. What came of it is filled in afterwards.
func (w *World) noteFault(f *armed) *timeline.Fault {
	actor, known := faultActors[f.Verb]
	if !known {
		actor = timeline.User
	}
	note := &timeline.Fault{Number: f.Number, Name: f.Name, Verb: f.Verb, Does: f.Does, Trigger: f.Trigger}
	w.record(timeline.Event{Kind: timeline.KindFault, Actor: actor, Fault: note})
	return note
}

// faultsAtPod lets the faults happen that wait for a pod to enter this state. They do so within the instant, but not in
// the middle of the write that tells it.
func (w *World) faultsAtPod(e *timeline.Event) {
	for _, f := range w.podFaults {
		if !f.spent() && f.Pod(e) {
			w.queue.Schedule(w.Now(), byFault, false, event{do: func() { w.strike(f) }})
		}
	}
}

// faultsAtWrite makes a write of the controller, with the faults that it meets. lost says that the controller does not
// learn what came of it.
func (w *World) faultsAtWrite(r *running, call *model.Call) (reply model.Reply, lost bool) {
	var hits []*armed
	for _, f := range w.writeFaults {
		if !f.Write.matches(call) {
			continue
		}
		if f.seen++; f.seen >= f.Write.Nth && w.happens(f) {
			hits = append(hits, f)
		}
	}
	for _, f := range hits {
		if f.Error != 0 {
			w.noteWriteFault(r, f, call)
			if f.Error == model.NotFound && call.Verb == model.Delete && w.store.Pod(call.Key) != nil {
				r.misled = call.Key.Name
			}
			return model.Reply{Err: store.Fail(f.Error, call.Kind, call.Key.Name, f.Message)}, false
		}
	}
	reply = w.send(call)
	for _, f := range hits {
		if !f.LoseAnswer {
			w.actOut(f)
			continue
		}
		w.noteWriteFault(r, f, call)
		if reply.Err == nil {
			reply, lost = model.Reply{Err: store.Lost(call.Verb, call.Kind)}, true
		}
	}
	return reply, lost
}

// noteWriteFault notes a fault of a write: which write it was, and of which set.
func (w *World) noteWriteFault(r *running, f *armed, call *model.Call) {
	r.faulted = r.faulted || !f.endless()
	note := w.noteFault(f)
	note.Does = fmt.Sprintf("%s %s %s: %s", call.Verb, call.Kind, call.Key.Name, f.Does)
	note.Effect = timeline.Done
	e := &w.events[len(w.events)-1]
	e.Set = r.key
	if call.Kind == model.KindPod {
		e.Pod = call.Key.Name
	}
}
