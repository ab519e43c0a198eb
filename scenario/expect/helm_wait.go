package expect

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/gate"
)

// helmWait is the rule: helm --wait would return with success within its timeout.
type helmWait struct {
	span span
	gate *gate.Gate
}

// The versions of Helm. Helm 4 uses its new waiter by default (--wait=legacy selects the waiter of Helm 3).
const helm3, helm4 = "3", "4"

// compileHelmWait reads a mapping, or null: Helm 4 with its own timeout, since the last step that wrote a set.
func compileHelmWait(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	m := c.shortOr(value, "helmWait", "within", "since", "helm")
	k := helmWait{span: span{c.step(m.Value("since"), "since"), c.limit(m)}, gate: gate.Helm4}
	switch n := m.Value("helm"); {
	case n == nil || n.Value == helm4:
	case n.Value == helm3:
		k.gate = gate.Helm3
	default:
		c.reader.Problem(n, "helm is "+strict.Describe(n), "write 3 or 4")
	}
	if k.span.within == 0 {
		k.span.within = k.gate.Looks.Timeout
	}
	return k
}

// begin counts from the last step that wrote the set, which represents helm upgrade, unless the rule names a step.
func (k helmWait) begin(r *run, set model.Key) watcher {
	s := k.span
	if s.since == 0 {
		s.since = r.lastChange(set)
	}
	l, ok := s.in(r)
	if !ok {
		return r.neverActed(s.since)
	}
	return &helmWatcher{played: newPlayed(l, k.gate, s.within, r.of(set))}
}

// helmWatcher wants helm --wait to return with success.
type helmWatcher struct{ played }

// end fails if Helm ended with an error, or not at all.
func (w *helmWatcher) end() (*failure, string) {
	switch e := w.ended; {
	case e != nil && e.Says == gate.SaysDone:
		return nil, ""
	case e != nil && e.At < w.limits.until:
		return failed("helm --wait would have failed at "+clock(e.At)+": "+e.Message, w.at), ""
	}
	detail := "helm --wait would not have returned " + w.limits.tried()
	if w.lacks != "" {
		detail += "; " + w.lacks
	}
	return w.limits.failed(detail, w.at), ""
}

// lastChange returns the number of the last step that wrote the set, or any; 0 if there is none.
func (r *run) lastChange(of model.Key) int {
	for _, i := range slices.Backward(r.steps) {
		if slices.ContainsFunc(r.events[i].Step.Sets, func(set *model.StatefulSet) bool {
			return of == (model.Key{}) || set.Key() == of
		}) {
			return r.events[i].Step.Number
		}
	}
	return 0
}
