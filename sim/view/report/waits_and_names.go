package report

import (
	"cmp"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// waitSummary is one wait of the controller, up to its end or the end of the run. d is how long it took.
type waitSummary struct {
	set  model.Key
	why  model.Why
	from model.Time
	d    time.Duration
	// open is true if the wait was not over at the end of the run.
	open bool
}

// wait is the key that distinguishes the open waits.
type wait struct {
	set    model.Key
	code   model.Code
	object string
	rule   model.Rule
}

// waitOf returns the key of a wait: its start and its end have the same key, whatever the numbers in the reason.
func waitOf(event *timeline.Event) wait {
	return wait{event.Set, event.Why.Code, event.Why.Object, event.Why.Rule}
}

// String names the wait in a chart, without its set.
func (w wait) String() string {
	return strings.TrimSpace(string(w.code) + " " + render.Visible(w.object))
}

// waitsIn returns the controller's waits, in the order of their start. A set at rest by its own spec does not wait.
// A wait for another pod is another wait.
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

// cast lists the objects of a timeline, and so decides their names: a namespace is only printed if there are several.
// It must be made from the whole timeline before the first line is printed.
type cast struct {
	// sets are in the order of their first appearance, each once, including sets that are deleted later.
	sets []model.Key
	// namespaces is true if the sets, and the pods without one, are in more than one namespace.
	namespaces bool
	// timeWidth, podWidth and namespaceWidth are the widths of the longest instant, pod and namespace in a terminal.
	timeWidth, podWidth, namespaceWidth int
	// first is the first namespace.
	first string
}

// castOf reads the whole timeline. It costs O(events).
func castOf(events []timeline.Event) *cast {
	c := &cast{}
	seen := map[model.Key]bool{}
	for i := range events {
		event := &events[i]
		if event.Kind == timeline.KindPod {
			c.podWidth = max(c.podWidth, render.Width(event.Pod))
		}
		if i == 0 || event.T != events[i-1].T {
			c.timeWidth = max(c.timeWidth, len(render.Clock(event.T)))
		}
		// Most events are about the set of the event before.
		if i > 0 && event.Set == events[i-1].Set && event.Kind == events[i-1].Kind {
			continue
		}
		if event.Kind == timeline.KindPod {
			c.meet(event.Set.Namespace)
		}
		if event.Set.Name != "" && !seen[event.Set] {
			seen[event.Set] = true
			c.sets = append(c.sets, event.Set)
			c.meet(event.Set.Namespace)
		}
	}
	return c
}

// meet notes the namespace of a set or of a pod.
func (c *cast) meet(namespace string) {
	c.namespaceWidth = max(c.namespaceWidth, render.Width(namespace))
	c.namespaces = c.namespaces || c.first != "" && c.first != namespace
	c.first = cmp.Or(c.first, namespace)
}

// set returns the display name of a set.
func (c *cast) set(key model.Key) string {
	if c.namespaces {
		return key.String()
	}
	return key.Name
}

// of returns the display name of an object in a set's namespace.
func (c *cast) of(set model.Key, name string) string {
	if c.namespaces {
		return set.Namespace + "/" + name
	}
	return name
}
