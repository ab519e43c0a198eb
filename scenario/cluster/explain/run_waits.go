package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

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
