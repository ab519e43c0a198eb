package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Outcome is the result of an expectation.
type Outcome uint8

// The outcomes. An expectation that is not about the run's version of Kubernetes is skipped.
const (
	Held Outcome = iota
	Failed
	Skipped
)

var outcomeNames = [...]string{"held", "failed", "skipped"}

// String returns the outcome as a word.
func (o Outcome) String() string { return outcomeNames[o] }

// Verdict is an expectation and its result in one run.
type Verdict struct {
	*Expectation
	Outcome Outcome
	// Detail says what happened instead, or why the expectation was skipped or not judged.
	Detail string
	// Want is what was expected where it failed, if that says it in fewer words than the expectation; else "".
	Want string
	// Expected and Got are lists to be compared line by line, if the expectation is about a list; nil otherwise.
	Expected, Got []string
	// Instants are the times when the expectation was broken, the most important one first, and Around is the
	// timeline there, one line each. An expectation that failed because something never happened has no instant.
	Instants []model.Time
	Around   []string
}

// watcher judges one expectation on one run. It gets each event and each fixed point, in order: before a tick all
// events up to f.Index. It must not change the fold, nor keep a pointer into it.
type watcher interface {
	event(i int)
	tick(f *timeline.Fold)
	// end returns why the expectation failed, or nil; note says something about one that held. It is called once, after
	// the last tick.
	end() (f *failure, note string)
}

// failure is why an expectation failed.
type failure struct {
	detail string
	// want is the expected text at the place of the failure, if it is shorter than the expectation; otherwise "".
	want          string
	expected, got []string
	// at are the indexes of the events where it failed, the most important one first.
	at []int
	// never is true if it failed because something never happened: at is then what happened instead, and there is
	// no instant of failure.
	never bool
}

// failed returns a failure with a detail, a sentence without a full stop.
func failed(detail string, at ...int) *failure { return &failure{detail: detail, at: at} }

// quiet is a watcher that does not need every event.
type quiet struct{}

// event does nothing, and neither does tick: a watcher overrides what it needs.
func (quiet) event(int) {}

// tick does nothing.
func (quiet) tick(*timeline.Fold) {}

// endOnly is a watcher that looks at nothing on the way: it judges at the end. A scenario of many steps has as many.
type endOnly struct{ quiet }

// onlyAtEnd marks it.
func (endOnly) onlyAtEnd() {}

// broken is a watcher that failed before it started.
type broken struct {
	endOnly
	detail string
}

// end returns the failure, which has no place in the timeline.
func (b broken) end() (*failure, string) { return failed(b.detail), "" }

// Judge judges the expectations on a timeline, in one walk over it, and returns a verdict for each, in their order.
// Only a step's own expectation to act at its time has none if it held. Time O(events × expectations), plus the
// cost of conditions.
func Judge(list []*Expectation, events []timeline.Event) []Verdict {
	return JudgeUntil(list, events, Guard{})
}

// Guard bounds what judging may cost. The zero value bounds nothing.
type Guard struct {
	// Cost is the greatest total cost of all conditions; 0 means no limit. A unit is about a field read or a comparison.
	Cost int64
	// Spent is the cost so far.
	Spent int64
	// Stop, if set, is called now and then; it returns why judging must end, or "".
	Stop func() string
}

// JudgeUntil judges as Judge does, until the guard ends it. Then all expectations fail, for that reason: one that has
// failed already may have done so because its evaluation was cut off.
func JudgeUntil(list []*Expectation, events []timeline.Event, guard Guard) []Verdict {
	r := newRun(events)
	r.meter = &condition.Meter{Limit: guard.Cost, Spent: guard.Spent, Stop: guard.Stop}
	verdicts := make([]Verdict, len(list))
	watchers := make([]watcher, len(list))
	for i, e := range list {
		verdicts[i].Expectation = e
		if r.version.major > 0 && !e.versions.contains(r.version) {
			verdicts[i].Outcome = Skipped
			verdicts[i].Detail = "it does not apply to Kubernetes " + r.version.String()
			continue
		}
		watchers[i] = e.rule.begin(r, e.set)
	}
	r.walk(watchers)
	if r.meter.Ended != "" {
		return unjudged(verdicts, r.meter.Ended)
	}
	for i, w := range watchers {
		if w != nil {
			verdicts[i].conclude(r, w)
		}
	}
	return slices.DeleteFunc(verdicts, needless)
}

// unjudged returns the verdicts of expectations that were not judged, because judging was ended early.
func unjudged(verdicts []Verdict, why string) []Verdict {
	for i := range verdicts {
		if v := &verdicts[i]; v.Outcome != Skipped {
			v.Outcome, v.Detail = Failed, "judging ended early: "+why
		}
	}
	return slices.DeleteFunc(verdicts, needless)
}

// conclude takes over what a watcher has found.
func (v *Verdict) conclude(r *run, w watcher) {
	f, note := w.end()
	v.Detail = note
	if f == nil {
		return
	}
	v.Outcome, v.Detail, v.Want, v.Expected, v.Got = Failed, f.detail, f.want, f.expected, f.got
	if changed := v.recorded.changed(r, v.set, v.rule); changed != "" {
		v.Detail += "; " + changed
	}
	for _, i := range f.at {
		if t := r.events[i].T; !f.never && !slices.Contains(v.Instants, t) {
			v.Instants = append(v.Instants, t)
		}
	}
	v.Around = r.around(f.at)
}

// Expected reports whether the run ended as expected: it settled, or an expectation that held describes another
// end. A timeline that is cut off has no end.
func Expected(verdicts []Verdict, events []timeline.Event) bool {
	result := newRun(events).result
	if result == nil {
		return false
	}
	if result.Verdict == timeline.Settled {
		return true
	}
	return slices.ContainsFunc(verdicts, func(v Verdict) bool {
		return v.Outcome == Held && (v.Kind == "stuck" || v.Kind == "ends")
	})
}

// run is a timeline with all that judging needs to know in advance. But for cast and meter it does not change.
type run struct {
	events []timeline.Event
	// stepAt finds the index of a step's event by its number; steps are the indexes of all of these, in order.
	stepAt map[int]int
	steps  []int
	// sets are all sets that steps and faults of the run write, sorted by their keys, each once.
	sets    []model.Key
	version version
	// cast lists the objects that the run can have; nil until it was asked for.
	cast *cast
	// dnsTTL is how long the answers of the DNS are cached; 0 means not at all.
	dnsTTL model.Time
	// result is nil if the timeline is cut off.
	result *timeline.Result
	// meter counts what all conditions together cost.
	meter *condition.Meter
}

// newRun looks through a timeline once.
func newRun(events []timeline.Event) *run {
	r := &run{events: events, stepAt: map[int]int{}}
	for i := range events {
		switch e := &events[i]; {
		case e.Run != nil:
			r.version, _ = parseVersion(e.Run.Kubernetes)
			r.dnsTTL = model.Time(e.Run.DNSTTL)
		case e.Step != nil:
			r.stepAt[e.Step.Number] = i
			r.steps = append(r.steps, i)
			for _, set := range e.Step.Sets {
				r.sets = append(r.sets, set.Key())
			}
		case e.Fault != nil:
			for _, set := range e.Fault.Sets {
				r.sets = append(r.sets, set.Key())
			}
		case e.Result != nil:
			r.result = e.Result
		}
	}
	slices.SortFunc(r.sets, model.Key.Compare)
	r.sets = slices.Compact(r.sets)
	return r
}

// walk shows the timeline by fixed points to the watchers that look at it. It ends early if the meter says so.
func (r *run) walk(watchers []watcher) {
	watchers = slices.DeleteFunc(slices.Clone(watchers), func(w watcher) bool {
		_, atEnd := w.(interface{ onlyAtEnd() })
		return w == nil || atEnd
	})
	seen := 0
	for f := range timeline.Ticks(r.events) {
		if r.meter.Add(0) {
			return
		}
		for _, w := range watchers {
			for i := seen; i < f.Index; i++ {
				w.event(i)
			}
			w.tick(f)
		}
		seen = f.Index
	}
}

// since returns the first event after a step and the instant of the step; the start for step 0. It is not ok if the
// step never acted.
func (r *run) since(step int) (from int, at model.Time, ok bool) {
	if step == 0 {
		return 0, 0, true
	}
	i, ok := r.stepAt[step]
	if !ok {
		return 0, 0, false
	}
	return i + 1, r.events[i].T, true
}

// upTo returns the number of events at or before an instant: the fixed point after them is the last one until then.
func (r *run) upTo(t model.Time) int {
	at, _ := slices.BinarySearchFunc(r.events, t, func(e timeline.Event, t model.Time) int {
		if e.T <= t {
			return -1
		}
		return 1
	})
	return at
}

// end returns the instant of the last event.
func (r *run) end() model.Time {
	if len(r.events) == 0 {
		return 0
	}
	return r.events[len(r.events)-1].T
}

// final reports whether the run ended because nothing was left to happen.
func (r *run) final() bool {
	return r.result != nil && (r.result.Verdict == timeline.Settled || r.result.Verdict == timeline.IsStuck)
}

// neverActed is the watcher of an expectation that counts from a step that never acted.
func (r *run) neverActed(step int) watcher {
	return broken{detail: fmt.Sprintf("step %d never acted: %s", step, r.ending())}
}

// ending says how and when the run ended.
func (r *run) ending() string {
	if r.result == nil {
		return "the timeline is cut off at " + clock(r.end())
	}
	return fmt.Sprintf("the run ended at %s with the verdict %s", clock(r.end()), r.result.Verdict)
}

// clock renders an instant.
func clock(t model.Time) string { return t.Clock() }

// maxTogether is the number of changes of one instant that a sentence names.
const maxTogether = 4

// atInstants compares instant by instant: the changes of each must match the changes of its group, in any order.
func (w *exactlyWatcher) atInstants() *failure {
	came := w.byInstant()
	for g := range max(len(came), len(w.rule.groups)) {
		if g < len(came) && g < len(w.rule.groups) {
			group := w.rule.groups[g]
			taken := w.assign(group, came[g])
			if len(group) == len(came[g]) && !slices.Contains(taken, -1) {
				continue
			}
		}
		return w.otherwise(g, came)
	}
	return nil
}

// byInstant divides the changes that count by their instants.
func (w *exactlyWatcher) byInstant() [][]int {
	var came [][]int
	for n, i := range w.came {
		if n == 0 || w.run.events[i].T != w.run.events[w.came[n-1]].T {
			came = append(came, nil)
		}
		came[len(came)-1] = append(came[len(came)-1], i)
	}
	return came
}

// otherwise describes how the instants from the g-th on differ from the groups. The event that no entry of its group
// means comes first: that is the one to look at.
func (w *exactlyWatcher) otherwise(g int, came [][]int) *failure {
	f := &failure{}
	var names []string
	for i, group := range w.rule.groups {
		names = append(names, strings.Join(texts(group), " + "))
		if i < g {
			f.got = append(f.got, names[i])
		}
	}
	f.expected = names
	for _, events := range came[min(g, len(came)):] {
		f.got = append(f.got, strings.Join(w.labels(events, g), " + "))
	}
	after := ""
	if g > 0 && g <= len(came) {
		last := came[g-1]
		after = " after " + w.together(w.labels(last, g-1), last)
	}
	f.want = "nothing" + after
	if g < len(w.rule.groups) {
		f.want = w.together(texts(w.rule.groups[g]), nil)
		if after == "" {
			f.want += " first"
		}
		f.want += after
	}
	if g >= len(came) {
		f.detail, f.never = "nothing more happens", true
		if len(came) > 0 {
			f.at = came[len(came)-1]
		} else if len(w.rule.groups) > 0 && len(w.rule.groups[0]) > 0 {
			absent := w.absent(w.rule.groups[0][0])
			f.detail, f.at = absent.detail, absent.at
		}
		return f
	}
	f.detail = w.together(w.labels(came[g], g), came[g])
	f.at = w.strangeFirst(g, came[g])
	return f
}

// strangeFirst returns the events of an instant, those first that no entry of the group means.
func (w *exactlyWatcher) strangeFirst(g int, events []int) []int {
	var group []*entry
	if g < len(w.rule.groups) {
		group = w.rule.groups[g]
	}
	taken := w.assign(group, events)
	var strange, known []int
	for n, i := range events {
		if taken[n] < 0 {
			strange = append(strange, i)
		} else {
			known = append(known, i)
		}
	}
	return append(strange, known...)
}

// labels renders the events of an instant in the words of the entries of a group, so that equal ones read alike.
func (w *exactlyWatcher) labels(events []int, g int) []string {
	var rest []*entry
	if g < len(w.rule.groups) {
		rest = slices.Clone(w.rule.groups[g])
	}
	var list []string
	for _, i := range events {
		list = append(list, w.label(i, &rest))
	}
	return list
}

// together words the changes of one instant, and names the instant if they came.
func (w *exactlyWatcher) together(list []string, came []int) string {
	several := len(list) > 1
	if n := len(list); n > maxTogether {
		list = append(slices.Clone(list[:maxTogether]), fmt.Sprintf("%d more", n-maxTogether))
	}
	switch text := joined(list); {
	case len(came) == 0 && several:
		return text + " at one instant"
	case len(came) == 0:
		return text
	case several:
		return text + " at one instant, " + clock(w.run.events[came[0]].T)
	default:
		return text + " at " + clock(w.run.events[came[0]].T)
	}
}
