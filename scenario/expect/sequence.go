package expect

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// order: the entries come in this order; others may come between.
type order struct {
	entries []*entry
	during  int
}

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

func (o order) begin(r *run, set model.Key) watcher {
	w, ok := r.during(o.during)
	if !ok {
		return r.neverActed(o.during)
	}
	return &orderWatcher{run: r, set: set, entries: o.entries, window: w}
}

type orderWatcher struct {
	quiet
	run     *run
	set     model.Key
	entries []*entry
	window  window
	// came are the events that the first entries have matched. Taking the earliest one for each leaves the most for
	// those that follow.
	came []int
}

func (w *orderWatcher) event(i int) {
	e := &w.run.events[i]
	if len(w.came) < len(w.entries) && w.window.has(i) && inSet(e, w.set) && w.entries[len(w.came)].matches(e) {
		w.came = append(w.came, i)
	}
}

func (w *orderWatcher) end() (*failure, string) {
	n := len(w.came)
	if n == len(w.entries) {
		return nil, ""
	}
	missing := w.entries[n]
	if n == 0 {
		return failed(fmt.Sprintf("entry 1, %q, never comes", missing.text)), ""
	}
	last := w.came[n-1]
	detail := fmt.Sprintf("entry %d, %q, does not come after entry %d, %q, which came at %s", n+1, missing.text, n,
		w.entries[n-1].text, clock(w.run.events[last].T))
	at := []int{last}
	if before, ok := w.lastBefore(missing, last); ok {
		detail += fmt.Sprintf("; it came before, at %s", clock(w.run.events[before].T))
		at = append(at, before)
	}
	return failed(detail, at...), ""
}

// lastBefore finds the last event before another that matches an entry.
func (w *orderWatcher) lastBefore(e *entry, before int) (int, bool) {
	for i := before - 1; i >= w.window.from; i-- {
		if event := &w.run.events[i]; inSet(event, w.set) && e.matches(event) {
			return i, true
		}
	}
	return 0, false
}

// monotone: the ordinals that match come once each, in one direction.
type monotone struct {
	entry  *entry
	during int
	// step is -1 for descending, 1 for ascending.
	step int
}

func compileDescending(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return monotone{c.entry(value), c.step(item.Value("during"), "during"), -1}
}

func compileAscending(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return monotone{c.entry(value), c.step(item.Value("during"), "during"), 1}
}

func (m monotone) begin(r *run, set model.Key) watcher {
	w, ok := r.during(m.during)
	if !ok {
		return r.neverActed(m.during)
	}
	return &monotoneWatcher{run: r, set: set, rule: m, window: w, last: map[model.Key]int{}}
}

type monotoneWatcher struct {
	quiet
	run    *run
	set    model.Key
	rule   monotone
	window window
	// last is the last event of each set that matched.
	last map[model.Key]int
	fail *failure
}

func (w *monotoneWatcher) event(i int) {
	e := &w.run.events[i]
	if w.fail != nil || !w.window.has(i) || !inSet(e, w.set) || !w.rule.entry.matches(e) {
		return
	}
	if last, found := w.last[e.Set]; found {
		w.compare(last, i)
	}
	w.last[e.Set] = i
}

func (w *monotoneWatcher) compare(last, i int) {
	before, e := &w.run.events[last], &w.run.events[i]
	_, from := model.SplitPodName(before.Pod)
	_, to := model.SplitPodName(e.Pod)
	if (to-from)*w.rule.step > 0 {
		return
	}
	detail := fmt.Sprintf("%s at %s comes after %s at %s", eventText(e), clock(e.T), eventText(before), clock(before.T))
	if from == to {
		detail = fmt.Sprintf("%s comes again at %s, after %s", eventText(e), clock(e.T), clock(before.T))
	}
	w.fail = failed(detail, last, i)
}

func (w *monotoneWatcher) end() (*failure, string) {
	if w.fail == nil && len(w.last) == 0 {
		return failed(fmt.Sprintf("%q never comes", w.rule.entry.text)), ""
	}
	return w.fail, ""
}

// never: nothing matches.
type never struct {
	entry  *entry
	during int
}

func compileNever(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return never{c.entry(value), c.step(item.Value("during"), "during")}
}

func (n never) begin(r *run, set model.Key) watcher {
	return counting{entry: n.entry, most: 0, during: n.during}.begin(r, set)
}

// counting: as many events match as expected.
type counting struct {
	entry  *entry
	by     timeline.Actor
	during int
	// least and most bound the number; most -1 is no bound.
	least, most int
}

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
		c.reader.Problem(m.Key("is"), "is stands beside atLeast or atMost", "write is alone, or the bounds without it")
	case !m.Has("is") && !m.Has("atLeast") && !m.Has("atMost"):
		c.reader.Problem(value, "count has no number", "write is, atLeast or atMost")
	case rule.most >= 0 && rule.least > rule.most:
		c.reader.Problem(m.Key("atLeast"), "atLeast is more than atMost", "no number is both")
	}
	return rule
}

func (n counting) begin(r *run, set model.Key) watcher {
	w, ok := r.during(n.during)
	if !ok {
		return r.neverActed(n.during)
	}
	return &countWatcher{run: r, set: set, rule: n, window: w}
}

type countWatcher struct {
	quiet
	run    *run
	set    model.Key
	rule   counting
	window window
	came   []int
}

func (w *countWatcher) event(i int) {
	e := &w.run.events[i]
	byActor := w.rule.by == timeline.NoActor || e.Actor == w.rule.by
	if w.window.has(i) && inSet(e, w.set) && byActor && w.rule.entry.matches(e) {
		w.came = append(w.came, i)
	}
}

func (w *countWatcher) end() (*failure, string) {
	n := len(w.came)
	if n >= w.rule.least && (w.rule.most < 0 || n <= w.rule.most) {
		if n == 0 && !slices.ContainsFunc(w.run.sets, w.rule.entry.fits) {
			return nil, "no set of the run has pods of such a name"
		}
		return nil, ""
	}
	if n > w.rule.most && w.rule.most >= 0 {
		// The first one too many is where it goes wrong.
		at := w.came[w.rule.most]
		e := &w.run.events[at]
		detail := fmt.Sprintf("%s came at %s", eventText(e), clock(e.T))
		if n > 1 {
			detail += fmt.Sprintf("; in all %d came", n)
		}
		return failed(detail, at), ""
	}
	return failed(fmt.Sprintf("%d came", n), w.came...), ""
}
