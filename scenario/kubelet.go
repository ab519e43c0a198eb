package scenario

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// The times of a pod where the scenario gives none.
const (
	// They are round, so that a reader can follow a timeline in the head; real pods take longer.
	defaultSchedule = 0 * time.Second
	defaultStart    = 1 * time.Second
	defaultReady    = 2 * time.Second
	defaultStop     = 2 * time.Second
)

var (
	// timeKeys are the times of a pod's life, which a rule may have too; kubeletKeys and ruleKeys have the
	// additional keys of all pods, and of some.
	timeKeys = []string{"schedule", "start", "ready", "stop", "fail", "pull", "crash", "crashes", "exitCode", "giveUp",
		"healthy", "init", "preStop", "reason"}
	kubeletKeys = append(timeKeys[:len(timeKeys):len(timeKeys)], "rules", "crashLoopBackOff", "probes", "sigkill")
	ruleKeys    = append([]string{"match"}, timeKeys...)
	matchKeys   = []string{"pod", "image", "ordinal", "nth", "node", "statefulset", "namespace", "container"}
)

// kubelet reads how pods behave. A scenario that starts from a dump has no defaults of its own except for the
// scheduler: missing times come from the dump (dump.Dump.Begin). It sets l.probed, which decides about other keys.
func (l *loader) kubelet(n *yaml.Node) behaviour.Behaviour {
	kubelet := behaviour.Behaviour{Default: behaviour.Times{
		Schedule: behaviour.Constant(defaultSchedule),
		Start:    behaviour.Constant(defaultStart),
		Ready:    behaviour.Constant(defaultReady),
		Stop:     behaviour.Constant(defaultStop),
	}}
	m := l.mapping(n, "kubelet", kubeletKeys, nil)
	kubelet.Probes = l.probes(m)
	l.probed = kubelet.Probes != nil
	kubelet.SigKill = m.Bool("sigkill")
	if l.scenario.Start != nil {
		// The dump provides what the scenario leaves out.
		kubelet.Default = behaviour.Times{Schedule: behaviour.Constant(defaultSchedule)}
	}
	l.times(m, &kubelet.Default)
	kubelet.MaxRestartWait = l.crashLoop(m)
	for _, item := range m.List("rules") {
		rule := l.mapping(item, "a rule of the kubelet", ruleKeys, nil)
		if rule == nil {
			continue
		}
		rule.Need("match")
		r := behaviour.Rule{Match: l.match(rule)}
		l.times(rule, &r.Times)
		kubelet.Rules = append(kubelet.Rules, r)
	}
	return kubelet
}

// times reads the times of a pod's life into the times of all pods, or of a rule. A missing time stays as it was:
// nil in a rule uses the time of all pods.
func (l *loader) times(m *strict.Map, times *behaviour.Times) {
	l.time(m, "schedule", &times.Schedule)
	l.time(m, "start", &times.Start)
	l.ready(m, times)
	l.time(m, "stop", &times.Stop)
	l.time(m, "fail", &times.Fail)
	l.time(m, "crash", &times.Crash)
	l.time(m, "giveUp", &times.GiveUp)
	l.time(m, "healthy", &times.Healthy)
	l.time(m, "init", &times.Init)
	l.time(m, "preStop", &times.PreStop)
	l.onlyProbed(m, "healthy", "init")
	times.Pull = l.pull(m.Value("pull"))
	times.Crashes = l.crashes(m, "crashes", "crash")
	times.Exit = l.exitCode(m)
	if m.Has("reason") {
		times.Reason = m.String("reason")
	}
}

// pull reads how an image is pulled: never, how long it takes, or how it fails. nil means that starting a pod
// includes the pull; Fails is -1 if no attempt ever succeeds.
func (l *loader) pull(n *yaml.Node) *behaviour.Pull {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.MappingNode && !hasAny(n, distributions) {
		m := l.r.Map(n, "pull", "fails", "takes", "until")
		p := &behaviour.Pull{}
		l.time(m, "takes", &p.Takes)
		if p.Takes == behaviour.Never {
			l.r.Problem(m.Value("takes"), "takes is never", "write pull: never if no attempt succeeds")
		}
		if m.Has("fails") {
			p.Fails = int(m.Int("fails", strict.Range{Min: 1, Max: math.MaxInt32}))
		}
		if m.Has("until") {
			p.Until = m.Duration("until")
		}
		return p
	}
	d := l.delay(n, "pull")
	if d == behaviour.Never {
		return &behaviour.Pull{Fails: -1}
	}
	return &behaviour.Pull{Takes: d}
}

// hasAny reports whether a mapping has one of some keys.
func hasAny(n *yaml.Node, keys []string) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if slices.Contains(keys, n.Content[i].Value) {
			return true
		}
	}
	return false
}

// crashes reads how often a container ends. beside is the key that says when, which must be there; 0 means forever.
func (l *loader) crashes(m *strict.Map, key, beside string) int {
	if !m.Has(key) {
		return 0
	}
	if !m.Has(beside) {
		l.r.Problem(m.Key(key), fmt.Sprintf("%q needs %q", key, beside), "for example "+beside+": 5s")
	}
	return int(m.Int(key, strict.Range{Min: 1, Max: math.MaxInt32}))
}

// exitCode reads the exit code of a container that ends by itself; nil if it is not given.
func (l *loader) exitCode(m *strict.Map) *int {
	if !m.Has("exitCode") {
		return nil
	}
	code := int(m.Int("exitCode", strict.Range{Min: 0, Max: 255}))
	return &code
}

// crashLoop reads the longest wait of CrashLoopBackOff, within the bounds that a node's configuration has (KEP-5593);
// 0 is the kubelet's default of 5m.
func (l *loader) crashLoop(m *strict.Map) time.Duration {
	options := m.Map("crashLoopBackOff", "max")
	if !options.Has("max") {
		return 0
	}
	longest := options.Duration("max")
	if longest < time.Second || longest > 300*time.Second {
		l.r.Problem(options.Value("max"), "max is "+longest.String(), "write a duration from 1s to 300s")
	}
	return longest
}

// time reads a delay into a field, which stays as it is if the key is not there or has a problem. m may be nil.
func (l *loader) time(m *strict.Map, key string, delay *behaviour.Delay) {
	if n := m.Value(key); n != nil {
		if d := l.delay(n, key); d != nil {
			*delay = d
		}
	}
}

// match reads which pods a rule applies to: the pods that match all its keys. A missing key matches all.
func (l *loader) match(rule *strict.Map) behaviour.Match {
	m := rule.Map("match", matchKeys...)
	if m == nil {
		return behaviour.Match{}
	}
	return behaviour.Match{
		Pod:         l.pattern(m, "pod"),
		Image:       l.pattern(m, "image"),
		Node:        l.pattern(m, "node"),
		StatefulSet: l.pattern(m, "statefulset"),
		Namespace:   l.pattern(m, "namespace"),
		Container:   l.container(m),
		Ordinal:     optionalInt(m, "ordinal", 0),
		Nth:         optionalInt(m, "nth", 1),
	}
}

// pattern reads a glob; "" if the key is not there. A glob that cannot be parsed is a problem here, so that nothing
// has to check it in the run.
func (l *loader) pattern(m *strict.Map, key string) string {
	pattern := m.String(key)
	if err := strict.Glob(pattern); err != nil {
		l.r.Problem(m.Value(key), key+" is "+strict.Describe(m.Value(key)), err.Error())
	}
	return pattern
}

// optionalInt reads a number that may be left out; nil if it is.
func optionalInt(m *strict.Map, key string, least int64) *int {
	if !m.Has(key) {
		return nil
	}
	v := int(m.Int(key, strict.Range{Min: least, Max: math.MaxInt32}))
	return &v
}

// distributions are the keys that name one.
var distributions = []string{"uniform", "normal", "lognormal", "exponential", "choice"}

// delay reads a duration, never, or a distribution. It returns nil after a problem. `what` names the value in messages.
func (l *loader) delay(n *yaml.Node, what string) behaviour.Delay {
	if n.Kind == yaml.MappingNode {
		return l.distribution(n, what)
	}
	if n.Value == "never" {
		return behaviour.Never
	}
	word := n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!str" || n.ShortTag() == "!!bool")
	if _, err := time.ParseDuration(n.Value); word && err != nil {
		l.r.Problem(n, what+" is "+strict.Describe(n),
			"write a duration like 90s, or never, or a distribution like {uniform: [1s, 3s]}")
		return nil
	}
	d, ok := l.r.Duration(n, what)
	if !ok {
		return nil
	}
	return behaviour.Constant(d)
}

// distribution reads a mapping with one distribution. It returns nil if there is a problem.
func (l *loader) distribution(n *yaml.Node, what string) behaviour.Delay {
	before := len(l.r.Problems)
	m := l.mapping(n, what, distributions, nil)
	keys := m.Keys()
	if len(keys) != 1 && len(l.r.Problems) == before {
		l.r.Problem(n, what+" has no distribution, or several", strict.DidYouMean("", distributions))
	}
	if len(l.r.Problems) > before {
		return nil
	}
	var d behaviour.Delay
	switch keys[0] {
	case "uniform":
		d = l.uniform(m)
	case "normal":
		if p := l.parameters(m, "normal", "mean", "sd"); p != nil {
			d = behaviour.Normal(p[0], p[1])
		}
	case "lognormal":
		d = l.lognormal(m)
	case "exponential":
		if p := l.parameters(m, "exponential", "mean"); p != nil {
			d = behaviour.Exponential(p[0])
		}
	case "choice":
		d = l.choice(m)
	}
	if len(l.r.Problems) > before {
		return nil
	}
	return d
}

// parameters reads the durations of a distribution, which must all be given. It returns nil after a problem.
func (l *loader) parameters(m *strict.Map, name string, keys ...string) []time.Duration {
	before := len(l.r.Problems)
	values := make([]time.Duration, len(keys))
	p := m.Map(name, keys...)
	if p == nil && len(l.r.Problems) == before {
		l.r.Problem(m.Value(name), name+" is not given", "it takes a mapping of durations")
	}
	for i, key := range keys {
		if p.Need(key) {
			values[i] = p.Duration(key)
		}
	}
	if len(l.r.Problems) > before {
		return nil
	}
	return values
}

// uniform reads [low, high]. Both bounds can be drawn.
func (l *loader) uniform(m *strict.Map) behaviour.Delay {
	bounds := m.List("uniform")
	if len(bounds) != 2 {
		l.r.Problem(m.Value("uniform"), "uniform does not have two bounds", "write {uniform: [1s, 3s]}")
		return nil
	}
	low, okLow := l.r.Duration(bounds[0], "the lower bound")
	high, okHigh := l.r.Duration(bounds[1], "the upper bound")
	if okLow && okHigh && high < low {
		l.r.Problem(bounds[0], "the bounds of uniform are the wrong way round", "write the lower one first")
	}
	return behaviour.Uniform(low, high)
}

// lognormal reads a distribution by its median and its 99th percentile, as people know them from their metrics.
func (l *loader) lognormal(m *strict.Map) behaviour.Delay {
	p := l.parameters(m, "lognormal", "p50", "p99")
	if p == nil {
		return nil
	}
	if p[0] <= 0 || p[1] < p[0] {
		l.r.Problem(m.Value("lognormal"), "lognormal has a p50 of 0, or one above its p99",
			"write {lognormal: {p50: 5s, p99: 30s}}")
		return nil
	}
	return behaviour.Lognormal(p[0], p[1])
}

// choice reads delays with weights. A value may be a distribution again, or never.
func (l *loader) choice(m *strict.Map) behaviour.Delay {
	var options []behaviour.Weighted
	items := m.List("choice")
	for _, item := range items {
		option := l.r.Map(item, "an option of choice", "value", "weight")
		if option.Need("value") && option.Need("weight") {
			options = append(options, behaviour.Weighted{
				Value:  l.delay(option.Value("value"), "value"),
				Weight: int(option.Int("weight", strict.Range{Min: 1, Max: 1_000_000})),
			})
		}
	}
	if len(items) == 0 || len(items) > 1000 {
		l.r.Problem(m.Value("choice"), "choice has no options, or more than 1000",
			"write {choice: [{value: 1s, weight: 9}, {value: 1m, weight: 1}]}")
	}
	return behaviour.Choice(options)
}
