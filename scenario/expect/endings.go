package expect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// completes is the rule: the rollout is done at some fixed point within the span; always is true if it must stay
// done.
type completes struct{ span span }

// compileCompletes reads a mapping, or null for no limits.
func compileCompletes(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	if value.Kind == yaml.ScalarNode {
		if _, err := time.ParseDuration(value.Value); err == nil {
			c.reader.Problem(value, "completes is "+strict.Describe(value), "write {within: "+value.Value+"}")
			return completes{}
		}
	}
	m := c.reader.Map(value, "completes", "within", "since")
	return completes{span{c.step(m.Value("since"), "since"), c.limit(m)}}
}

// begin counts from the last step that changed a template, unless the rule names a step: a reader thinks of the
// last rollout.
func (k completes) begin(r *run, set model.Key) watcher {
	s := k.span
	if s.since == 0 {
		s.since = r.lastTemplate(set)
	}
	l, ok := s.in(r)
	if !ok {
		return r.neverActed(s.since)
	}
	sets := r.of(set)
	return &reachedWatcher{
		limits: l, missed: "it was not complete",
		reached: func(f *timeline.Fold) bool { return complete(f, sets) },
		lacks:   func(f *timeline.Fold) string { return incomplete(f, sets) },
	}
}

// of returns the sets that a rule is about: one, or all of the run.
func (r *run) of(set model.Key) []model.Key {
	if set == (model.Key{}) {
		return r.sets
	}
	return []model.Key{set}
}

// lastTemplate returns the number of the last step that gave the set, or any, a template that it did not have; 0 if
// there is none. A set's first template counts. Changes by faults do not.
func (r *run) lastTemplate(of model.Key) int {
	last, templates := 0, map[model.Key]int{}
	for _, i := range r.steps {
		for _, set := range r.events[i].Step.Sets {
			if of != (model.Key{}) && set.Key() != of || set.Spec.Template == nil {
				continue
			}
			if templates[set.Key()] != set.Spec.Template.ID {
				templates[set.Key()] = set.Spec.Template.ID
				last = r.events[i].Step.Number
			}
		}
	}
	return last
}

// reachedWatcher wants something to be true at some fixed point within limits.
type reachedWatcher struct {
	quiet
	limits limits
	// reached reports whether it is reached, lacks what is still missing; lacks is called at the last such point.
	reached func(*timeline.Fold) bool
	lacks   func(*timeline.Fold) string
	// missed starts the failure: "it was not complete".
	missed string
	// held ends the search. last is what was missing at the last point, and at its event; both are empty if no
	// point was the last, because the timeline is cut off.
	held bool
	last string
	at   int
}

// tick looks at the points within the limits until it is reached. It collects what is lacking only at the last of
// them, since only that appears in a failure.
func (w *reachedWatcher) tick(f *timeline.Fold) {
	if w.held || !w.limits.counts(f) {
		return
	}
	w.held = w.reached(f)
	if !w.held && w.limits.isLast(f) {
		w.last, w.at = w.lacks(f), w.limits.run.lastTold(f.Index)
	}
}

// end fails if it was never reached.
func (w *reachedWatcher) end() (*failure, string) {
	if w.held {
		return nil, ""
	}
	detail := w.missed + " " + w.limits.tried()
	if w.last == "" {
		return failed(detail), ""
	}
	return w.limits.failed(detail+"; "+w.last, w.at), ""
}

// incomplete lists what the sets still lack to be complete.
func incomplete(f *timeline.Fold, keys []model.Key) string {
	var parts []string
	for _, key := range keys {
		set := f.Set(key)
		if set == nil {
			parts = append(parts, key.String()+" does not exist")
		} else if !set.Complete(f.T) {
			parts = append(parts, key.String()+": "+lacks(set, f.T))
		}
	}
	if len(parts) == 0 {
		return "the run has no set"
	}
	return strings.Join(parts, "; ")
}

// lacks lists what a set still lacks to be complete: missing pods, and existing pods that are condemned, have an
// old template, or are not available. It returns "" for a complete set.
func lacks(s *timeline.Set, now model.Time) string {
	start := s.Spec.Start()
	end := start + int(s.Spec.Spec.Replicas)
	var parts []string
	list := func(what string, is func(*timeline.Pod) bool) {
		var pods []string
		for p := range s.Pods.All {
			if is(p) {
				pods = append(pods, p.Brief())
			}
		}
		if n := len(pods); n > condition.MaxShown {
			pods = append(pods[:condition.MaxShown], fmt.Sprintf("%d more", n-condition.MaxShown))
		}
		if len(pods) > 0 {
			parts = append(parts, what+": "+strings.Join(pods, ", "))
		}
	}
	condemned := func(p *timeline.Pod) bool { return p.Ordinal < start || p.Ordinal >= end }
	there := s.Pods.Len()
	for p := range s.Pods.All {
		if condemned(p) {
			there--
		}
	}
	if want := end - start; there < want {
		parts = append(parts, fmt.Sprintf("%d of %d pods", there, want))
	}
	list("condemned", condemned)
	list("old template", func(p *timeline.Pod) bool {
		return s.Spec.Spec.Template != nil && p.Template != s.Spec.Spec.Template.ID && !condemned(p)
	})
	list("not available", func(p *timeline.Pod) bool { return !s.IsAvailable(p, now) && !condemned(p) })
	return strings.Join(parts, "; ")
}

// stuck is the rule: the run ended stuck, and a set is stuck on such a pod for such a reason. pod and set are globs,
// reason is a code of package model; "" is any.
type stuck struct{ pod, reason, set string }

// shownOfPod reports whether a text is a reason that kubectl shows of a pod.
func shownOfPod(text string) bool {
	return strings.HasSuffix(text, "BackOff") || slices.Contains([]string{"ErrImagePull", "ImageInspectError",
		"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "ContainerCreating", "OOMKilled",
		"Error", "Pending", "Evicted", "Unschedulable", "NotReady"}, text)
}

// compileStuck reads a mapping, or null for any set, on any pod, for any reason.
func compileStuck(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	m := c.reader.Map(value, "stuck", "pod", "reason", "statefulset")
	var codes []string
	for _, code := range model.Codes {
		codes = append(codes, string(code))
	}
	c.glob(m, "pod")
	c.glob(m, "statefulset")
	if n := m.Value("reason"); n != nil && !slices.Contains(codes, n.Value) && shownOfPod(n.Value) {
		c.reader.Problem(n, n.Value+" is what kubectl shows of a pod, and no reason of a StatefulSet",
			"write reason: WaitingForReady, and pod: NAME for the pod")
		return stuck{}
	}
	return stuck{m.String("pod"), m.OneOf("reason", codes...), m.String("statefulset")}
}

// matches reports whether a set is stuck as expected. set is the set that the expectation is limited to.
func (k stuck) matches(s *timeline.Stuck, set model.Key) bool {
	name := s.Set.Name
	if strings.Contains(k.set, "/") {
		name = s.Set.String()
	}
	return (k.pod == "" || glob.Match(k.pod, s.Why.Object)) && (k.reason == "" || k.reason == string(s.Why.Code)) &&
		(k.set == "" || glob.Match(k.set, name)) && (set == model.Key{} || set == s.Set)
}

// begin judges the result: the verdict must be stuck, and one entry of Stuck must match.
func (k stuck) begin(r *run, set model.Key) watcher {
	return atEnd{run: r, judge: func() string {
		if r.result == nil || r.result.Verdict != timeline.IsStuck {
			return r.ending()
		}
		if slices.ContainsFunc(r.result.Stuck, func(s timeline.Stuck) bool { return k.matches(&s, set) }) {
			return ""
		}
		var parts []string
		for _, s := range r.result.Stuck {
			parts = append(parts, fmt.Sprintf("%s has been stuck on %s since %s: %s", s.Set, s.Why.Object, clock(s.Since),
				coded(s.Why.Sentence(), s.Why.Code)))
		}
		return strings.Join(parts, "; ")
	}}
}

// ends is the rule: the run ended with this verdict.
type ends struct{ verdict timeline.Verdict }

// compileEnds reads the name of a verdict.
func compileEnds(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	verdict, _ := c.reader.OneOf(value, "ends", timeline.Verdicts()...)
	return ends{timeline.Verdict(verdict)}
}

// begin compares the verdict. A timeline that is cut off has no verdict, and fails.
func (k ends) begin(r *run, _ model.Key) watcher {
	return atEnd{run: r, judge: func() string {
		if r.result != nil && r.result.Verdict == k.verdict {
			return ""
		}
		return r.ending()
	}}
}

// atEnd judges the end of the run. judge returns what happened instead, or ""; it is called once.
type atEnd struct {
	quiet
	run   *run
	judge func() string
}

// end fails with the text of judge, and shows the last event.
func (w atEnd) end() (*failure, string) {
	detail := w.judge()
	if detail == "" {
		return nil, ""
	}
	return failed(detail, len(w.run.events)-1), ""
}
