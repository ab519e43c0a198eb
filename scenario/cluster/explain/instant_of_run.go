package explain

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// moment is an instant of a run: the events up to cut, and the world after them. It does not change.
type moment struct {
	events []timeline.Event
	cut    int
	at     Instant
	// end says that it is the end of the run; result is its result then, and nil otherwise.
	end    bool
	result *timeline.Result
	fold   *timeline.Fold
	lab    *play.Lab
}

// momentOf returns the moment of a run, which must have a result: its end if no instant is given. The laboratory, if
// there is one, plays what may follow the end.
func momentOf(events []timeline.Event, at *time.Duration, lab *play.Lab) *moment {
	last := events[len(events)-1]
	m := &moment{events: events, cut: len(events), at: Instant(last.T), end: true, result: last.Result,
		fold: &timeline.Fold{}, lab: lab}
	if at != nil && model.Time(*at) < last.T {
		m.at, m.end, m.result, m.lab = Instant(*at), false, nil, nil
		m.cut = slices.IndexFunc(events, func(event timeline.Event) bool { return event.T > model.Time(*at) })
	}
	for i := range m.cut {
		m.fold.Apply(&events[i])
	}
	return m
}

// rests says whether nothing happens any more.
func (m *moment) rests() bool {
	return m.end && (m.result.Verdict == timeline.IsStuck || m.result.Verdict == timeline.Settled)
}

// stuck returns what a set is stuck for at the end of the run.
func (m *moment) stuck(key model.Key) []timeline.Stuck {
	if !m.end {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.result.Stuck), func(s timeline.Stuck) bool { return s.Set != key })
}

// Instant is virtual time; JSON has it in seconds.
type Instant model.Time

// MarshalJSON renders the seconds.
func (i Instant) MarshalJSON() ([]byte, error) { return []byte(model.Time(i).Seconds()), nil }

// clock renders an instant as all reports do.
func clock(i Instant) string { return model.Time(i).Clock() }

// roughly returns a time that is not exact, for people: whole seconds from one second on.
func roughly(i Instant) string {
	if at := modelTime(i); at >= model.Time(time.Second) {
		return model.Time(time.Duration(at).Round(time.Second)).Clock()
	}
	return clock(i)
}

// modelTime returns the instant as the model has it.
func modelTime(i Instant) model.Time { return model.Time(i) }
