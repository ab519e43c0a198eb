package gate

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Says is how a call of a tool ends.
type Says string

// The ends. A call Never ends if the tool waits for ever and nothing will change what it sees.
const (
	SaysDone   Says = "done"
	SaysFailed Says = "failed"
	Never      Says = "never"
)

// Forever is an instant after all others.
const Forever = model.Time(math.MaxInt64)

// End is how and when a call ends.
type End struct {
	Says Says
	At   model.Time
	// Message is in the tool's words.
	Message string
	// Late says that it failed at its timeout.
	Late bool
}

// Wait is one call of a tool, played along a timeline. It is used for one walk.
type Wait struct {
	gate *Gate
	sets []*waited
	// deadline is the instant of its timeout, resync that of its next look without a change; Forever if there is none.
	deadline, resync model.Time
	// now is the last fixed point.
	now model.Time
}

// waited is a set for which a tool waits.
type waited struct {
	key model.Key
	// known says that the set has been seen: a tool does not wait for one that does not exist yet.
	known bool
	// seen are the changes of the set up to the last fixed point, and is what the tool would say of it there. heard is
	// what came of its last look.
	seen      [3]uint64
	is, heard Verdict
}

// HeldUntil returns the instant up to which the state after so many events of a timeline holds: that of the next event;
// Forever behind a run that ended by itself, and the last event's behind one that was cut off.
func HeldUntil(events []timeline.Event, index int) model.Time {
	if index < len(events) {
		return events[index].T
	}
	last := &events[len(events)-1]
	if last.Result != nil && (last.Result.Verdict == timeline.Settled || last.Result.Verdict == timeline.IsStuck) {
		return Forever
	}
	return last.T
}

// Begin begins a call at an instant, for sets in the order in which the tool looks at them. A timeout of 0 is the
// tool's own.
func (g *Gate) Begin(sets []model.Key, at model.Time, timeout time.Duration) *Wait {
	w := &Wait{gate: g, deadline: Forever, resync: Forever}
	if timeout == 0 {
		timeout = g.Looks.Timeout
	}
	if timeout > 0 {
		w.deadline = at.Add(timeout)
	}
	if g.Looks.Resync > 0 {
		w.resync = at.Add(g.Looks.Resync)
	}
	for _, key := range sets {
		w.sets = append(w.sets, &waited{key: key})
	}
	return w
}

// See takes in a fixed point: set finds the sets as they are at it. It returns the end of the call, nil while it goes
// on. Fixed points come in their order, the first one at or after the beginning.
func (w *Wait) See(now model.Time, set func(model.Key) *timeline.Set) *End {
	if end := w.Until(now); end != nil {
		return end
	}
	w.now = now
	for _, s := range w.sets {
		s.see(w.gate, set(s.key))
	}
	return w.decide(now)
}

// Until lets time pass up to an instant in which nothing changes. At Forever the call ends in any case.
func (w *Wait) Until(t model.Time) *End {
	for w.resync < min(t, w.deadline) {
		for _, s := range w.sets {
			s.heard = s.is
		}
		if end := w.decide(w.resync); end != nil {
			return end
		}
		if t == Forever {
			// Where nothing changes any more, one more look is as good as all.
			break
		}
		w.resync = w.resync.Add(w.gate.Looks.Resync)
	}
	switch {
	case w.deadline < t:
		return w.late()
	case t == Forever:
		return &End{Says: Never, At: w.now, Message: strings.Join(w.errors(), "\n")}
	}
	return nil
}

// see notes how a set is, and looks at it if it has changed in what the tool watches.
func (s *waited) see(g *Gate, set *timeline.Set) {
	if set == nil {
		if s.known {
			s.is, s.seen = g.Gone(s.key), [3]uint64{}
			s.heard = s.is
		}
		return
	}
	changes := [3]uint64{set.SpecChanges, set.StatusChanges, set.PodChanges}
	if s.known && changes == s.seen {
		return
	}
	s.is = g.Read(set)
	if !s.known || !g.Looks.SetOnly || changes[0] != s.seen[0] || changes[1] != s.seen[1] {
		s.heard = s.is
	}
	s.known, s.seen = true, changes
}

// decide returns the end of the call, nil if it goes on, by what the tool has heard of its sets.
func (w *Wait) decide(at model.Time) *End {
	var words, failures []string
	open := false
	for _, s := range w.sets {
		switch {
		case !s.known:
		case s.heard.State == InProgress && w.gate.Several == InOrder:
			return nil
		case s.heard.State == InProgress:
			open = true
		case s.heard.State == Failed && w.gate.Several == Together:
			failures = append(failures, w.gate.Error(s.key, s.heard))
		case s.heard.State == Failed:
			return &End{Says: SaysFailed, At: at, Message: w.gate.Early + w.gate.Error(s.key, s.heard)}
		default:
			words = append(words, s.heard.Words)
		}
	}
	switch {
	case open || len(words)+len(failures) == 0:
		return nil
	case len(failures) > 0:
		return &End{Says: SaysFailed, At: at, Message: w.gate.Early + strings.Join(failures, "\n")}
	}
	return &End{Says: SaysDone, At: at, Message: strings.Join(words, "\n")}
}

// late is the end at the timeout.
func (w *Wait) late() *End {
	message := w.gate.Late + strings.Join(w.errors(), "\n")
	if message != "" && w.gate.After != "" {
		message += "\n"
	}
	return &End{Says: SaysFailed, At: w.deadline, Message: message + w.gate.After, Late: true}
}

// errors words the sets that are not done, by what the tool has heard last.
func (w *Wait) errors() []string {
	var list []string
	for _, s := range w.sets {
		if s.known && s.heard.State != Done {
			list = append(list, w.gate.Error(s.key, s.heard))
		}
	}
	return list
}

// Lacks says what the tool still waits for, in its words; "" is nothing.
func (w *Wait) Lacks() string {
	if !slices.ContainsFunc(w.sets, func(s *waited) bool { return s.known }) {
		return "there is no StatefulSet"
	}
	return strings.Join(w.errors(), "; ")
}
