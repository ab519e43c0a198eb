package sim

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// history hands the timeline on while the world continues, and forgets it with Config.NoHistory. It keeps what the
// world itself must know about forgotten events, which grows with the names of pods, not with the events.
type history struct {
	world *World
	// written is the number of the kernel's events that were handed on.
	written int
	// pod is the last forgotten event about a state of a pod; the zero event if there is none.
	pod timeline.Event
	// states are the last events of the states of pods, for a run that may repeat itself; count numbers them.
	states map[podState]pastState
	count  int
}

// podState is a pod and a state that it has entered.
type podState struct {
	pod   model.Key
	state timeline.State
}

// pastState is an event that is forgotten, with its number: history.count when it was noted.
type pastState struct {
	number int
	event  timeline.Event
}

// over hands on the events of an instant that is over, since they do not change any more, and forgets the events
// that the world does not need.
func (h *history) over() {
	h.handOn()
	c, events := &h.world.config, len(h.world.Events())
	if c.NoHistory && c.Written != nil && events >= 2*c.Keep {
		h.forget(h.world.kubelet.Forget(events - c.Keep))
	}
}

// handOn hands on the events that were not handed on before.
func (h *history) handOn() {
	w := h.world
	if w.config.Written == nil {
		return
	}
	events := w.Events()
	if h.written < len(events) {
		w.config.Written(events[h.written:])
	}
	h.written = len(events)
}

// forget drops the first n events of the timeline. It is called between two instants, when no room holds an index of
// an event.
func (h *history) forget(n int) {
	events := h.world.Events()[:n]
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindPod {
			h.note(e)
		}
	}
	h.written -= n
	h.world.kernel.Forget(n)
}

// note keeps of an event about a state of a pod what may be asked for later.
func (h *history) note(e *timeline.Event) {
	h.pod = *e
	if h.world.limits.cycle.pod == (model.Key{}) {
		return
	}
	if h.states == nil {
		h.states = map[podState]pastState{}
	}
	h.count++
	h.states[podState{model.Key{Namespace: e.Set.Namespace, Name: e.Pod}, e.State}] = pastState{h.count, *e}
}

// lastPod returns the last event about a state of a pod, nil if there is none.
func (h *history) lastPod() *timeline.Event {
	events := h.world.Events()
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Kind == timeline.KindPod {
			return &events[i]
		}
	}
	if h.pod.Kind == 0 {
		return nil
	}
	return &h.pod
}

// backwards yields the events about states of pods, the last one first. Of the forgotten events it yields the last
// one for each state of each pod, counted from when the run was first watched for cycles.
func (h *history) backwards() iter.Seq[*timeline.Event] {
	return func(yield func(*timeline.Event) bool) {
		events := h.world.Events()
		for i := len(events) - 1; i >= 0; i-- {
			if e := &events[i]; e.Kind == timeline.KindPod && !yield(e) {
				return
			}
		}
		newest := func(a, b pastState) int { return cmp.Compare(b.number, a.number) }
		for _, past := range slices.SortedFunc(maps.Values(h.states), newest) {
			if !yield(&past.event) {
				return
			}
		}
	}
}

// waitedFor returns the change that a step without a time has waited for; "" for other steps, or if no pod has
// changed.
func (h *history) waitedFor(when When) string {
	if when.Trigger != OnceSettled {
		return ""
	}
	e := h.lastPod()
	if e == nil {
		return ""
	}
	return "waited until all was settled; the last change was " + e.Pod + " " + e.State.String() + " at " +
		e.T.Seconds() + "s"
}
