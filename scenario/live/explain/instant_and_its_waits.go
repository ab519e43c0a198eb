package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
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

func (m *moment) rests() bool {
	return m.end && (m.result.Verdict == timeline.IsStuck || m.result.Verdict == timeline.Settled)
}

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

func clock(i Instant) string { return model.Time(i).Clock() }

// roughly returns a time that is not exact, for people: whole seconds from one second on.
func roughly(i Instant) string {
	if at := model.Time(i); at >= model.Time(time.Second) {
		return model.Time(time.Duration(at).Round(time.Second)).Clock()
	}
	return clock(i)
}

// Wait is something that the controller waits for.
type Wait struct {
	// Code and Rule are a reason and a rule of docs/timeline.md; Object is the pod, the PVC or the revision that they
	// are about, "" if there is none. Sentence says the same in words.
	Code     model.Code `json:"code"`
	Object   string     `json:"object,omitempty"`
	Rule     model.Rule `json:"rule,omitempty"`
	Sentence string     `json:"sentence"`
	// Since is when the wait began.
	Since Instant `json:"since"`
	// Release says what ends such a wait.
	Release string `json:"release"`
	// Error is the error of a call; "" if it is not known. Released says when and by what the wait ends in this run, ""
	// if it does not.
	Error    string `json:"error,omitempty"`
	Released string `json:"released,omitempty"`

	// why is the reason of which the fields above are the words.
	why model.Why
	// down is the node of the pod if it does not answer and keeps the pod, "" if not.
	down string
}

func newWait(why model.Why, since model.Time) *Wait {
	return &Wait{
		Code: why.Code, Object: why.Object, Rule: why.Rule, Sentence: why.Sentence(),
		Since: Instant(since), why: why,
	}
}

func (w *Wait) named() string { return w.Sentence + " (" + reasons.Names(w.why) + ")" }

func (w *Wait) is(why model.Why) bool {
	return w.Code == why.Code && w.Object == why.Object && w.Rule == why.Rule
}

// plainly returns the waits that people are told. Parallel does not wait for a pod; where the rollout waits for that
// same pod, only the latter is said, since the two seem to contradict each other.
func plainly(waits []*Wait) []*Wait {
	return slices.DeleteFunc(slices.Clone(waits), func(w *Wait) bool {
		return w.why.Rule == model.RuleParallel && slices.ContainsFunc(waits, func(other *Wait) bool {
			return other.Object == w.Object && other.why.Rule != model.RuleParallel
		})
	})
}

// finalizers returns the finalizers of a pod that is being deleted, without those that only the garbage collector
// removes.
func finalizers(state *sim.State, pod model.Key) []string {
	p := state.Pod(pod)
	if p == nil || !p.Terminating() {
		return nil
	}
	return p.Pod.BlockingFinalizers()
}

// down returns the node that keeps a pod that is being deleted since it does not answer, "" if there is none.
func down(world *reasons.World) string {
	if world.Down && world.Terminating && !world.OutOfService && len(world.Finalizers) == 0 {
		return world.Node
	}
	return ""
}

func ends(w *Wait) string {
	if strings.HasPrefix(w.Release, "ends ") {
		return "It " + w.Release + "."
	}
	return w.Release + "."
}

// openWaits lists what the controller waits for at a point of a run, the oldest first, and how each wait ends. Released
// has only what lies behind the cut. It costs O(events).
func openWaits(events []timeline.Event, cut int, key model.Key) []*Wait {
	var open []*Wait
	for i := range events[:cut] {
		if event := &events[i]; event.Wait != nil && event.Set == key {
			open = slices.DeleteFunc(open, func(w *Wait) bool { return w.is(event.Why) })
			if !event.Wait.Ended {
				open = append(open, newWait(event.Why, event.Wait.Since))
			}
		}
	}
	for i := cut; i < len(events); i++ {
		event := &events[i]
		if event.Wait == nil || !event.Wait.Ended || event.Set != key {
			continue
		}
		for _, w := range open {
			if w.Released == "" && w.is(event.Why) {
				w.Released = "at " + event.T.Clock() + by(events, i)
			}
		}
	}
	return open
}

// by finds what ended a wait: what happened to its pod at that instant, or the step of that instant. It is "" if
// nothing of both happened.
func by(events []timeline.Event, at int) string {
	for i := at - 1; i >= 0 && events[i].T == events[at].T; i-- {
		event := &events[i]
		if event.Kind == timeline.KindPod && event.Pod == events[at].Why.Object {
			return fmt.Sprintf(", when %s becomes %s", event.Pod, event.State)
		}
		if event.Step != nil {
			return fmt.Sprintf(", by step %d: %s", event.Step.Number, event.Step.Does)
		}
	}
	return ""
}

// waitsAt returns what a set waits for at the moment, with the errors of its calls and what ends each wait. found is
// what it is stuck for at the end of the run, besides what drains say already. state, if known, shows what a timeline
// does not, such as finalizers.
func (m *moment) waitsAt(key model.Key, found []timeline.Stuck, state *sim.State) []*Wait {
	list := openWaits(m.events, m.cut, key)
	failed := m.failed(key)
	for _, stuck := range found {
		if !slices.ContainsFunc(list, func(w *Wait) bool { return w.is(stuck.Why) }) {
			list = append(list, newWait(stuck.Why, stuck.Since))
		}
	}
	for _, w := range list {
		if w.Code == model.SyncError {
			w.Error = failed
		}
		for i := range m.stuck(key) {
			if stuck := &m.stuck(key)[i]; w.is(stuck.Why) {
				w.Error = stuck.Error
			}
		}
		world := reasons.At(m.fold, key, w.Object, m.rests())
		world.Finalizers = finalizers(state, model.Key{Namespace: key.Namespace, Name: w.Object})
		w.Release = reasons.Release(w.why, world)
	}
	return list
}

// failed returns the error of the last call before the moment that is tried again; "" if there is none.
func (m *moment) failed(key model.Key) string {
	message := ""
	for i := range m.events[:m.cut] {
		if e := &m.events[i]; e.Kind == timeline.KindSync && e.Set == key && e.Reason == string(model.SyncError) {
			message = e.Message
		}
	}
	return message
}
