package expect

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// gateSays is the rule: a deploy tool that waits ends so, and all that the spec asks for holds then, or does not.
type gateSays struct {
	gate *gate.Gate
	// since is 0 for the last step that wrote a set. timeout is 0 for the tool's own.
	since   int
	timeout time.Duration
	says    gate.Says
	// trueThen is nil if it does not matter.
	trueThen *bool
}

// compileGate reads a mapping, or the name of the tool alone: it says done.
func compileGate(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	m := c.shortOr(value, "gate", "tool", "since", "says", "within", "trueThen")
	k := gateSays{since: c.step(m.Value("since"), "since"), timeout: c.limit(m), says: gate.SaysDone}
	if c.needs(value, m, "the gate", "tool") {
		var err error
		k.gate, err = gate.Named(m.String("tool"))
		if unknown, is := errors.AsType[*gate.Unknown](err); is {
			c.reader.Problem(m.Value("tool"), unknown.What, unknown.Want)
		}
	}
	if m.Has("says") {
		k.says = gate.Says(m.OneOf("says", string(gate.SaysDone), string(gate.SaysFailed), string(gate.Never)))
	}
	if m.Has("trueThen") {
		is := m.Bool("trueThen")
		k.trueThen = &is
	}
	return k
}

// begin counts from the last step that wrote the set, which is the tool's command, unless the rule names a
// step.
func (k gateSays) begin(r *run, set model.Key) watcher {
	s := span{since: k.since}
	if s.since == 0 {
		s.since = r.lastChange(set)
	}
	l, ok := s.in(r)
	if !ok {
		return r.neverActed(s.since)
	}
	return &gateWatcher{newPlayed(l, k.gate, k.timeout, r.of(set)), k}
}

// gateWatcher compares how the tool ends with the expected end.
type gateWatcher struct {
	played
	rule gateSays
}

// end compares. A tool that ends at its timeout has failed, and would never have been done.
func (w *gateWatcher) end() (*failure, string) {
	e, name := w.ended, w.rule.gate.Name
	if e == nil {
		detail := name + " still waits: " + w.limits.run.ending()
		if w.lacks != "" {
			detail += "; " + w.lacks
		}
		return w.limits.failed(detail, w.at), ""
	}
	detail := fmt.Sprintf("%s %s", name, ended(e, w.limits.begin))
	if w.rule.says != e.Says && !(w.rule.says == gate.Never && e.Late) {
		return failed(detail, w.at), ""
	}
	if then := w.rule.trueThen; then == nil || *then == (len(w.missing) == 0) {
		return nil, ""
	}
	if len(w.missing) == 0 {
		return failed(detail+"; all that the spec asks for holds then", w.at), ""
	}
	return failed(detail+"; then "+strings.Join(w.missing, ", and "), w.at), ""
}

// ended words how a call that started at an instant ended.
func ended(e *gate.End, begin model.Time) string {
	after := model.Time(e.At.Sub(begin)).Clock()
	words := strings.ReplaceAll(e.Message, "\n", "; ")
	switch {
	case e.Says == gate.Never:
		return strings.TrimSuffix("never ends: "+words, ": ")
	case words == "":
		return fmt.Sprintf("says %s after %s, at %s", e.Says, after, clock(e.At))
	}
	return fmt.Sprintf("says %s after %s, at %s: %s", e.Says, after, clock(e.At), words)
}

// played is a gate that is played along a run.
type played struct {
	quiet
	limits limits
	wait   *gate.Wait
	// ended is how it ended, nil before that. lacks is what the tool waited for at the last fixed point, and at its
	// event.
	ended *gate.End
	lacks string
	at    int
	// sets are the sets that count, and missing is what they lack of their specs when the call ends.
	sets    []model.Key
	missing []string
}

// newPlayed starts a call of the tool for sets.
func newPlayed(l limits, g *gate.Gate, timeout time.Duration, sets []model.Key) played {
	return played{limits: l, wait: g.Begin(sets, l.begin, timeout), sets: sets}
}

// tick lets the tool look until it ends.
func (w *played) tick(f *timeline.Fold) {
	if w.ended != nil || !w.limits.counts(f) {
		return
	}
	r := w.limits.run
	w.ended = w.wait.See(f.T, f.Set)
	if w.ended == nil {
		w.ended = w.wait.Until(gate.HeldUntil(r.events, f.Index))
	}
	if w.ended != nil || w.limits.isLast(f) {
		w.lacks, w.at = w.wait.Lacks(), r.lastTold(f.Index)
	}
	if w.ended == nil {
		return
	}
	for _, key := range w.sets {
		if set := f.Set(key); set != nil {
			w.missing = append(w.missing, gate.Missing(set, w.ended.At)...)
		}
	}
}
