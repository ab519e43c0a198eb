package report

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cast lists the objects of a timeline, and so decides their names: a namespace is only printed if there are several.
// It must be made from the whole timeline before the first line is printed.
type cast struct {
	// sets are in the order in which they appear first, each once, also those that are deleted later.
	sets []model.Key
	// namespaces says that the sets are in more than one namespace.
	namespaces bool
	// timeWidth and podWidth are the widths of the longest instant and of the longest pod's name, in columns of a
	// terminal.
	timeWidth, podWidth int
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
		if event.Set.Name != "" && !seen[event.Set] {
			seen[event.Set] = true
			c.sets = append(c.sets, event.Set)
		}
	}
	c.namespaces = slices.ContainsFunc(c.sets, func(set model.Key) bool { return set.Namespace != c.sets[0].Namespace })
	return c
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
