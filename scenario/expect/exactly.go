package expect

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// exactly is the rule: all changes to some states are these, in this order, and there are no others. A group is an
// inner list, whose entries may happen in any order; an entry by itself is a group of one.
type exactly struct {
	// states are the states that count; nil is all.
	states []timeline.State
	groups [][]*entry
	// during is the number of the step in whose stretch they happen, 0 is the whole run.
	during int
	// instants is true if each group is one instant, and each group another one.
	instants bool
}

// compileExactly reads the states that count, and the list of entries and groups. An entry that can enter none of the
// states is a problem: it could never match.
func compileExactly(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	var rule exactly
	m := c.reader.Map(value, "exactly", "states", "during", "is", "instants")
	if !c.needs(value, m, "exactly", "is") {
		return rule
	}
	rule.during = c.step(m.Value("during"), "during")
	rule.instants = m.Bool("instants")
	for _, n := range m.List("states") {
		if name, ok := c.reader.OneOf(n, "a state", timeline.StateNames()...); ok {
			rule.states = append(rule.states, timeline.StateOf(name))
		}
	}
	for _, n := range m.List("is") {
		items := []*yaml.Node{n}
		if n.Kind == yaml.SequenceNode {
			items = n.Content
		}
		var group []*entry
		for _, item := range items {
			group = append(group, c.within(item, rule.states))
		}
		rule.groups = append(rule.groups, group)
	}
	return rule
}

// within reads an entry that must be able to match one of the states.
func (c *compiler) within(n *yaml.Node, states []timeline.State) *entry {
	e := c.entry(n)
	if e != nil && len(states) > 0 && !slices.ContainsFunc(states, e.enters) {
		c.reader.Problem(n, fmt.Sprintf("%q is about none of the listed states", e.text),
			"add its state to states, or leave states out")
	}
	return e
}

// begin collects within the stretch of the step.
func (x exactly) begin(r *run, set model.Key) watcher {
	return r.during(x.during, set, func(s stretch) watcher { return &exactlyWatcher{stretch: s, rule: x} })
}

// exactlyWatcher collects the changes that count and compares them at the end, when a whole group can be seen.
type exactlyWatcher struct {
	stretch
	rule exactly
	// came are their indexes, in order.
	came []int
}

// event collects a change of state that counts. A pod event without a state never does.
func (w *exactlyWatcher) event(i int) {
	e := w.look(i)
	if e == nil || e.Kind != timeline.KindPod {
		return
	}
	if len(w.rule.states) == 0 && e.State != timeline.NoState || slices.Contains(w.rule.states, e.State) {
		w.came = append(w.came, i)
	}
}

// end compares group by group: the next len(group) changes must match the group, in any order.
func (w *exactlyWatcher) end() (*failure, string) {
	if w.rule.instants {
		return w.atInstants(), ""
	}
	next := 0
	for g, group := range w.rule.groups {
		events := w.came[next:min(next+len(group), len(w.came))]
		if taken := w.assign(group, events); len(events) < len(group) || slices.Contains(taken, -1) {
			return w.differs(g, next, taken), ""
		}
		next += len(group)
	}
	if next < len(w.came) {
		return w.differs(len(w.rule.groups), next, []int{-1}), ""
	}
	return nil, ""
}

// assign gives each event an entry of the group that matches it, no entry to two, and to as many events as it can; -1
// is none. The result is the index of the entry for each event. Globs overlap, so the first entry that fits need not
// be the right one: this is a maximum matching by augmenting paths, O(events × entries²), in groups of a few entries.
func (w *exactlyWatcher) assign(group []*entry, events []int) []int {
	owner := make([]int, len(group))
	for j := range owner {
		owner[j] = -1
	}
	var tried []bool
	var give func(i int) bool
	give = func(i int) bool {
		for j, e := range group {
			if tried[j] || !e.matches(&w.run.events[events[i]]) {
				continue
			}
			tried[j] = true
			if owner[j] < 0 || give(owner[j]) {
				owner[j] = i
				return true
			}
		}
		return false
	}
	taken := make([]int, len(events))
	for i := range events {
		taken[i] = -1
		tried = make([]bool, len(group))
		give(i)
	}
	for j, i := range owner {
		if i >= 0 {
			taken[i] = j
		}
	}
	return taken
}

// differs describes how the events from came[next] on differ from the groups from g on. taken are the entries that the
// events of the group g have matched. expected and got are lists that a reader compares line by line.
func (w *exactlyWatcher) differs(g, next int, taken []int) *failure {
	f := &failure{}
	for i, group := range w.rule.groups {
		f.expected = append(f.expected, texts(group)...)
		if i < g {
			f.got = append(f.got, texts(group)...)
		}
	}
	rest := slices.Concat(w.rule.groups[g:]...)
	for _, i := range w.came[next:] {
		f.got = append(f.got, w.label(i, &rest))
	}
	if bad := slices.Index(taken, -1); bad >= 0 {
		at := w.came[next+bad]
		e := &w.run.events[at]
		f.detail = fmt.Sprintf("%s at %s is not expected there", e.Brief(), clock(e.T))
		f.at = []int{at}
		return f
	}
	for j, e := range w.rule.groups[g] {
		if !slices.Contains(taken, j) {
			never := w.absent(e)
			f.detail, f.at, f.never = never.detail, never.at, true
			break
		}
	}
	return f
}

// label renders an event as the text of a remaining entry that matches it, which it takes from rest, so that a
// comparison of lists finds it; otherwise in the form of the first entry.
func (w *exactlyWatcher) label(i int, rest *[]*entry) string {
	e := &w.run.events[i]
	for j, entry := range *rest {
		if entry.matches(e) {
			*rest = slices.Delete(slices.Clone(*rest), j, j+1)
			return entry.text
		}
	}
	if len(w.rule.groups) > 0 && len(w.rule.groups[0]) > 0 {
		return textFor(w.rule.groups[0][0], e)
	}
	return e.Brief()
}

// texts returns the entries as they were written.
func texts(group []*entry) []string {
	var list []string
	for _, e := range group {
		list = append(list, e.text)
	}
	return list
}
