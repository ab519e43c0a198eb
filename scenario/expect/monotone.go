package expect

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// monotone is the rule: the ordinals that match happen once each, in one direction, and one after the other.
type monotone struct {
	entry *entry
	// during is the number of the step in whose stretch they happen, 0 is the whole run.
	during int
	// step is -1 for descending, 1 for ascending.
	step int
	// ties is true if several may happen at one instant.
	ties bool
}

// The words for simultaneous events.
const (
	tiesAllowed = "allowed"
	tiesNone    = "none"
)

// compileDescending and compileAscending read an entry, mostly with a glob for the pod.
func compileDescending(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return c.monotone("descending", value, item, -1)
}

// compileAscending is compileDescending in the other direction.
func compileAscending(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return c.monotone("ascending", value, item, 1)
}

// monotone reads an entry, or a mapping with the entry and what may be at one instant. step is as in the rule.
func (c *compiler) monotone(kind string, value *yaml.Node, item *strict.Map, step int) rule {
	rule := monotone{during: c.step(item.Value("during"), "during"), step: step}
	if value.Kind != yaml.MappingNode {
		rule.entry = c.entry(value)
		return rule
	}
	m := c.reader.Map(value, kind, "of", "ties")
	if !m.Need("of") {
		return rule
	}
	rule.entry = c.entry(m.Value("of"))
	rule.ties = m.OneOf("ties", tiesNone, tiesAllowed) == tiesAllowed
	return rule
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
		w.fail = w.compare(last, i)
	}
	w.last[e.Set] = i
}

// compare fails if the ordinal of an event does not follow the last one in the right direction, or if both have the
// same instant and that is not allowed.
func (w *monotoneWatcher) compare(last, i int) *failure {
	before, e := &w.run.events[last], &w.run.events[i]
	_, from := model.SplitPodName(before.Pod)
	_, to := model.SplitPodName(e.Pod)
	switch onwards := (to-from)*w.rule.step > 0; {
	case from == to:
		return failed(fmt.Sprintf("%s happens again at %s, after %s", e.Brief(), clock(e.T), clock(before.T)), i, last)
	case !onwards:
		return failed(fmt.Sprintf("%s at %s happens after %s at %s", e.Brief(), clock(e.T), before.Brief(),
			clock(before.T)), i, last)
	case before.T == e.T && !w.rule.ties:
		return failed(fmt.Sprintf("%s and %s are both at %s, so neither comes first; where that is right, write "+
			"{of: %q, ties: %s}", before.Brief(), e.Brief(), clock(e.T), w.rule.entry.text, tiesAllowed), i, last)
	}
	return nil
}

// end fails if nothing matched, because then there was no order to see.
func (w *monotoneWatcher) end() (*failure, string) {
	if w.fail == nil && len(w.last) == 0 {
		return w.absent(w.rule.entry), ""
	}
	return w.fail, ""
}
