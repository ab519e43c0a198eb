// Package kernel is the base of all rooms of the world: the clock with the pending events, the one source of
// chance, and the record of what has happened. It does not know the rooms.
//
// Invariants: time never goes back and never passes a pending event; one chooser decides everything that is not
// determined, in an order that the code fixes; and events of the timeline are recorded in the order in which things
// happen.
//
// Every room schedules, draws and records here. Package sim alone lets time pass.
package kernel

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/eventqueue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The actors of the event queue: who acts, as far as order matters. Events of one actor at one instant happen in
// the order in which they were scheduled; the next actor is a choice. Their order here is not a priority.
const (
	ByKubelet eventqueue.Actor = iota
	ByScheduler
	ByController
	ByFault
	ByWatch
	ByBinder
	ByCollector
	ByCluster
	ByDNS
	// AfterSyncs are the controllers that are slower than a sync of the StatefulSet controller: the garbage
	// collector and the protection of claims after the end of a pod, and the pod garbage collector after it has set
	// a pod to Failed. See NextLate.
	AfterSyncs
)

// Actor is one of them.
type Actor = eventqueue.Actor

// Timer is a pending event, and the handle to cancel it. nil means none. A room that may cancel an event keeps its
// timer, and takes it over again when a world is loaded (Handler).
type Timer = eventqueue.Entry[Event]

// Kernel is the clock, the chance and the record of one world. It is used by one goroutine. All rooms may schedule,
// draw and record; the world alone lets time pass (Next, NextLate, Advance) and forgets events (Forget), and the
// manager alone shortens an instant (Shorten, Excise). The verdict that ends the run is in Result.
type Kernel struct {
	queue   eventqueue.Queue[Event]
	chooser choose.Chooser
	// rooms are filled by Handle while the world is wired, and do not change after that.
	rooms [rooms]room
	// events only grow, except in Shorten, Excise and Forget, and their times never fall. The code that records an event
	// may complete it within its instant; after that the event does not change.
	events []timeline.Event
	packer timeline.Packer
	// expected is the estimated number of events in the timeline, and ahead how many of these a later step will
	// cause.
	expected, ahead int
	// StepToCome is true if the user will act again, after the current step.
	StepToCome bool
	// Changes counts the steps of the user that have changed something.
	Changes int
	// Short is true if the timeline is never long, because it is forgotten; forgotten is the number of forgotten
	// events.
	Short     bool
	forgotten int
	// away are the rooms whose process does not run until an instant. Their events are put off in order.
	away  [rooms]bool
	until model.Time
	// Result is what is known about the end of the run: its verdict ("" while it runs), the writes that a livelock
	// repeats, and the warnings for the user.
	Result timeline.Result
	// spare is the memory that the kernel may use, nil until it is given one or needs a print.
	spare *Spare
	// lent is true if the timeline is also held outside the kernel.
	lent bool
}

// Spare is memory that kernels use one after the other, and hashes of objects that several worlds share. The zero
// value is ready to use. Only one kernel may use it at a time. print has these hashes; events is the memory of a
// timeline that is no longer read, and packer the memory of the parts that its events point at.
type Spare struct {
	print  Print
	events []timeline.Event
	packer timeline.Packer
}

// Handler is a room as the kernel knows it.
type Handler interface {
	// Happen carries out an event of the room.
	Happen(Event)
	// Keep takes the timer of a pending event, when a saved world is loaded or the event was put off. The room stores it
	// where it looks for it. A room that never cancels an event does nothing.
	Keep(Event, *Timer)
}

// room is a room that has events, with the names of their kinds by number.
type room struct {
	Handler
	kinds []string
}

// New returns a kernel at time 0. A nil chooser means choose.Dull.
func New(chooser choose.Chooser) *Kernel {
	if chooser == nil {
		chooser = choose.Dull
	}
	k := &Kernel{chooser: chooser}
	k.queue.Late(AfterSyncs)
	return k
}

// Handle sets the handler for the events of a room. kinds are the names of their kinds, by number; no event has
// another kind. It is called once for each room, before anything is scheduled for the room.
func (k *Kernel) Handle(of Room, kinds []string, handler Handler) { k.rooms[of] = room{handler, kinds} }

// Use gives a new kernel the memory that another one has left. It is called before the first event.
func (k *Kernel) Use(spare *Spare) {
	k.spare, k.events, k.packer = spare, spare.events[:0], spare.packer
	spare.events, spare.packer = nil, timeline.Packer{}
}

// Leave gives the memory of the timeline to the next kernel, unless somebody else has it. Nobody may read it then. It
// reports whether the world is left as a whole: nobody has a part of it.
func (k *Kernel) Leave() bool {
	if k.spare == nil || k.lent {
		return false
	}
	k.spare.events, k.spare.packer = k.events[:0], k.packer.Left()
	return true
}

// Now returns the current instant.
func (k *Kernel) Now() model.Time { return k.queue.Now() }

// At schedules an event at an instant that has not passed, else it panics; it costs O(log n). An event of the present
// instant still happens in it. The event keeps the run open.
func (k *Kernel) At(t model.Time, actor eventqueue.Actor, e Event) *Timer {
	return k.queue.Schedule(t, actor, false, e)
}

// Behind is At for an event in the background, which does not keep a run open: a vain retry, or a poll.
func (k *Kernel) Behind(t model.Time, actor eventqueue.Actor, e Event) *Timer {
	return k.queue.Schedule(t, actor, true, e)
}

// Cancel removes an event; its timer is not Pending afterwards. It does nothing if the timer is nil or the event has
// happened, so a room need not know whether its timer has expired.
func (k *Kernel) Cancel(t *Timer) { k.queue.Cancel(t) }

// Hasten moves a pending event to an earlier time, but not before now. It returns the event's new timer.
func (k *Kernel) Hasten(t *Timer, by time.Duration) *Timer {
	if !t.Pending() || by <= 0 {
		return t
	}
	k.queue.Cancel(t)
	return k.queue.Schedule(max(k.Now(), t.At.Add(-by)), t.Actor, t.Background, t.Payload)
}

// Peek returns the instant of the next event, in the background or not, and false if there is none.
func (k *Kernel) Peek() (model.Time, bool) { return k.queue.Peek() }

// Each calls yield for every pending event, in no particular order.
func (k *Kernel) Each(yield func(*Timer)) { k.queue.Each(yield) }

// Open reports whether a pending event keeps the run open: any event that is not in the background.
func (k *Kernel) Open() bool { return k.queue.Live() > 0 }

// Advance moves the clock forward. It panics if that would pass over an event.
func (k *Kernel) Advance(t model.Time) { k.queue.Advance(t) }

// Next carries out the next event that is due at this instant, and returns false if there is none. It leaves the
// events of the actor AfterSyncs to NextLate. Which of several actors is next is a choice.
func (k *Kernel) Next() bool {
	next := k.queue.Next(k.chooser)
	return next != nil && k.happen(next)
}

// NextLate carries out the next event of the actor AfterSyncs that is due at this instant. After the end of a pod,
// the garbage collector acts 10 to 45 ms later, and the sync comes within 1 to 20 ms (observed on 1.36.3, 10 of 10
// plays). So such an event happens when no sync waits.
func (k *Kernel) NextLate() bool { return k.happen(k.queue.NextLate(k.chooser)) }

// Away stops some rooms until an instant: their events that are due before it happen then, in their order. It
// replaces an earlier call, also for the events that were put off already.
func (k *Kernel) Away(until model.Time, which ...Room) {
	k.away, k.until = [rooms]bool{}, until
	for _, room := range which {
		k.away[room] = true
	}
	for _, timer := range k.queue.Scheduled() {
		if timer.Payload.PutOff {
			k.queue.Cancel(timer)
			k.putOff(timer)
		}
	}
}

// IsAway reports whether a room is stopped at this moment.
func (k *Kernel) IsAway(room Room) bool { return k.away[room] && k.Now() < k.until }

// Back returns when a room runs: at once, or when its process is back.
func (k *Kernel) Back(room Room) model.Time {
	if k.IsAway(room) {
		return k.until
	}
	return k.Now()
}

// happen carries out an event that was taken out of the queue, or puts it off if its room is away; false without one.
func (k *Kernel) happen(timer *Timer) bool {
	switch {
	case timer == nil:
		return false
	case k.IsAway(timer.Payload.Room):
		k.putOff(timer)
	default:
		timer.Payload.PutOff = false
		k.rooms[timer.Payload.Room].Happen(timer.Payload)
	}
	return true
}

// putOff schedules an event, which is no longer in the queue, for the return of its room. The room gets the new
// timer, so that it can still cancel the event.
func (k *Kernel) putOff(timer *Timer) {
	e := timer.Payload
	e.PutOff = true
	k.rooms[e.Room].Keep(e, k.queue.Schedule(k.until, timer.Actor, timer.Background, e))
}

// Due reports whether an event is due at this instant that Next would carry out. It does not ask the chooser.
func (k *Kernel) Due() bool { return k.queue.Due() }

// Choose answers a question that has n right answers, from 0. Every answer that is not determined by the state comes
// from here: each call is a place where runs may differ, so callers do not ask if n is 1.
func (k *Kernel) Choose(kind choose.Kind, n int) int { return k.chooser.Choose(kind, n) }

// Chooser makes the choices.
func (k *Kernel) Chooser() choose.Chooser { return k.chooser }

// Draw draws a delay; a nil delay is 0. never is true if the delay never ends; then wait means nothing.
func (k *Kernel) Draw(delay behaviour.Delay) (wait model.Time, never bool) {
	if delay == nil {
		return 0, false
	}
	ns, never := delay.Draw(k.chooser)
	return model.Time(ns), never
}

// Takes draws a delay that must not be endless, such as the delay of a call. Never counts as 0.
func (k *Kernel) Takes(delay behaviour.Delay) time.Duration {
	d, _ := k.Draw(delay)
	return time.Duration(d)
}

// Record adds an event of this instant to the timeline. The pointer is valid until the next event is recorded; until
// then the caller may complete the event.
func (k *Kernel) Record(e timeline.Entry) *timeline.Event { return k.RecordLike(&e, timeline.Like{}) }

// RecordLike is Record for an event that may share with another event the parts that are equal in both. It sets the
// instant of the entry and does not keep the entry.
func (k *Kernel) RecordLike(e *timeline.Entry, like timeline.Like) *timeline.Event {
	e.T = k.Now()
	event := k.next()
	*event = k.packer.Pack(e, like)
	return event
}

// RecordParts is RecordLike for callers that have the parts of an event and no entry, which is the most frequent
// case. The caller fills in the fields that no part has: they are zero. The caller keeps the subject, and also the
// cause, unless it comes from Cause.
func (k *Kernel) RecordParts(
	kind timeline.Kind, actor timeline.Actor, s *timeline.Subject, c *timeline.Cause, like timeline.Like,
) *timeline.Event {
	event := k.next()
	// Field by field: an event that is put together elsewhere and copied at once costs more time.
	event.T, event.Kind, event.Actor = k.Now(), kind, actor
	event.State, event.Bare, event.Warning, event.Passing = timeline.NoState, false, false, false
	k.packer.Share(event, s, c, like)
	return event
}

// RecordOf is RecordParts for an event that is about a StatefulSet only.
func (k *Kernel) RecordOf(
	kind timeline.Kind, actor timeline.Actor, set model.Key, c *timeline.Cause,
) *timeline.Event {
	subject := k.packer.Set(set)
	return k.RecordParts(kind, actor, subject, c, timeline.Like{Subject: subject})
}

// Cause returns an empty cause for the next event, to be filled in for RecordParts or RecordOf, which keep it.
func (k *Kernel) Cause() *timeline.Cause { return k.packer.Draft() }

// OriginOf returns the origin of a subject that is a StatefulSet, or a pod known only by name. It is shared and
// must not be changed.
func (k *Kernel) OriginOf(set model.Key) *timeline.Origin { return k.packer.Set(set).Origin }

// next makes room for another event and returns its place, whose contents are undefined.
func (k *Kernel) next() *timeline.Event {
	if len(k.events) == cap(k.events) {
		k.events = slices.Grow(k.events, k.moreEvents())
	}
	k.events = k.events[:len(k.events)+1]
	return &k.events[len(k.events)-1]
}

// KeepWait attaches a wait to its event, which was just recorded.
func (k *Kernel) KeepWait(e *timeline.Event, w timeline.Wait) { e.Detail = k.packer.Wait(w) }

// KeepStatus attaches a copy of a status to its event, which was just recorded.
func (k *Kernel) KeepStatus(e *timeline.Event, status *model.Status) {
	e.Detail = k.packer.Status(status)
}

// Expect announces how many more events are likely to be recorded. It only affects how much memory is allocated for
// them.
func (k *Kernel) Expect(events int) {
	if k.Short {
		return
	}
	ahead := min(k.ahead, max(0, events))
	k.ahead -= ahead
	k.expected = max(k.expected, len(k.events)) + max(0, events) - ahead
}

// ExpectLater is Expect for events of a later step, if there is one. Expect does not count them again.
func (k *Kernel) ExpectLater(events int) {
	if k.StepToCome && !k.Short {
		k.Expect(events)
		k.ahead += events
	}
}

// moreEvents returns for how many more events to allocate memory when none is left. A run of thousands grows in few
// steps, which wastes less than append does. Most runs of a sweep have a few dozen events, and a run of a million must
// not ask for four million.
func (k *Kernel) moreEvents() int {
	const many = 1 << 16
	now := len(k.events)
	switch {
	case k.expected > now:
		return max(32, k.expected-now)
	case now >= many:
		return now / 2
	}
	return max(32, now)
}

// Events returns the timeline so far, without what Forget has dropped.
func (k *Kernel) Events() []timeline.Event { return k.events }

// Recorded returns the number of events of the timeline so far, with those that were forgotten.
func (k *Kernel) Recorded() int { return k.forgotten + len(k.events) }

// Forget drops the first n events of the timeline. No room may hold an index of an event.
func (k *Kernel) Forget(n int) {
	k.events = slices.Delete(k.events, 0, n)
	k.forgotten += n
}

// Shorten keeps the first events of this instant, left of them, and returns the number of events that it has dropped.
func (k *Kernel) Shorten(left int) (dropped int) {
	first := len(k.events)
	for first > 0 && k.events[first-1].T == k.Now() {
		first--
	}
	if dropped = len(k.events) - first - left; dropped > 0 {
		k.events = slices.Clip(k.events[:first+left])
	}
	return dropped
}

// Excise removes the events from one index up to before another, and returns their number. It is for the middle of
// an instant that repeats itself, when no room holds an index after it.
func (k *Kernel) Excise(from, to int) int {
	k.events = slices.Delete(k.events, from, to)
	return to - from
}

// Warn adds a warning for the user to the result. Warnings keep their order and repetitions.
func (k *Kernel) Warn(format string, args ...any) {
	k.Result.Warnings = append(k.Result.Warnings, fmt.Sprintf(format, args...))
}
