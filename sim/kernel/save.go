package kernel

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Saved is the clock, what is still to come, and the timeline so far. It stays as it is while the world goes on.
type Saved struct {
	now    model.Time
	toCome []pending
	events []timeline.Event
	result timeline.Result
	away   [rooms]bool
	until  model.Time
}

// pending is an event that is still to come.
type pending struct {
	at         model.Time
	actor      queue.Actor
	background bool
	event      Event
}

// Save returns what the kernel holds. It costs O(what is to come).
func (k *Kernel) Save() Saved {
	s := Saved{now: k.Now(), events: slices.Clip(k.events), result: k.Result, away: k.away, until: k.until}
	s.result.Warnings = slices.Clone(k.Result.Warnings)
	k.lent = true
	for _, e := range k.queue.Scheduled() {
		s.toCome = append(s.toCome, pending{e.At, e.Actor, e.Background, e.Payload})
	}
	return s
}

// Rewind brings a new kernel to the instant of a saved one, with its timeline.
func (k *Kernel) Rewind(s Saved) {
	k.queue.Advance(s.now)
	k.events = append(k.events, s.events...)
	k.Result, k.away, k.until = s.result, s.away, s.until
	k.Result.Warnings = slices.Clip(s.result.Warnings)
}

// Load brings back what was still to come, in the order in which it was scheduled, once the rooms are there: each is
// given its timers.
func (k *Kernel) Load(s Saved) {
	for _, e := range s.toCome {
		timer := k.queue.Schedule(e.at, e.actor, e.background, e.event)
		k.rooms[e.event.Room].keep(e.event, timer)
	}
}

// Keep says who is given the timers of a room's events that come with a saved world, each where a timer of its own
// would stand.
func (k *Kernel) Keep(of Room, keep func(Event, *Timer)) { k.rooms[of].keep = keep }
