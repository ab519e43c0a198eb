package scenario

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// probes reads whether the times of pods come from their manifests: true, or with the phase of the probes. nil means
// that they come from the scenario alone.
func (l *loader) probes(m *strict.Map) *behaviour.Probes {
	n := m.Value("probes")
	if n == nil {
		return nil
	}
	p := &behaviour.Probes{Unreset: l.minor() < tickerResets}
	if n.Kind == yaml.MappingNode {
		l.time(l.r.Map(n, "probes", "phase"), "phase", &p.Phase)
		return p
	}
	if !m.Bool("probes") {
		return nil
	}
	return p
}

// tickerResets is the first minor version whose startup probe resets the ticker of a container's readiness probe,
// so that the container is Ready sooner.
const tickerResets = 32

// minor returns the minor version of the scenario. An unreadable version, which has its problem, counts as new.
func (l *loader) minor() int {
	_, minor, _ := strings.Cut(l.scenario.Kubernetes, ".")
	minor, _, _ = strings.Cut(minor, ".")
	n, err := strconv.Atoi(minor)
	if err != nil {
		return tickerResets
	}
	return n
}

// onlyProbed notes a problem for each of some keys that have no effect unless the kubelet follows the manifests.
// l.probed must be set before.
func (l *loader) onlyProbed(m *strict.Map, keys ...string) {
	for _, key := range keys {
		if m.Has(key) && !l.probed {
			l.r.Problem(m.Key(key), key+" needs probes", "add probes: true to kubelet, or leave it out")
		}
	}
}

// container reads which containers a rule is for: a glob for their names; "" is all.
func (l *loader) container(m *strict.Map) string {
	l.onlyProbed(m, "container")
	return l.pattern(m, "container")
}

// ready reads how long it takes from Running to Ready, and a CEL condition that must also hold. If the probes
// decide the time, only the condition may be given. With `when`, `lose` is how long a pod stays Ready after the
// condition has ceased to hold.
func (l *loader) ready(m *strict.Map, times *behaviour.Times) {
	n := m.Value("ready")
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode || !hasAny(n, []string{"after", "when", "lose"}) {
		l.time(m, "ready", &times.Ready)
		l.probesSay(m, "ready")
		return
	}
	r := l.r.Map(n, "ready", "after", "when", "lose")
	l.time(r, "after", &times.Ready)
	l.probesSay(r, "after")
	if !r.Need("when") {
		return
	}
	condition, problems := expect.CompileReadiness(r.Value("when"), expect.Env{File: l.r.File, Limits: l.r.Limits})
	l.r.Problems = append(l.r.Problems, problems...)
	if condition == nil {
		return
	}
	times.When = &behaviour.Condition{Text: r.Value("when").Value, Holds: condition.Holds, Shared: condition.Shared()}
	l.time(r, "lose", &times.When.Lose)
	if times.When.Lose == behaviour.Constant(0) {
		l.r.Problem(r.Value("lose"), "lose is 0", "write a duration like 30s, or never")
	}
}

// probesSay notes a problem if a file gives a time that the probes give.
func (l *loader) probesSay(m *strict.Map, key string) {
	if m.Has(key) && l.probed {
		l.r.Problem(m.Key(key), key+" does not go with probes",
			"the probes decide when a pod is Ready; healthy says when they succeed")
	}
}
