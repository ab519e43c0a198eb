package report

import (
	"cmp"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cast lists the objects of a timeline, and so decides their names: a namespace is only printed if there are several.
// It must be made from the whole timeline before the first line is printed.
type cast struct {
	// sets are in the order in which they appear first, each once, also those that are deleted later.
	sets []model.Key
	// namespaces says that the sets, and the pods without one, are in more than one namespace.
	namespaces bool
	// timeWidth, podWidth and namespaceWidth are the widths of the longest instant, name of a pod and namespace, in
	// columns of a terminal.
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

// set returns what a set is called.
func (c *cast) set(key model.Key) string {
	if c.namespaces {
		return key.String()
	}
	return key.Name
}

// of returns what an object of a set's namespace is called.
func (c *cast) of(set model.Key, name string) string {
	if c.namespaces {
		return set.Namespace + "/" + name
	}
	return name
}
