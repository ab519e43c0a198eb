package expect

import (
	"fmt"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// moment is one fixed point of a run: after a step, at an instant, or at the end.
type moment struct {
	// step is the number of a step; at is an instant if instant is true; else it is the end. At most one of them is set.
	step    int
	at      model.Time
	instant bool
}

// moment reads a time, a step or settled; if nothing is given, it is the end.
func (c *compiler) moment(n *yaml.Node) moment {
	switch {
	case n == nil || n.Value == "settled":
		return moment{}
	case isDuration(n):
		d, _ := c.reader.Duration(n, "at")
		return moment{at: model.Time(d), instant: true}
	}
	problems := len(c.reader.Problems)
	m := moment{step: c.step(n, "at")}
	if n.ShortTag() == "!!int" && len(c.reader.Problems) > problems {
		c.reader.Problems[problems].Want += "; a time has a unit: " + n.Value + "s"
	}
	return m
}

// isDuration distinguishes a time from a step's name or number. A step with the name "5s" cannot be meant.
func isDuration(n *yaml.Node) bool {
	_, err := time.ParseDuration(n.Value)
	return err == nil && n.ShortTag() == "!!str"
}

// judged returns the watcher that judges the state at the moment. judge says what is wrong with it, or ""; it is
// called at most once. An instant after the end of a run that has come to rest counts as the end; an instant that a
// run did not reach is a failure, and so is the end of a run that did not settle.
func (m moment) judged(r *run, judge func(f *timeline.Fold) string) watcher {
	w := &momentWatcher{run: r, judge: judge, from: len(r.events), until: r.end()}
	final := r.final()
	switch {
	case m.step != 0:
		at, ok := r.stepAt[m.step]
		if !ok {
			return r.neverActed(m.step)
		}
		w.from = at + 1
	case m.instant && (m.at <= r.end() || final):
		w.from, w.until = r.upTo(m.at), m.at
	case m.instant:
		return broken{detail: fmt.Sprintf("the run did not reach %s: %s", clock(m.at), r.ending())}
	case !final:
		return broken{detail: "the run did not settle: " + r.ending()}
	}
	return w
}

// momentWatcher judges at the first fixed point that has seen enough events, unless that is after the instant: a fixed
// point before a step of a later instant has seen as many.
type momentWatcher struct {
	quiet
	run   *run
	judge func(f *timeline.Fold) string
	// from is the number of events that the fixed point must have seen, until the instant that it must not be after.
	from  int
	until model.Time
	done  bool
	fail  *failure
}

// tick judges once, at the first fixed point that counts.
func (w *momentWatcher) tick(f *timeline.Fold) {
	if w.done || f.Index < w.from || f.T > w.until {
		return
	}
	w.done = true
	if detail := w.judge(f); detail != "" {
		w.fail = failed(detail, w.run.lastTold(f.Index))
	}
}

// end returns the result of tick. If no fixed point counted, there is no failure.
func (w *momentWatcher) end() (*failure, string) { return w.fail, "" }

// stretch is the part of the timeline that an expectation about the order or the number of events looks at: the events
// of its set, or of all sets, from a step until the next one acts.
type stretch struct {
	quiet
	run *run
	set model.Key
	// from and to bound the indexes of the events: from ≤ i < to.
	from, to int
}

// during starts a watcher with the stretch after a step, until the next step acts; with the whole run for step 0.
func (r *run) during(step int, set model.Key, watch func(stretch) watcher) watcher {
	s := stretch{run: r, set: set, to: len(r.events)}
	if step == 0 {
		return watch(s)
	}
	at, ok := r.stepAt[step]
	if !ok {
		return r.neverActed(step)
	}
	s.from = at + 1
	for _, next := range r.steps {
		if next > at {
			s.to = next
			break
		}
	}
	return watch(s)
}

// look returns an event, or nil if it is outside.
func (s *stretch) look(i int) *timeline.Event {
	if e := &s.run.events[i]; s.from <= i && i < s.to && inSet(e, s.set) {
		return e
	}
	return nil
}
