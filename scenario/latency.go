package scenario

import (
	"fmt"
	"math"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var (
	apiserverKeys  = []string{"write", "watch"}
	controllerKeys = []string{"workers", "sync", "resync", "qps", "burst"}
)

// defaultBurst is the number of calls that may be made at once if qps is given without burst:
// kube-controller-manager's --kube-api-burst.
const defaultBurst = 30

// machinery reads how fast the API server and the controller work. A field that is left out is the zero value: no
// delay, no limit of calls, no resync; Workers 0 is the default of sim. Machinery.Behind is not in the file: steps
// that need it raise it later.
func (l *loader) machinery(file *strict.Map) (m sim.Machinery) {
	apiserver := file.Map("apiserver", apiserverKeys...)
	m.Write, m.Watch = l.latency(apiserver, "write"), l.latency(apiserver, "watch")
	controller := file.Map("controller", controllerKeys...)
	m.Sync = l.latency(controller, "sync")
	count := func(key string, least int64) int {
		if !controller.Has(key) {
			return 0
		}
		return int(controller.Int(key, strict.Range{Min: least, Max: 1_000_000}))
	}
	m.Workers, m.QPS, m.Burst = count("workers", 1), count("qps", 0), count("burst", 1)
	if m.Burst == 0 {
		m.Burst = defaultBurst
	} else if !controller.Has("qps") {
		l.r.Problem(controller.Key("burst"), "burst needs qps", "for example qps: 20")
	}
	if controller.Has("resync") {
		m.Resync = controller.Duration("resync")
		if m.Resync > 0 && m.Resync < time.Second {
			l.r.Problem(controller.Value("resync"), fmt.Sprintf("resync is %s", m.Resync), "write at least 1s, or 0s for never")
		}
	}
	return m
}

// latency reads a delay of the machinery; what takes no time is nil. Never is refused, in a distribution too: the
// controller would wait forever.
func (l *loader) latency(m *strict.Map, key string) behaviour.Delay {
	n := m.Value(key)
	if n == nil {
		return nil
	}
	if neverIn(n) {
		l.r.Problem(n, key+" must not be never", "write a duration like 5ms, or a distribution like {uniform: [1ms, 9ms]}")
		return nil
	}
	delay := l.delay(n, key)
	if delay == behaviour.Constant(0) {
		return nil
	}
	return delay
}

// neverIn reports whether a delay may be never.
func neverIn(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return n.Value == "never"
	}
	for _, child := range n.Content {
		if neverIn(child) {
			return true
		}
	}
	return false
}

// restartController reads a step that kills the controller manager and starts another one, which first lists all
// objects. With `behind` it lists from an API server that lags; the world must keep enough history for that, which
// is noted in Machinery.Behind for the whole run.
func (s *step) restartController() *action {
	m := s.mapping(s.value, "restartController", []string{"after", "behind"}, nil)
	next := sim.Beginning{After: m.Duration("after"), Behind: m.Duration("behind")}
	does := "the controller dies"
	if next.After > 0 {
		does += ", and another one begins after " + next.After.String()
	} else {
		does += ", and another one begins at once"
	}
	if next.Behind > 0 {
		does += " with an API server that is " + next.Behind.String() + " behind"
	}
	machinery := &s.scenario.Machinery
	machinery.Behind = max(machinery.Behind, next.Behind)
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		u.RestartController(next)
		return sim.Outcome{Effect: timeline.Done}
	}}
}

// watchKeys are the keys of the step watch.
var watchKeys = []string{"kind", "delay", "for", "break"}

// watch reads what happens to the controller's watches: a delay for a time, or a break, after which the controller
// lists again. Without a kind it is about all watches.
func (s *step) watch() *action {
	before := len(s.r.Problems)
	m := s.mapping(s.value, "watch", watchKeys, nil)
	if len(s.r.Problems) > before {
		return nil
	}
	kind, which := model.KindNone, "the controller's watches"
	if kinds := writeKinds[m.OneOf("kind", writeKindNames...)]; len(kinds) == 1 {
		kind = kinds[0]
		which = "the controller's watch of " + kindsInWords[kind]
	}
	switch breaks, delays := m.Has("break"), m.Has("delay"); {
	case breaks && (delays || m.Has("for")):
		s.r.Problem(m.Key("break"), "watch has both break and delay", "make it two steps")
	case breaks:
		d := m.Duration("break")
		does := which + " break" + third(kind) + "; a list after " + d.String()
		return watchAction(does, func(u *sim.User) { u.BreakWatch(kind, d) })
	case !delays:
		s.r.Problem(s.value, "watch does nothing", "write {delay: 5s, for: 30s} or {break: 10s}")
	case m.Need("for"):
		delay, d := m.Duration("delay"), m.Duration("for")
		does := fmt.Sprintf("%s lag%s by %s, for %s", which, third(kind), delay, d)
		return watchAction(does, func(u *sim.User) { u.SlowWatch(kind, delay, min(d, math.MaxInt64/4)) })
	}
	return nil
}

// kindsInWords are the kinds that the controller watches, as descriptions have them.
var kindsInWords = map[model.Kind]string{
	model.KindPod: "pods", model.KindClaim: "claims", model.KindRevision: "revisions",
	model.KindStatefulSet: "StatefulSets",
}

// third returns the ending of a verb whose subject is one watch.
func third(kind model.Kind) string {
	if kind == model.KindNone {
		return ""
	}
	return "s"
}

// watchAction returns an action that always does something.
func watchAction(does string, do func(*sim.User)) *action {
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		do(u)
		return sim.Outcome{Effect: timeline.Done}
	}}
}

// ParseDelay reads the time of a stage of a pod's life as a scenario's kubelet section has it: a duration like 90s, or
// a distribution like {uniform: [1s, 3s]}. The name is the flag or field that messages name. Unlike in a scenario,
// "never" is refused: a plan whose pods never become Ready would say nothing.
func ParseDelay(name, text string) (behaviour.Delay, error) {
	l := newLoader(name, nil, Options{})
	root, problems := strict.ParseOne(name, []byte(text), strict.Limits{})
	l.r.Problems = problems
	var delay behaviour.Delay
	if root != nil {
		delay = l.delay(root, name)
	}
	if err := l.err(); err != nil && (root == nil || root.ShortTag() != "!!str") {
		return nil, err
	}
	if delay == nil || delay == behaviour.Never {
		return nil, fmt.Errorf("%s: %q is not a duration: write one like 90s, or a distribution like {uniform: [1s, 3s]}",
			name, strict.Shorten(text))
	}
	return delay, nil
}
