package expect

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// never is the rule that nothing matches. It is a count of 0, with the same failure if the entry could not match
// anything. during is as in counting.
type never struct {
	entry  *entry
	during int
}

// compileNever reads one entry; during is a key next to it.
func compileNever(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return never{c.entry(value), c.step(item.Value("during"), "during")}
}

// begin counts to 0, so that never and `count: {is: 0}` fail alike.
func (n never) begin(r *run, set model.Key) watcher {
	return counting{entry: n.entry, most: 0, during: n.during}.begin(r, set)
}

// counting is the rule that as many events match as expected.
type counting struct {
	entry *entry
	// by limits it to one actor, NoActor is all; during is a step, 0 is the whole run.
	by     timeline.Actor
	during int
	// least and most bound the number; -1 for most means no bound.
	least, most int
}

// compileCount reads a mapping with the entry and at least one bound. `is` cannot be combined with another bound,
// and sets both.
func compileCount(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	rule := counting{most: -1}
	m := c.reader.Map(value, "count", "of", "by", "is", "atLeast", "atMost", "during")
	if !c.needs(value, m, "count", "of") {
		return rule
	}
	rule.entry = c.entry(m.Value("of"))
	rule.during = c.step(m.Value("during"), "during")
	if by := m.OneOf("by", timeline.ActorNames()...); by != "" {
		rule.by = timeline.ActorOf(by)
	}
	within := strict.Range{Min: 0, Max: 1 << 31}
	if m.Has("is") {
		rule.least = int(m.Int("is", within))
		rule.most = rule.least
	}
	if m.Has("atLeast") {
		rule.least = int(m.Int("atLeast", within))
	}
	if m.Has("atMost") {
		rule.most = int(m.Int("atMost", within))
	}
	switch {
	case m.Has("is") && (m.Has("atLeast") || m.Has("atMost")):
		c.reader.Problem(m.Key("is"), `is does not go with atLeast or atMost`, `write either "is", or bounds`)
	case !m.Has("is") && !m.Has("atLeast") && !m.Has("atMost"):
		c.reader.Problem(value, "count has no number", `write "is", "atLeast" or "atMost"`)
	case rule.most >= 0 && rule.least > rule.most:
		c.reader.Problem(m.Key("atLeast"), "atLeast is more than atMost", "write the lower number as atLeast")
	}
	return rule
}

// begin counts within the stretch of the step.
func (n counting) begin(r *run, set model.Key) watcher {
	return r.during(n.during, set, func(s stretch) watcher { return &countWatcher{stretch: s, rule: n} })
}

// countWatcher collects the events that match.
type countWatcher struct {
	stretch
	rule counting
	// came are their indexes, in order.
	came []int
}

// event collects an event that matches the entry and, if the rule names one, has its actor.
func (w *countWatcher) event(i int) {
	e := w.look(i)
	if e == nil || w.rule.by != timeline.NoActor && e.Actor != w.rule.by {
		return
	}
	if w.rule.entry.matches(e) {
		w.came = append(w.came, i)
	}
}

// end compares the number. A number of 0 that is allowed fails nevertheless if the run has no pod that the entry could
// match: then the expectation has a wrong name in it.
func (w *countWatcher) end() (*failure, string) {
	n := len(w.came)
	if n >= w.rule.least && (w.rule.most < 0 || n <= w.rule.most) {
		if n == 0 {
			if why := w.run.vacuous(w.rule.entry); why != "" {
				return failed(why), ""
			}
		}
		return nil, ""
	}
	if n > w.rule.most && w.rule.most >= 0 {
		// It fails at the first event that is too many.
		at := w.came[w.rule.most]
		e := &w.run.events[at]
		detail := fmt.Sprintf("%s happened at %s", e.Brief(), clock(e.T))
		if n > 1 {
			detail += "; " + thereWere(n)
		}
		return failed(detail, at), ""
	}
	if n == 0 {
		return w.absent(w.rule.entry), ""
	}
	f := failed(thereWere(n), w.came...)
	f.never = true
	return f, ""
}

// thereWere says how often the counted event has happened.
func thereWere(n int) string {
	switch n {
	case 1:
		return "there was only 1 such event"
	}
	return fmt.Sprintf("there were %d such events in total", n)
}
