// Package eventqueue is the clock and the list of pending events. Events are ordered by time, then by the order in
// which they were scheduled. If several actors have an event at one instant, the chooser decides between them; the
// events of one actor keep their order.
//
// A run alternates between two calls: Next until it returns nil, then Advance to the instant that Peek returns. An
// event may schedule and cancel others at any time, also for the current instant. One goroutine at a time may use a
// queue.
//
// Invariants: the clock never goes back and never passes a pending event. An event is in the heap if its time is to
// come, and in the list of its actor if its time is now. The order is total, so a run does not depend on the shape of
// the heap.
package eventqueue

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/bits"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// Actor identifies the source of an event. Events of different actors may overtake each other within an instant, those
// of one actor never do. 0 <= Actor < MaxActors.
type Actor uint8

// MaxActors is the number of actors that a queue can distinguish. Next looks at all of them.
const MaxActors = 16

// Entry is a scheduled event, and the handle to cancel it. The queue never reuses an entry, so it may be kept after the
// event has happened: Pending is then false for ever.
type Entry[T any] struct {
	// At is the instant at which the event is due; it does not change. Payload is the caller's and is not looked at.
	At      model.Time
	Payload T
	// seq is the number of events that were scheduled before. It is unique, so the order of the heap is total.
	seq uint64
	// pos is the place in the heap, or isDue or isDone. Invariant: if pos >= 0, then heap[pos] is this entry.
	pos   int
	Actor Actor
	// Background events never keep a run open.
	Background bool
}

const (
	isDue  = -1
	isDone = -2
)

// Pending says whether the event is still to come. It is false for nil, and for one that was cancelled or returned.
func (e *Entry[T]) Pending() bool { return e != nil && e.pos != isDone }

// Queue is a clock with its pending events. The zero value is ready to use, at time 0. The clock never goes back, and
// never passes a pending event: now <= heap[i].At for all i.
type Queue[T any] struct {
	now model.Time
	seq uint64
	// live is the number of pending events that are not in the background.
	live int
	// heap has the entries with At > now: those with At == now are in due.
	heap byTime[T]
	// due holds the entries with At == now, for each actor in order. Cancelled entries stay in it until they are first;
	// dueLen does not count them.
	due [MaxActors]fifo[T]
	// late says of each actor whether its events are those of NextLate.
	late   [MaxActors]bool
	dueLen int
	// busy has bit a set if, and only if, due[a] is not empty.
	busy uint16
}

// byTime is a heap.Interface: the earliest entry first, and of one instant that which was scheduled first.
type byTime[T any] []*Entry[T]

func (h byTime[T]) Len() int { return len(h) }

func (h byTime[T]) Less(i, j int) bool {
	return h[i].At < h[j].At || h[i].At == h[j].At && h[i].seq < h[j].seq
}

func (h byTime[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}

func (h *byTime[T]) Push(e any) {
	entry := e.(*Entry[T])
	entry.pos = len(*h)
	*h = append(*h, entry)
}

func (h *byTime[T]) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last], *h = nil, (*h)[:last]
	return e
}

// fifo is a list of entries of which only the first is taken; O(1). Its memory is used again when it is empty.
type fifo[T any] struct {
	list []*Entry[T]
	head int
}

// len returns the number of entries, with those that were cancelled and not yet dropped.
func (f *fifo[T]) len() int { return len(f.list) - f.head }

// first returns the oldest entry; there must be one.
func (f *fifo[T]) first() *Entry[T] { return f.list[f.head] }

// rest returns all entries, the oldest first. They are the list's own, until it changes.
func (f *fifo[T]) rest() []*Entry[T] { return f.list[f.head:] }

// add adds the newest entry.
func (f *fifo[T]) add(e *Entry[T]) {
	f.list = append(f.list, e)
}

// drop removes the oldest entry; there must be one.
func (f *fifo[T]) drop() {
	if f.head++; f.head == len(f.list) {
		f.list, f.head = f.list[:0], 0
	}
}

// Now returns the current instant.
func (q *Queue[T]) Now() model.Time { return q.now }

// Live returns the number of events to come that are not in the background.
func (q *Queue[T]) Live() int { return q.live }

// Schedule adds an event, and returns the handle to cancel it; it costs O(log n), and O(1) for an event of the
// present instant. It panics if the instant has passed.
func (q *Queue[T]) Schedule(at model.Time, actor Actor, background bool, payload T) *Entry[T] {
	if at < q.now {
		panic(fmt.Sprintf("queue: event scheduled for %ss at %ss", at.Seconds(), q.now.Seconds()))
	}
	e := &Entry[T]{At: at, Actor: actor, Payload: payload, Background: background, seq: q.seq}
	q.seq++
	if !background {
		q.live++
	}
	if at == q.now {
		q.makeDue(e)
	} else {
		heap.Push(&q.heap, e)
	}
	return e
}

// Cancel removes an event. It does nothing for nil, or if that has happened already. It costs O(log n).
func (q *Queue[T]) Cancel(e *Entry[T]) {
	if !e.Pending() {
		return
	}
	if e.pos == isDue {
		q.dueLen--
	} else {
		heap.Remove(&q.heap, e.pos)
	}
	q.finish(e)
}

// Next removes the next event of the current instant from the queue and returns it; nil means that none is left. If
// several actors have one, the chooser picks the actor; its answer 0 is the actor with the oldest event. With one actor
// the chooser is not asked. Events of late actors stay in the queue. It costs O(MaxActors).
func (q *Queue[T]) Next(chooser choose.Chooser) *Entry[T] {
	if q.dueLen == 0 {
		return nil
	}
	return q.take(chooser, false)
}

// NextLate is Next for the events of the late actors.
func (q *Queue[T]) NextLate(chooser choose.Chooser) *Entry[T] {
	if q.dueLen == 0 {
		return nil
	}
	return q.take(chooser, true)
}

// Due says whether Next would return an event. It costs O(MaxActors) and asks the chooser nothing.
func (q *Queue[T]) Due() bool {
	for left := q.busy; left != 0; left &= left - 1 {
		a := Actor(bits.TrailingZeros16(left))
		q.dropCancelled(a)
		if q.due[a].len() > 0 && !q.late[a] {
			return true
		}
	}
	return false
}

// Late makes an actor a late one: only NextLate returns its events. It is called before the first event is scheduled.
func (q *Queue[T]) Late(actor Actor) { q.late[actor] = true }

// take removes the next event of the actors that are late, or of those that are not; nil if there is none.
func (q *Queue[T]) take(chooser choose.Chooser, late bool) *Entry[T] {
	if q.busy&(q.busy-1) == 0 {
		return q.takeOf(Actor(bits.TrailingZeros16(q.busy)), late)
	}
	return q.takeAny(chooser, late)
}

// takeOf is take if only one actor has events.
func (q *Queue[T]) takeOf(a Actor, late bool) *Entry[T] {
	if q.dropCancelled(a); q.due[a].len() == 0 || q.late[a] != late {
		return nil
	}
	return q.takeFirst(a)
}

// takeFirst takes the first event of an actor.
func (q *Queue[T]) takeFirst(a Actor) *Entry[T] {
	e := q.due[a].first()
	q.drop(a)
	q.dueLen--
	q.finish(e)
	return e
}

// takeAny is take if several actors have events. The heads are offered to the chooser in the order of their age.
func (q *Queue[T]) takeAny(chooser choose.Chooser, late bool) *Entry[T] {
	var heads [MaxActors]Actor
	n := 0
	for left := q.busy; left != 0; left &= left - 1 {
		a := Actor(bits.TrailingZeros16(left))
		q.dropCancelled(a)
		if q.due[a].len() > 0 && q.late[a] == late {
			heads[n] = a
			n++
		}
	}
	if n == 0 {
		return nil
	}
	q.byAge(heads[:n])
	pick := 0
	if n > 1 {
		pick = chooser.Choose(choose.Tie, n)
	}
	return q.takeFirst(heads[pick])
}

// Each calls yield for every pending event, in no particular order. The queue must not change meanwhile.
func (q *Queue[T]) Each(yield func(*Entry[T])) {
	for _, e := range q.heap {
		yield(e)
	}
	for a := range q.due {
		for _, e := range q.due[a].rest() {
			if e.pos != isDone {
				yield(e)
			}
		}
	}
}

// All returns the pending events in the order of their times and, within an instant, of their age: the order in which
// they happen if the chooser gives dull answers. It costs O(n log n).
func (q *Queue[T]) All() []*Entry[T] {
	all := make([]*Entry[T], 0, q.dueLen+len(q.heap))
	q.Each(func(e *Entry[T]) { all = append(all, e) })
	slices.SortFunc(all, func(a, b *Entry[T]) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.seq, b.seq))
	})
	return all
}

// Scheduled returns the pending events in the order in which they were scheduled, so that scheduling them once more
// in a new queue keeps their order; it costs O(n log n).
func (q *Queue[T]) Scheduled() []*Entry[T] {
	all := make([]*Entry[T], 0, q.dueLen+len(q.heap))
	q.Each(func(e *Entry[T]) { all = append(all, e) })
	slices.SortFunc(all, func(a, b *Entry[T]) int { return cmp.Compare(a.seq, b.seq) })
	return all
}

// Peek returns the instant of the next event, in the background or not, and false if there is none.
func (q *Queue[T]) Peek() (model.Time, bool) {
	switch {
	case q.dueLen > 0:
		return q.now, true
	case len(q.heap) > 0:
		return q.heap[0].At, true
	}
	return 0, false
}

// Advance moves the clock forward to t, and makes the events of that instant available to Next. It panics if t is in
// the past, or if an event before t is still pending: every event happens at its time.
func (q *Queue[T]) Advance(t model.Time) {
	if next, ok := q.Peek(); t < q.now || ok && next < t {
		panic(fmt.Sprintf("queue: clock moved from %ss to %ss, with an event at %ss",
			q.now.Seconds(), t.Seconds(), next.Seconds()))
	}
	q.now = t
	for len(q.heap) > 0 && q.heap[0].At == t {
		q.makeDue(heap.Pop(&q.heap).(*Entry[T]))
	}
}

// makeDue puts an entry whose time has come into the list of its actor. Entries must come in the order of their seq.
func (q *Queue[T]) makeDue(e *Entry[T]) {
	e.pos = isDue
	q.due[e.Actor].add(e)
	q.busy |= 1 << e.Actor
	q.dueLen++
}

// finish marks an event as no longer pending.
func (q *Queue[T]) finish(e *Entry[T]) {
	e.pos = isDone
	if !e.Background {
		q.live--
	}
}

// dropCancelled removes the cancelled entries at the head of an actor's list.
func (q *Queue[T]) dropCancelled(a Actor) {
	for q.due[a].len() > 0 && q.due[a].first().pos == isDone {
		q.drop(a)
	}
}

// drop takes the first event of an actor off its list.
func (q *Queue[T]) drop(a Actor) {
	if q.due[a].drop(); q.due[a].len() == 0 {
		q.busy &^= 1 << a
	}
}

// byAge sorts a handful of actors by the age of their oldest due event.
func (q *Queue[T]) byAge(actors []Actor) {
	for i := 1; i < len(actors); i++ {
		for j := i; j > 0 && q.due[actors[j]].first().seq < q.due[actors[j-1]].first().seq; j-- {
			actors[j], actors[j-1] = actors[j-1], actors[j]
		}
	}
}
