package report

import (
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// waitSummary is one wait of the controller, from its beginning to its end, or to that of the run. d is how long it
// took.
type waitSummary struct {
	set  model.Key
	why  model.Why
	from model.Time
	d    time.Duration
	// open says that the wait was not over at the end of the run.
	open bool
}

// wait is the key that distinguishes the open waits.
type wait struct {
	set    model.Key
	code   model.Code
	object string
	rule   model.Rule
}

// waitOf returns the key of a wait: its beginning and its end have the same, whatever the numbers in the reason.
func waitOf(event *timeline.Event) wait {
	return wait{event.Set, event.Why.Code, event.Why.Object, event.Why.Rule}
}

// String names the wait in a chart, without its set.
func (w wait) String() string {
	return strings.TrimSpace(string(w.code) + " " + render.Visible(w.object))
}

// waitsIn returns the controller's waits, in the order in which they began. Where a set rests by its own spec it does
// not wait. A wait for another pod is another wait.
func waitsIn(events []timeline.Event) []*waitSummary {
	var waits []*waitSummary
	open := map[wait]*waitSummary{}
	for i := range events {
		event := &events[i]
		if event.Wait == nil || event.Why.Code.Resting() {
			continue
		}
		key := waitOf(event)
		if !event.Wait.Ended {
			open[key] = &waitSummary{set: event.Set, why: event.Why, from: event.T, open: true}
			waits = append(waits, open[key])
		} else if w := open[key]; w != nil {
			w.d, w.open = event.T.Sub(w.from), false
			delete(open, key)
		}
	}
	for _, w := range waits {
		if w.open {
			w.d = events[len(events)-1].T.Sub(w.from)
		}
	}
	return waits
}

// longestWait returns the controller's longest wait, the first of several, or nil if it never waited.
func longestWait(events []timeline.Event) *waitSummary {
	var longest *waitSummary
	for _, w := range waitsIn(events) {
		if longest == nil || w.d > longest.d {
			longest = w
		}
	}
	return longest
}
