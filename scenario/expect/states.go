package expect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// always is the rule: the condition is true at every fixed point, after a step or from when the set was first
// complete. Before that almost any condition about serving pods is false, since they are just being created.
type always struct {
	condition *condition.Condition
	since     int
}

// compileAlways reads a condition; since is a key next to it.
func compileAlways(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return always{c.condition(value), c.step(item.Value("since"), "since")}
}

// begin judges from the step on or, without one, from when all sets that the condition needs are complete.
func (a always) begin(r *run, set model.Key) watcher {
	from, _, ok := r.since(a.since)
	if !ok {
		return r.neverActed(a.since)
	}
	eval, problem := r.evaluator(a.condition, set)
	if problem != nil {
		return problem
	}
	return &alwaysWatcher{run: r, eval: eval, from: from, begun: a.since != 0}
}

// evaluator returns the evaluator of a condition in a run, or the watcher of the failure: the condition needs a single
// set and the run does not have exactly one.
func (r *run) evaluator(c *condition.Condition, set model.Key) (condition.Evaluator, watcher) {
	if set == (model.Key{}) && len(c.Uses.Names) > 0 {
		switch len(r.sets) {
		case 0:
			return condition.Evaluator{}, broken{detail: "the run has no set"}
		case 1:
			set = r.sets[0]
		default:
			return condition.Evaluator{}, broken{detail: "the run has several sets: add for: " + r.sets[0].String()}
		}
	}
	e := condition.Evaluator{Condition: c, Subject: set, Meter: r.meter, Needed: slices.Clone(c.Uses.Sets)}
	if set != (model.Key{}) {
		e.Needed = append(e.Needed, set)
	}
	if len(c.Labels) > 0 {
		e.Labels = condition.LabellingsIn(r.events, c.Labels)
	}
	if len(c.Loops) > 0 {
		e.Kept = &condition.Keeper{Loops: c.Loops, Meter: r.meter}
	}
	return e, nil
}

// alwaysWatcher evaluates the condition at each fixed point, until the first failure.
type alwaysWatcher struct {
	run  *run
	eval condition.Evaluator
	// from is the number of events before the first fixed point that counts.
	from int
	// begun is true once the condition is being judged, and stays true; judged is true once it was judged at a
	// point where its sets exist. fail is the first failure.
	begun, judged bool
	fail          *failure
}

// event tells the kept answers what has changed. Every event must come here, also before the first point that counts.
func (w *alwaysWatcher) event(i int) { w.eval.Kept.Note(&w.run.events[i], w.eval.Subject) }

// tick evaluates the condition. It skips a point where one of its sets does not exist.
func (w *alwaysWatcher) tick(f *timeline.Fold) {
	if w.fail != nil || f.Index < w.from {
		return
	}
	if w.begun = w.begun || complete(f, w.eval.Needed); !w.begun {
		return
	}
	truth, err := w.eval.At(f)
	if errors.Is(err, condition.ErrAbsent) {
		return
	}
	w.judged = true
	if !truth {
		w.fail = failed(whyFalse(&w.eval, err, f.T, moment{}), w.run.lastTold(f.Index))
	}
}

// end lets an expectation hold that was never judged, with a note: a run may end before the set is complete.
func (w *alwaysWatcher) end() (*failure, string) {
	if w.fail == nil && !w.judged {
		return nil, "it was never judged, because the set was never complete: add since: STEP to judge it from that step on"
	}
	return w.fail, ""
}

// complete reports whether all of the sets are complete; by default all. It is false without sets.
func complete(f *timeline.Fold, keys []model.Key) bool {
	sets := f.Sets()
	if len(keys) > 0 {
		sets = nil
		for _, key := range keys {
			sets = append(sets, f.Set(key))
		}
	}
	incomplete := func(s *timeline.Set) bool { return s == nil || !s.Complete(f.T) }
	return len(sets) > 0 && !slices.ContainsFunc(sets, incomplete)
}

// span is when something must become true: after a step (0 is the start), and within a duration of it.
type span struct {
	since int
	// within is 0 if there is no limit.
	within time.Duration
}

// limits are a span in a run. The zero value of from and begin is the start.
type limits struct {
	run  *run
	from int
	// last is the number of events at the last fixed point that counts, until the instant of the limit.
	last  int
	begin model.Time
	until model.Time
	// limited is true if there is a limit.
	limited bool
}

// in places a span in a run; it is not ok if its step never acted.
func (s span) in(r *run) (limits, bool) {
	from, at, ok := r.since(s.since)
	l := limits{run: r, from: from, begin: at, last: len(r.events), until: r.end()}
	if s.within > 0 {
		l.until, l.limited = at.Add(s.within), true
		l.last = r.upTo(l.until)
	}
	return l, ok
}

// counts reports whether a fixed point is within the limits.
func (l *limits) counts(f *timeline.Fold) bool {
	return f.Index >= l.from && (!l.limited || f.T <= l.until)
}

// isLast reports whether a fixed point is the last one within the limits, which a failure shows.
func (l *limits) isLast(f *timeline.Fold) bool { return f.Index == l.last && l.counts(f) }

// failed is a failure of something that did not become true, with the event before the limit. Without a limit that
// was reached there is no instant of failure.
func (l *limits) failed(detail string, at int) *failure {
	f := failed(detail, at)
	f.never = !l.limited || l.until > l.run.end()
	return f
}

// tried says between which instants something did not become true.
func (l *limits) tried() string {
	if l.limited && l.until <= l.run.end() {
		return fmt.Sprintf("from %s to %s", clock(l.begin), clock(l.until))
	}
	return fmt.Sprintf("from %s until %s", clock(l.begin), l.run.ending())
}

// eventually is the rule: the condition is true at some fixed point within the span.
type eventually struct {
	condition *condition.Condition
	span      span
}

// compileEventually reads a condition; since and within are keys next to it.
func compileEventually(c *compiler, value *yaml.Node, item *strict.Map) rule {
	return eventually{c.condition(value), span{c.step(item.Value("since"), "since"), c.limit(item)}}
}

// limit reads within, 0 if it is not given. A given 0 is refused: nothing could ever happen in it.
func (c *compiler) limit(m *strict.Map) time.Duration {
	before := len(c.reader.Problems)
	d := m.Duration("within")
	if m.Has("within") && d == 0 && len(c.reader.Problems) == before {
		c.reader.Problem(m.Value("within"), "within is 0", "write a duration like 90s; check judges one instant")
	}
	return d
}

// begin looks within the span. A step that never acted is a failure.
func (e eventually) begin(r *run, set model.Key) watcher {
	l, ok := e.span.in(r)
	if !ok {
		return r.neverActed(e.span.since)
	}
	eval, problem := r.evaluator(e.condition, set)
	if problem != nil {
		return problem
	}
	w := &eventuallyWatcher{limits: l, eval: eval}
	if n := len(r.steps); n > 0 && e.span.since == 0 {
		w.lastStep = r.steps[n-1]
	}
	return w
}

// eventuallyWatcher evaluates the condition at each fixed point within its limits, until it is true.
type eventuallyWatcher struct {
	limits limits
	eval   condition.Evaluator
	// lastStep is the index of the last step, 0 if a step is named; complete is true if the set was complete once.
	// early is a note if the condition was true already before that, although more steps follow.
	lastStep int
	complete bool
	early    string
	// held ends the search.
	held bool
	// last says why it was not true at the last point that counts, at is the event to show; "" without such a point.
	last string
	at   int
}

// event tells the kept answers what has changed.
func (w *eventuallyWatcher) event(i int) { w.eval.Kept.Note(&w.limits.run.events[i], w.eval.Subject) }

// tick evaluates the condition. An error does not count as success, and only the error at the last point is shown.
func (w *eventuallyWatcher) tick(f *timeline.Fold) {
	if w.held || !w.limits.counts(f) {
		return
	}
	truth, err := w.eval.At(f)
	w.held = truth && err == nil
	if w.held && !w.complete && f.Index <= w.lastStep {
		w.early = fmt.Sprintf("it was true at %s, while the pods were created: add since: STEP to ask for it after that step",
			clock(f.T))
	}
	w.complete = w.complete || complete(f, w.eval.Needed)
	if !w.held && w.limits.isLast(f) {
		w.last, w.at = whyFalse(&w.eval, err, f.T, moment{}), w.limits.run.lastTold(f.Index)
	}
}

// end fails if the condition was true at no point.
func (w *eventuallyWatcher) end() (*failure, string) {
	if w.held {
		return nil, w.early
	}
	detail := "it never became true " + w.limits.tried()
	if w.last == "" {
		return failed(detail), ""
	}
	return w.limits.failed(detail+"; "+w.last, w.at), ""
}

// check is the rule: the condition is true at one moment.
type check struct {
	condition *condition.Condition
	at        moment
}

// compileCheck reads a mapping with the condition and the moment; without one it is the end.
func compileCheck(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	var rule check
	m := c.reader.Map(value, "check", "at", "that")
	if !c.needs(value, m, "check", "that") {
		return rule
	}
	rule.condition = c.condition(m.Value("that"))
	rule.at = c.moment(m.Value("at"))
	return rule
}

// begin judges the condition at the moment. If one of its sets does not exist then, it fails.
func (k check) begin(r *run, set model.Key) watcher {
	eval, problem := r.evaluator(k.condition, set)
	if problem != nil {
		return problem
	}
	return k.at.judged(r, func(f *timeline.Fold) string {
		truth, err := eval.At(f)
		if truth {
			return ""
		}
		return whyFalse(&eval, err, f.T, k.at)
	})
}

// whyFalse says why a condition does not hold at an instant. asked is the requested moment, which may be later:
// then nothing has changed in between.
func whyFalse(e *condition.Evaluator, err error, at model.Time, asked moment) string {
	when := clock(at)
	if asked.instant && asked.at > at {
		when = clock(asked.at) + " (unchanged since " + when + ")"
	}
	if err != nil {
		return "at " + when + ": " + err.Error()
	}
	detail := "it is false at " + when
	if values := e.Condition.Values(&e.Vars); len(values) > 0 {
		detail += ": " + strings.Join(values, ", ")
	}
	return detail
}
