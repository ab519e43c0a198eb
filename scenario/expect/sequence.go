package expect

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// order is the rule: the entries happen in this order; others may happen in between. during is the number of the step
// in whose stretch they happen, 0 is the whole run.
type order struct {
	entries []*entry
	during  int
}

// compileOrder reads a non-empty list of entries; it accepts no groups.
func compileOrder(c *compiler, value *yaml.Node, item *strict.Map) rule {
	before := len(c.reader.Problems)
	rule := order{during: c.step(item.Value("during"), "during")}
	for _, n := range c.reader.List(value, "order") {
		if n.Kind == yaml.SequenceNode {
			c.reader.Problem(n, "order has an inner list", "only exactly takes entries in any order")
			continue
		}
		rule.entries = append(rule.entries, c.entry(n))
	}
	if len(rule.entries) == 0 && len(c.reader.Problems) == before {
		c.reader.Problem(value, "order has no entries", `write a list like ["web-1@2 Ready", "web-0@1 Terminating"]`)
	}
	return rule
}

// begin looks within the stretch of the step.
func (o order) begin(r *run, set model.Key) watcher {
	return r.during(o.during, set, func(s stretch) watcher { return &orderWatcher{stretch: s, entries: o.entries} })
}

// orderWatcher matches one entry after the other.
type orderWatcher struct {
	stretch
	entries []*entry
	// came are the events that the first entries have matched: came[i] matches entries[i]. Taking the earliest one
	// for each leaves the most for the later entries, so no other choice could succeed if this one fails.
	came []int
}

// event takes an event for the next entry if it matches. One event is taken for one entry.
func (w *orderWatcher) event(i int) {
	e := w.look(i)
	if e != nil && len(w.came) < len(w.entries) && w.entries[len(w.came)].matches(e) {
		w.came = append(w.came, i)
	}
}

// end says which entry is missing, and whether it only came too early.
func (w *orderWatcher) end() (*failure, string) {
	n := len(w.came)
	if n == len(w.entries) {
		return nil, ""
	}
	missing := w.entries[n]
	if n == 0 {
		return w.absent(missing), ""
	}
	last := w.came[n-1]
	detail := fmt.Sprintf("entry %d, %q, does not happen after entry %d, %q, which happened at %s", n+1, missing.text, n,
		w.entries[n-1].text, clock(w.run.events[last].T))
	if before, ok := w.lastBefore(missing, last); ok {
		return failed(detail+fmt.Sprintf("; it happened before that, at %s", clock(w.run.events[before].T)), before, last), ""
	}
	f := failed(detail, last)
	if instead, came := w.instead(missing); instead != "" {
		f.detail += "; " + instead
		f.at = append(f.at, came...)
	}
	f.never = true
	return f, ""
}

// lastBefore finds the last event before another that matches an entry.
func (w *orderWatcher) lastBefore(e *entry, before int) (int, bool) {
	for i := before - 1; i >= w.from; i-- {
		if event := w.look(i); event != nil && e.matches(event) {
			return i, true
		}
	}
	return 0, false
}
