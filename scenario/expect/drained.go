package expect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// drained is the rule: each kubectl drain of such a node ends, within a time of its step.
type drained struct {
	// node is a glob, "" is any node.
	node string
	// since is the first step that counts, 0 for any. within is counted from the step of each drain; 0 is no limit.
	since  int
	within time.Duration
}

// compileDrained reads `drained: NODE`, or a mapping; null is any node.
func compileDrained(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	m := c.shortOr(value, "drained", "node", "within", "since")
	c.glob(m, "node")
	return drained{node: m.String("node"), since: c.step(m.Value("since"), "since"), within: c.limit(m)}
}

// shortOr reads a mapping, or the value of its main key alone. It returns nil for null, which the methods of
// strict.Map take as an empty mapping.
func (c *compiler) shortOr(value *yaml.Node, what, main string, others ...string) *strict.Map {
	if value.Kind == yaml.ScalarNode && value.ShortTag() != "!!null" {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: main, Line: value.Line, Column: value.Column}
		value = &yaml.Node{
			Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, value}, Line: value.Line, Column: value.Column,
		}
	}
	return c.reader.Map(value, what, append([]string{main}, others...)...)
}

// glob notes a problem if the value of a key is not a glob.
func (c *compiler) glob(m *strict.Map, key string) {
	if n := m.Value(key); n != nil {
		if err := strict.Glob(n.Value); err != nil {
			c.reader.Problem(n, fmt.Sprintf("%s is %q", key, n.Value), err.Error())
		}
	}
}

// begin finds the drains that count. There must be one: an expectation about a drain that never started is a
// mistake.
func (k drained) begin(r *run, _ model.Key) watcher {
	from, _, ok := r.since(k.since)
	if !ok {
		return r.neverActed(k.since)
	}
	// The step itself may be the drain.
	w := &drainedWatcher{run: r, within: k.within}
	for _, d := range r.drains() {
		if d.at >= from-1 && (k.node == "" || glob.Match(k.node, d.node)) {
			w.drains = append(w.drains, d)
		}
	}
	if len(w.drains) == 0 {
		return broken{detail: k.none(r)}
	}
	return w
}

// none says that no step drains such a node, and which are drained.
func (k drained) none(r *run) string {
	var have []string
	for _, d := range r.drains() {
		have = append(have, d.node)
	}
	if len(have) == 0 {
		return "no step of the run drains a node"
	}
	return fmt.Sprintf("no step drains a node %s: those drained are %s", k.node, strict.List(have))
}

// drain is the result of a kubectl drain of one node. A step that drains several nodes has one for each.
type drain struct {
	node string
	// at is the index of the step or the fault that started it.
	at int
	// ended is true if the drain ended, at the instant end. Otherwise story is the message that says why not, and
	// told is its index: kubectl's refusal to start, the last message if kubectl gave up, or the first blocked
	// eviction.
	ended bool
	end   model.Time
	story string
	told  int
}

// drains returns the drains of the run, in the order of the timeline. They start like all steps, with their text,
// and name nodes that have events in the timeline.
func (r *run) drains() []*drain {
	var nodes []string
	for i := range r.events {
		if e := &r.events[i]; e.Kind == timeline.KindNode && !slices.Contains(nodes, e.Node) {
			nodes = append(nodes, e.Node)
		}
	}
	var list []*drain
	for i := range r.events {
		does, refusal := "", ""
		switch e := &r.events[i]; {
		case e.Step != nil && e.Step.Verb == "drain":
			does, refusal = e.Step.Does, e.Step.Refusal
		case e.Fault != nil && e.Fault.Verb == "drain":
			does, refusal = e.Fault.Does, e.Fault.Refusal
		}
		named := strings.Split(strings.TrimPrefix(does, "drain "), ", ")
		for _, node := range nodes {
			if !slices.Contains(named, node) {
				continue
			}
			d := &drain{node: node, at: i}
			if strings.Contains(refusal, strconv.Quote(node)) {
				d.story, d.told = refusal, i
			}
			list = append(list, d)
		}
	}
	return list
}

// drainedWatcher follows the drains that count; there is at least one.
type drainedWatcher struct {
	quiet
	run *run
	// within is counted from the step of each drain; 0 is no limit.
	within time.Duration
	drains []*drain
}

// event notes the end of a drain, or why it is not over: the first refusal, or else that kubectl has given up.
func (w *drainedWatcher) event(i int) {
	e := &w.run.events[i]
	if e.Kind != timeline.KindNode {
		return
	}
	for _, d := range w.drains {
		if d.node != e.Node || i < d.at || d.ended {
			continue
		}
		switch {
		case e.Reason == timeline.ReasonDrained:
			d.ended, d.end = true, e.T
		case e.Reason == timeline.ReasonDrainGivenUp, e.Why.Code == model.DrainBlocked && d.story == "":
			d.story, d.told = e.Message, i
		}
	}
}

// end reports the first drain that did not end, or not in time.
func (w *drainedWatcher) end() (*failure, string) {
	for _, d := range w.drains {
		begun := w.run.events[d.at].T
		limit := begun.Add(w.within)
		switch {
		case d.ended && (w.within == 0 || d.end <= limit):
			continue
		case d.ended:
			return failed(fmt.Sprintf("%s was drained only after %s", d.node, d.end.Sub(begun)), d.at), ""
		}
		detail := fmt.Sprintf("the drain of %s, begun at %s, has not ended", d.node, clock(begun))
		if w.within > 0 && limit < w.run.end() {
			detail += " by " + clock(limit)
		} else {
			detail += ": " + w.run.ending()
		}
		if d.story != "" {
			return failed(detail+"; "+d.story, d.told), ""
		}
		return failed(detail, d.at), ""
	}
	return nil, ""
}
