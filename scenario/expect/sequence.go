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

// compileOrder reads a list of entries, of which there must be one; it takes no groups.
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
	// came are the events that the first entries have matched: came[i] that of entries[i]. Taking the earliest one for
	// each leaves the most for those that follow, so no other choice could succeed if this one fails.
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
		return failed(fmt.Sprintf("entry 1, %q, never happens", missing.text)), ""
	}
	last := w.came[n-1]
	detail := fmt.Sprintf("entry %d, %q, does not happen after entry %d, %q, which happened at %s", n+1, missing.text, n,
		w.entries[n-1].text, clock(w.run.events[last].T))
	at := []int{last}
	if before, ok := w.lastBefore(missing, last); ok {
		detail += fmt.Sprintf("; it happened before that, at %s", clock(w.run.events[before].T))
		at = append(at, before)
	}
	return failed(detail, at...), ""
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

// monotone is the rule: the ordinals that match happen once each, in one direction. during is as in order.
type monotone struct {
	entry  *entry
	during int
	// step is -1 for descending, 1 for ascending.
	step int
}

// compileDescending and compileAscending read one entry, mostly with a glob for the pod.
func compileDescending(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return monotone{c.entry(value), c.step(item.Value("during"), "during"), -1}
}

// compileAscending is compileDescending in the other direction.
func compileAscending(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return monotone{c.entry(value), c.step(item.Value("during"), "during"), 1}
}

// begin looks within the stretch of the step.
func (m monotone) begin(r *run, set model.Key) watcher {
	return r.during(m.during, set, func(s stretch) watcher {
		return &monotoneWatcher{stretch: s, rule: m, last: map[model.Key]int{}}
	})
}

// monotoneWatcher compares each event that matches with the one before it in its set.
type monotoneWatcher struct {
	stretch
	rule monotone
	// last is the index of the last event of each set that matched. fail is the first failure.
	last map[model.Key]int
	fail *failure
}

// event compares with the last event of the same set that matched. After the first failure nothing is compared.
func (w *monotoneWatcher) event(i int) {
	e := w.look(i)
	if e == nil || w.fail != nil || !w.rule.entry.matches(e) {
		return
	}
	if last, found := w.last[e.Set]; found {
		w.compare(last, i)
	}
	w.last[e.Set] = i
}

// compare fails if the ordinal of an event does not go on in the direction from that of the last one.
func (w *monotoneWatcher) compare(last, i int) {
	before, e := &w.run.events[last], &w.run.events[i]
	_, from := model.SplitPodName(before.Pod)
	_, to := model.SplitPodName(e.Pod)
	if (to-from)*w.rule.step > 0 {
		return
	}
	detail := fmt.Sprintf("%s at %s happens after %s at %s", eventText(e), clock(e.T), eventText(before), clock(before.T))
	if from == to {
		detail = fmt.Sprintf("%s happens again at %s, after %s", eventText(e), clock(e.T), clock(before.T))
	}
	w.fail = failed(detail, last, i)
}

// end fails if nothing has matched, because then there was no order to see.
func (w *monotoneWatcher) end() (*failure, string) {
	if w.fail == nil && len(w.last) == 0 {
		return failed(fmt.Sprintf("%q never happens", w.rule.entry.text)), ""
	}
	return w.fail, ""
}
