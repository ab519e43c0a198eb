package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Fault is something that goes wrong when its trigger fires. Exactly one of At, Write and Pod is its trigger, and
// exactly one of Error, LoseAnswer and Act is what it does; the first two go with Write. It is shared by all worlds
// of a configuration and never changes; what a run counts is in armed.
type Fault struct {
	// Number counts the faults of a scenario from 1. Name, Verb, Does and Trigger are for the timeline.
	Number                    int
	Name, Verb, Does, Trigger string

	// At is the instant of a fault that happens at a time.
	At *time.Duration
	// Write is for faults that happen at writes of the controller. Pod is for faults that happen when a pod enters
	// a state: it reports whether the event is such a state. Reads never trigger a fault.
	Write *WriteMatch
	Pod   func(*timeline.Event) bool

	// Chance is the probability that the fault happens when its trigger fires; the zero value means always.
	Chance Chance
	// Times is the greatest number of times that it happens; 0 means no limit.
	Times int

	// Error is the controller's answer instead of its write, which is not made. Message is its text; "" is the
	// API's.
	Error   model.ErrorReason
	Message string
	// LoseAnswer lets the write be made, and gives the controller a timeout instead of the answer.
	LoseAnswer bool
	// Act does anything that a step can do. A fault at a write acts when the write has been made, before its answer; it
	// acts also if the write was refused.
	Act func(*User) Outcome
}

// WriteMatch selects the writes of the controller that a fault is for: the Nth write that satisfies all conditions
// that are set, and the following ones.
type WriteMatch struct {
	// Verbs and Kinds are those that match; empty is any.
	Verbs []model.Verb
	Kinds []model.Kind
	// Name and Namespace are globs, "" is any.
	Name, Namespace string
	// Nth counts from 1.
	Nth int
}

// matches reports whether a call satisfies all conditions but Nth, which counts the calls that do.
func (m *WriteMatch) matches(call *model.Call) bool {
	return (len(m.Verbs) == 0 || slices.Contains(m.Verbs, call.Verb)) &&
		(len(m.Kinds) == 0 || slices.Contains(m.Kinds, call.Kind)) && (m.Name == "" || glob.Match(m.Name, call.Key.Name)) &&
		(m.Namespace == "" || glob.Match(m.Namespace, call.Key.Namespace))
}

// Chance is the probability Of/Among. The zero value is certain.
type Chance struct{ Of, Among int }

// draw reports whether it happens. It draws nothing if the outcome is certain.
func (c Chance) draw(chooser choose.Chooser) bool {
	return c.Among == 0 || chooser.Choose(choose.Fault, c.Among) >= c.Among-c.Of
}

// armed is a fault during a run, with its counts.
type armed struct {
	*Fault
	// seen counts the writes that have matched, fired the times that it has happened. fired <= Times unless Times is 0.
	seen, fired int
}

// spent reports whether the fault has happened as often as it may.
func (f *armed) spent() bool { return f.Times > 0 && f.fired >= f.Times }

// endless reports whether the fault hits each of its writes forever, so that another attempt is useless. A retry
// after any other fault may succeed, and so it keeps the run open.
func (f *armed) endless() bool { return f.Times == 0 && f.Chance.Among == 0 }

// faults are the faults of a world: all of them in their order, and apart those that wait for a write, and those that
// wait for a pod. It implements manager.Faults.
type faults struct {
	w           *World
	all         []*armed
	write, pods []*armed
}

// strike is the only event: a fault acts outside of any write, if its chance allows it. N is its index in all.
const strike uint8 = 0

var faultNames = []string{"strike"}

// newFaults returns the faults of a configuration, none of them triggered yet, and takes over the events of the room.
func newFaults(w *World) *faults {
	f := &faults{w: w}
	for i := range w.config.Faults {
		armed := &armed{Fault: &w.config.Faults[i]}
		f.all = append(f.all, armed)
		switch {
		case armed.At != nil:
		case armed.Write != nil:
			f.write = append(f.write, armed)
		default:
			f.pods = append(f.pods, armed)
		}
	}
	w.kernel.Handle(kernel.Faults, faultNames, f)
	return f
}

// Happen lets a fault act outside of any write. Only the kernel calls it.
func (f *faults) Happen(e kernel.Event) {
	if armed := f.all[e.N]; f.happens(armed) {
		f.act(armed)
	}
}

// Keep does nothing, since no fault is called off.
func (*faults) Keep(kernel.Event, *kernel.Timer) {}

// arm sets the timers of the faults that happen at an instant. It is called once, at the start of the world; a
// world that continues another one gets the timers with the queue.
func (f *faults) arm() {
	for i, armed := range f.all {
		if armed.At != nil {
			f.strikeAt(model.Time(*armed.At), i)
		}
	}
}

// strikeAt schedules the fault with the index n.
func (f *faults) strikeAt(t model.Time, n int) {
	f.w.kernel.At(t, kernel.ByFault, kernel.Event{Room: kernel.Faults, Kind: strike, N: int32(n)})
}

// happens draws whether the fault happens, and counts it if it does. A fault that is spent draws nothing.
func (f *faults) happens(armed *armed) bool {
	if armed.spent() || !armed.Chance.draw(f.w.kernel.Chooser()) {
		return false
	}
	armed.fired++
	return true
}

// act carries out a fault. The event of the fault comes first, and is completed afterwards.
func (f *faults) act(armed *armed) {
	w := f.w
	at := len(w.Events())
	note := f.note(armed)
	outcome := armed.Act(&User{w})
	note.Effect, note.Sets, note.Removed = outcome.Effect, outcome.Sets, outcome.Removed
	if outcome.Err != nil {
		note.Effect, note.Refusal = timeline.Refused, outcome.Err.Message
	}
	w.locate(&w.Events()[at], &outcome)
	if outcome.Warning != "" {
		w.kernel.Warn("fault %d: %s", armed.Number, outcome.Warning)
	}
}

// faultActors are the actors that the timeline names for a fault, if it is not a user.
var faultActors = map[string]timeline.Actor{
	"error": timeline.APIServer, "loseAnswer": timeline.APIServer, "watch": timeline.APIServer,
	"restartController": timeline.Controller, "fail": timeline.Kubelet, "unready": timeline.Kubelet,
	"recover": timeline.Kubelet,
}

// note puts a fault into the timeline, and returns the entry, to be completed once the fault has acted.
func (f *faults) note(armed *armed) *timeline.Fault {
	actor, known := faultActors[armed.Verb]
	if !known {
		actor = timeline.User
	}
	note := &timeline.Fault{
		Number: armed.Number, Name: armed.Name, Verb: armed.Verb, Does: armed.Does, Trigger: armed.Trigger,
	}
	f.w.kernel.Record(timeline.Entry{Kind: timeline.KindFault, Actor: actor, Fault: note})
	return note
}

// SeePod lets the faults happen that wait for a pod to enter this state. They do so within the instant, as events of
// their own, since a watch must not write. The record must have seen the change before.
func (f *faults) SeePod(*store.Change) {
	if len(f.pods) == 0 {
		return
	}
	e := f.w.audit.Entered()
	if e == nil {
		return
	}
	for n, armed := range f.all {
		if armed.Pod != nil && !armed.spent() && armed.Pod(e) {
			f.strikeAt(f.w.Now(), n)
		}
	}
}

// Armed reports whether a write of the controller may go wrong at all.
func (f *faults) Armed() bool { return len(f.write) > 0 }

// AtWrite makes a write of the controller for a set, with the faults that it meets; see manager.Faults. The first
// fault with an error decides, and the write is not made; otherwise it is made, and the others act in their order.
// All faults that match are counted before any of them acts.
func (f *faults) AtWrite(
	set model.Key, call *model.Call, send func(*model.Call) model.Reply,
) (reply model.Reply, met manager.Met) {
	hits := f.hits(call)
	for _, armed := range hits {
		if armed.Error != 0 {
			f.noteWrite(set, armed, call)
			met.Passing = !armed.endless()
			if armed.Error == model.NotFound && call.Verb == model.Delete && f.w.store.Pod(call.Key) != nil {
				met.Misled = call.Key.Name
			}
			return model.Reply{Err: store.Fail(armed.Error, call.Kind, call.Key.Name, armed.Message)}, met
		}
	}
	reply = send(call)
	for _, armed := range hits {
		if !armed.LoseAnswer {
			f.act(armed)
			continue
		}
		f.noteWrite(set, armed, call)
		met.Passing = met.Passing || !armed.endless()
		if reply.Err == nil {
			reply, met.Lost = model.Reply{Err: store.Lost(call.Verb, call.Kind)}, true
		}
	}
	return reply, met
}

// hits returns the faults that happen at a write.
func (f *faults) hits(call *model.Call) []*armed {
	var hits []*armed
	for _, armed := range f.write {
		if !armed.Write.matches(call) {
			continue
		}
		if armed.seen++; armed.seen >= armed.Write.Nth && f.happens(armed) {
			hits = append(hits, armed)
		}
	}
	return hits
}

// noteWrite notes a fault of a write: the write, and its set.
func (f *faults) noteWrite(set model.Key, armed *armed, call *model.Call) {
	note := f.note(armed)
	note.Does = fmt.Sprintf("%s %s %s: %s", call.Verb, call.Kind, call.Key.Name, armed.Does)
	note.Effect = timeline.Done
	about := timeline.About(set, "")
	if call.Kind == model.KindPod {
		about.Pod = call.Key.Name
	}
	f.w.Events()[len(f.w.Events())-1].Subject = about
}
