// Package kernel is what all rooms of the world stand on: the clock with what is still to come, the one source of
// chance, and the record of what has happened. It knows none of the rooms.
package kernel

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The actors of the event queue: what is due at one instant happens in an order of its own within each, and which of
// them is next is a choice.
const (
	ByKubelet queue.Actor = iota
	ByScheduler
	ByController
	ByFault
	ByWatch
	ByBinder
	ByCollector
	ByCluster
	ByDNS
	// AfterSyncs are the controllers that are slower than a sync of the StatefulSet controller: the garbage collector and
	// the protection of claims when a pod is gone, and the pod garbage collector when it has set a pod to Failed. See
	// NextLate.
	AfterSyncs
)

// Actor is one of them.
type Actor = queue.Actor

// Timer is an event that is still to come, and the handle by which it can be cancelled. nil is none.
type Timer = queue.Entry[Event]

// Kernel is the clock, the chance and the record of one world. It is used by one goroutine. All rooms may schedule,
// draw and record; the world alone lets time pass (Next, NextLate, Advance), shortens the record and ends the run.
type Kernel struct {
	queue   queue.Queue[Event]
	chooser choose.Chooser
	// rooms are filled while the world is wired, by Handle and Keep, and stay as they are.
	rooms [rooms]room
	// events only grow, but for Shorten, and their times never fall. Whoever has recorded an event may complete it within
	// its instant; then it stays as it is.
	events []timeline.Event
	packer timeline.Packer
	// expected is the estimated number of events of the timeline.
	expected int
	// away are the rooms of which nothing happens before an instant: their process does not run. Their events are put off
	// when they are due, and keep their order among each other.
	away  [rooms]bool
	until model.Time
	// Result is what is known of the end of the run: its verdict ("" while it runs), the writes that a livelock repeats,
	// and the warnings for the user.
	Result timeline.Result
	spare  *Spare
	// lent says that somebody else has the timeline, too.
	lent bool
}

// Spare is memory that kernels use one after the other, and what is known of objects that several of them have. The
// zero value is ready to use.
type Spare struct {
	print  Print
	events []timeline.Event
}

// room handles the events of a room, names them, and keeps their timers.
type room struct {
	kinds  []string
	happen func(Event)
	keep   func(Event, *Timer)
}

// New returns a kernel at time 0. A chooser that is nil is choose.Dull.
func New(chooser choose.Chooser) *Kernel {
	if chooser == nil {
		chooser = choose.Dull
	}
	k := &Kernel{chooser: chooser}
	k.queue.Late(AfterSyncs)
	return k
}

// Handle says who lets the events of a room happen. kinds are their names, by their numbers: an event has no other. It
// is called once for each room, before anything is scheduled for it, and before Keep.
func (k *Kernel) Handle(of Room, kinds []string, happen func(Event)) {
	k.rooms[of] = room{kinds, happen, func(Event, *Timer) {}}
}

// Use gives a new kernel what another one has left.
func (k *Kernel) Use(spare *Spare) { k.spare, k.events, spare.events = spare, spare.events[:0], nil }

// Leave leaves the timeline to the next kernel, unless somebody else has it, too: nobody may look at it any more.
func (k *Kernel) Leave() {
	if k.spare != nil && !k.lent {
		k.spare.events = k.events[:0]
	}
}

// Now returns the current instant.
func (k *Kernel) Now() model.Time { return k.queue.Now() }

// At lets an event happen at an instant, which must not have passed; it costs O(log n).
func (k *Kernel) At(t model.Time, actor queue.Actor, e Event) *Timer {
	return k.queue.Schedule(t, actor, false, e)
}

// Behind is At for an event that keeps no run open.
func (k *Kernel) Behind(t model.Time, actor queue.Actor, e Event) *Timer {
	return k.queue.Schedule(t, actor, true, e)
}

// Cancel takes an event away, and the timer is not Pending afterwards. One that is nil or has happened is left alone,
// so a room need not know whether its timer has rung.
func (k *Kernel) Cancel(t *Timer) { k.queue.Cancel(t) }

// Hasten lets an event that is still to come happen so much earlier, but not before now. It returns its timer, which is
// another one.
func (k *Kernel) Hasten(t *Timer, by time.Duration) *Timer {
	if !t.Pending() || by <= 0 {
		return t
	}
	k.queue.Cancel(t)
	return k.queue.Schedule(max(k.Now(), t.At.Add(-by)), t.Actor, t.Background, t.Payload)
}

// Peek returns the instant of the next event, and false if there is none.
func (k *Kernel) Peek() (model.Time, bool) { return k.queue.Peek() }

// Each calls yield for every event that is to come, in no particular order.
func (k *Kernel) Each(yield func(*Timer)) { k.queue.Each(yield) }

// Open says whether something is to come that keeps the run open.
func (k *Kernel) Open() bool { return k.queue.Live() > 0 }

// Advance moves the clock forward. It panics if that would pass over an event.
func (k *Kernel) Advance(t model.Time) { k.queue.Advance(t) }

// Next lets the next event happen that is due at this instant, and returns false if there is none. What the garbage
// collector does to the claims of a pod that is gone is left to NextLate.
func (k *Kernel) Next() bool {
	next := k.queue.Next(k.chooser)
	return next != nil && k.happen(next)
}

// NextLate lets the garbage collector delete the next claim that is due at this instant. When a pod is gone the
// collector acts 10 to 45 ms later, and the sync comes within 1 to 20 ms (observed on 1.36.3, 10 of 10 plays): so it
// comes when no sync waits.
func (k *Kernel) NextLate() bool { return k.happen(k.queue.NextLate(k.chooser)) }

// Away lets nothing happen in some rooms before an instant: what is due for them comes then, in its order.
func (k *Kernel) Away(until model.Time, which ...Room) {
	k.away, k.until = [rooms]bool{}, until
	for _, room := range which {
		k.away[room] = true
	}
}

// IsAway says whether nothing happens in a room at this moment.
func (k *Kernel) IsAway(room Room) bool { return k.away[room] && k.Now() < k.until }

func (k *Kernel) happen(timer *Timer) bool {
	if timer == nil {
		return false
	}
	if k.IsAway(timer.Payload.Room) {
		k.queue.Schedule(k.until, timer.Actor, timer.Background, timer.Payload)
		return true
	}
	k.rooms[timer.Payload.Room].happen(timer.Payload)
	return true
}

// Due says whether Next would let an event happen.
func (k *Kernel) Due() bool { return k.queue.Due() }

// Choose answers a question that has n right answers, from 0.
func (k *Kernel) Choose(kind choose.Kind, n int) int { return k.chooser.Choose(kind, n) }

// Chooser makes the choices.
func (k *Kernel) Chooser() choose.Chooser { return k.chooser }

// Draw draws a delay. One that is not given is 0.
func (k *Kernel) Draw(delay behaviour.Delay) (wait model.Time, never bool) {
	if delay == nil {
		return 0, false
	}
	ns, never := delay.Draw(k.chooser)
	return model.Time(ns), never
}

// Takes draws how long something takes that comes to its end in any case.
func (k *Kernel) Takes(delay behaviour.Delay) time.Duration {
	d, _ := k.Draw(delay)
	return time.Duration(d)
}

// Record adds an event of this instant to the timeline. The pointer is valid until the next one.
func (k *Kernel) Record(e timeline.Entry) *timeline.Event { return k.RecordLike(&e, timeline.Like{}) }

// RecordLike is Record of an event that may share with another one what is equal in the two.
func (k *Kernel) RecordLike(e *timeline.Entry, like timeline.Like) *timeline.Event {
	e.T = k.Now()
	event := k.next()
	*event = k.packer.Pack(e, like)
	return event
}

// RecordParts is RecordLike for who has the parts of an event, and no entry: what happens most often. Of the event it
// takes what stands in it itself.
func (k *Kernel) RecordParts(
	e timeline.Event, s *timeline.Subject, c *timeline.Cause, like timeline.Like,
) *timeline.Event {
	e.T = k.Now()
	k.packer.Share(&e, s, c, like)
	event := k.next()
	*event = e
	return event
}

// RecordOf is RecordParts for an event that is about a set alone.
func (k *Kernel) RecordOf(e timeline.Event, set model.Key, c *timeline.Cause) *timeline.Event {
	subject := k.packer.Set(set)
	return k.RecordParts(e, subject, c, timeline.Like{Subject: subject})
}

// next makes room for another event.
func (k *Kernel) next() *timeline.Event {
	if len(k.events) == cap(k.events) {
		k.events = slices.Grow(k.events, k.moreEvents())
	}
	k.events = k.events[:len(k.events)+1]
	return &k.events[len(k.events)-1]
}

// KeepWait gives the event of a wait what it says of it.
func (k *Kernel) KeepWait(e *timeline.Event, w timeline.Wait) { e.Detail = k.packer.Wait(w) }

// KeepStatus gives the event of a status a copy of it.
func (k *Kernel) KeepStatus(e *timeline.Event, status *model.Status) {
	e.Detail = k.packer.Status(status)
}

// Expect says how many events are likely to be recorded from now on, beside those that were expected before. Nothing
// but the room that is made for them depends on it.
func (k *Kernel) Expect(events int) { k.expected = max(k.expected, len(k.events)) + max(0, events) }

// moreEvents is for how many events to make room now that there is none left. A run of thousands grows in few steps,
// which leaves less behind than append does; most runs of a sweep have a few dozen, and one of a million must not ask
// for four.
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

// Events returns the timeline so far.
func (k *Kernel) Events() []timeline.Event { return k.events }

// Shorten leaves the first events of this instant in the timeline, so many of them, and returns how many it has
// dropped.
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

// Excise takes events out of the timeline, from one up to before another, and returns how many.
func (k *Kernel) Excise(from, to int) int {
	k.events = slices.Delete(k.events, from, to)
	return to - from
}

// Warn adds something that a user should know to the result.
func (k *Kernel) Warn(format string, args ...any) {
	k.Result.Warnings = append(k.Result.Warnings, fmt.Sprintf(format, args...))
}
