package kernel

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/eventqueue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Saved is the clock, the pending events, and the timeline so far. It does not change while the world goes on. Timers
// are not in it: Load makes new ones. toCome are the pending events in the order in which they were scheduled, which is
// that of events of one actor at one instant. away and until are those of Kernel.
type Saved struct {
	now    model.Time
	toCome []pending
	events []timeline.Event
	result timeline.Result
	away   [rooms]bool
	until  model.Time
}

// pending is a pending event.
type pending struct {
	at         model.Time
	actor      eventqueue.Actor
	background bool
	event      Event
}

// Save returns what the kernel holds; its cost is proportional to the number of pending events. The timeline is
// shared: the kernel only appends to it, and events of an instant that is over do not change. So it must be called at
// a fixed point.
func (k *Kernel) Save() Saved {
	s := Saved{now: k.Now(), events: slices.Clip(k.events), result: k.Result, away: k.away, until: k.until}
	s.result.Warnings = slices.Clone(k.Result.Warnings)
	k.lent = true
	for _, e := range k.queue.Scheduled() {
		s.toCome = append(s.toCome, pending{e.At, e.Actor, e.Background, e.Payload})
	}
	return s
}

// Rewind brings a new kernel to the instant of a saved one, with its timeline. It is the first step of a load; the
// rooms may ask for the time from then on.
func (k *Kernel) Rewind(s Saved) {
	k.queue.Advance(s.now)
	k.events = append(k.events, s.events...)
	k.Result, k.away, k.until = s.result, s.away, s.until
	k.Result.Warnings = slices.Clip(s.result.Warnings)
}

// Load schedules the pending events again, in their order, and gives each room its timers. It is the last step of a
// load, when the rooms have their objects.
func (k *Kernel) Load(s Saved) {
	for _, e := range s.toCome {
		timer := k.queue.Schedule(e.at, e.actor, e.background, e.event)
		k.rooms[e.event.Room].Keep(e.event, timer)
	}
}
