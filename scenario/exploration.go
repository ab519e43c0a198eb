package scenario

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Exploration is the block explore of a scenario: the choices that `sim explore` searches. sim run and sim test
// only check that it can be read.
type Exploration struct {
	// May are the acts and failing writes that may happen, in the order of the file, which the answers of a search refer
	// to. Usual means that the usual acts may happen too; it is true if the block has no `may`.
	May   []May
	Usual bool
	// Settled makes steps without a time wait for the world to settle, as in a run that is not explored; otherwise
	// they may act at any earlier fixed point.
	Settled bool
	// Open are the kinds of choices of the world that may be answered otherwise than in the plain run. Acts always are.
	Open []choose.Kind
	// Regimes are blocks that replace the file's own in a run, one of them or none in each. They have been read
	// once, so their problems are known.
	Regimes []*yaml.Node
	// Deviations, Acts and Instants bound a run; 0 means that the file gives no bound.
	Deviations, Acts, Instants int
}

// May is something that may happen in a run: a step at any fixed point, or a fault at any write that it is for.
type May struct {
	// Text is the step or fault as it is in the file, without `times`. With a glob it is one act for each pod.
	Text *yaml.Node
	// Times is the greatest number of times that it happens in a run; the default is 1.
	Times int
	// Fault is set if it is a write that fails; nil for a step. Its Number means nothing: the player gives it one
	// after the numbers of the scenario's faults.
	Fault *sim.Fault
}

var (
	explorationKeys = []string{"may", "usual", "steps", "open", "regimes", "bounds"}
	boundKeys       = []string{"deviations", "acts", "instants"}
	regimeKeys      = []string{"kubelet", "volumes", "collector", "dns", "apiserver", "controller"}
	// mayKeys are the keys that may accompany the verb of a step that may happen.
	mayKeys = []string{"namespace", "cascade", "force", "times"}
	// mayWriteKeys are the keys of a fault that may happen.
	mayWriteKeys = []string{"write", "error", "loseAnswer", "message", "times"}
	// questions are the choices that may be open, by name.
	questions = []struct {
		name string
		kind choose.Kind
	}{
		{"ties", choose.Tie}, {"order", choose.Branch}, {"syncs", choose.Sync}, {"timings", choose.Timing},
		{"chances", choose.Fault},
	}
)

// exploration reads the block explore. It comes after the steps: what may happen is checked against their objects.
func (l *loader) exploration(n *yaml.Node) {
	m := l.mapping(n, "explore", explorationKeys, nil)
	if m == nil {
		return
	}
	e := &Exploration{Usual: !m.Has("may"), Settled: m.OneOf("steps", "early", "settled") == "settled"}
	if m.Has("usual") {
		e.Usual = m.Bool("usual")
	}
	for _, item := range m.List("may") {
		l.may(e, item)
	}
	for _, item := range m.List("open") {
		l.opens(e, item)
	}
	for _, item := range m.List("regimes") {
		l.regime(e, item)
	}
	bounds := m.Map("bounds", boundKeys...)
	bound := func(key string, most int64) int {
		if !bounds.Has(key) {
			return 0
		}
		return int(bounds.Int(key, strict.Range{Min: 1, Max: most}))
	}
	e.Deviations, e.Acts, e.Instants = bound("deviations", 20), bound("acts", 20), bound("instants", 1_000_000)
	l.scenario.Exploration = e
}

// opens reads one kind of choices by its name.
func (l *loader) opens(e *Exploration, n *yaml.Node) {
	var names []string
	for _, q := range questions {
		if names = append(names, q.name); n.Kind == yaml.ScalarNode && n.Value == q.name {
			e.Open = append(e.Open, q.kind)
			return
		}
	}
	l.r.Problem(n, "open has "+strict.Describe(n), "it is a list of "+strict.List(names))
}

// regime reads blocks that replace the file's own. They are read like the file's own, for their problems, and then
// the scenario is put back as it was.
func (l *loader) regime(e *Exploration, n *yaml.Node) {
	m := l.mapping(n, "a regime", regimeKeys, nil)
	if m == nil {
		return
	}
	if len(m.Keys()) == 0 {
		l.r.Problem(n, "the regime changes nothing", "give it one of "+strict.List(regimeKeys))
		return
	}
	kept := *l.scenario
	l.kubelet(m.Value("kubelet"))
	l.volumes(m.Value("volumes"))
	l.collector(m.Value("collector"))
	l.dns(m)
	l.machinery(m)
	*l.scenario = kept
	e.Regimes = append(e.Regimes, n)
}

// may reads something that may happen: a step that has no time of its own, or a fault at a write. It is only added if
// nothing is wrong with it.
func (l *loader) may(e *Exploration, n *yaml.Node) {
	before := len(l.r.Problems)
	atWrite := hasKey(n, "write")
	known := slices.Concat(verbs, mayKeys)
	if atWrite {
		known = mayWriteKeys
	}
	m := l.mapping(n, "what may happen", known, nil)
	if m == nil || len(l.r.Problems) > before {
		return
	}
	may := May{Text: without(n, "times"), Times: 1}
	if m.Has("times") {
		may.Times = int(m.Int("times", strict.Range{Min: 1, Max: 20}))
	}
	if atWrite {
		if may.Fault = l.fault(1, may.Text); may.Fault != nil {
			may.Fault.Times = may.Times
		}
	} else {
		l.tryOut(may.Text)
	}
	if len(l.r.Problems) == before {
		e.May = append(e.May, may)
	}
}

// tryOut reads a step for its problems alone, as if it came after the last step. If it has a glob for pods, the pod
// with ordinal 0 is read in place of all. The effects of reading on the loader are undone, so that the step has no
// part in a run that is not explored. The census keeps the objects that the step would create.
func (l *loader) tryOut(n *yaml.Node) {
	named, carried, earliest, heals := len(l.named), len(l.scenario.carried), l.earliest, l.heals
	l.step(1, anyPod(n))
	l.named, l.scenario.carried = l.named[:named], l.scenario.carried[:carried]
	l.earliest, l.heals = earliest, heals
}

// anyPod copies a step with a 0 in the place of each *.
func anyPod(n *yaml.Node) *yaml.Node {
	next := *n
	next.Value = strings.ReplaceAll(n.Value, "*", "0")
	next.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		next.Content[i] = anyPod(child)
	}
	return &next
}

// hasKey reports whether a node is a mapping with a key.
func hasKey(n *yaml.Node, key string) bool {
	return n.Kind == yaml.MappingNode && indexOfKey(n, key) >= 0
}

// indexOfKey returns the place of a key in the contents of a mapping, whose value is the next; -1 if it is not there.
func indexOfKey(n *yaml.Node, key string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// without copies a mapping without a key. The values are shared with the original.
func without(n *yaml.Node, key string) *yaml.Node {
	next := *n
	next.Content = slices.Clone(n.Content)
	if i := indexOfKey(&next, key); i >= 0 {
		next.Content = slices.Delete(next.Content, i, i+2)
	}
	return &next
}

// mostTold is the number of rules, and of faults, that are looked at: no person writes more.
const mostTold = 100

// Idle lists the rules of the scenario that match nothing in a run that has come to rest, and the faults that never
// happen: otherwise a typo in a pattern would pass for behaviour.
func (s *Scenario) Idle(events []timeline.Event) []string {
	if len(s.Kubelet.Rules)+len(s.Volumes.Rules)+len(s.Faults) == 0 {
		return nil
	}
	var warnings []string
	add := func(what string, number int, why string) {
		if why != "" {
			warnings = append(warnings, fmt.Sprintf("rule %d of the %s: %s", number, what, why))
		}
	}
	idle := expect.IdleIn(events)
	for i := range min(len(s.Kubelet.Rules), mostTold) {
		add("kubelet matches no pod", i+1, idle.Rule(&s.Kubelet.Rules[i].Match))
	}
	for i := range min(len(s.Volumes.Rules), mostTold) {
		m := &s.Volumes.Rules[i].Match
		add("volumes matches no claim", i+1, idle.ClaimRule(m.Claim, m.Namespace, m.Nth))
	}
	happened := map[int]bool{}
	for i := range events {
		if events[i].Kind == timeline.KindFault {
			happened[events[i].Fault.Number] = true
		}
	}
	for i := range min(len(s.Faults), mostTold) {
		fault := &s.Faults[i]
		if happened[fault.Number] || fault.Chance.Among != 0 {
			continue
		}
		trigger := strings.TrimPrefix(fault.Trigger, "at ")
		if fault.Write != nil {
			trigger = "a write: " + trigger
		}
		told := fmt.Sprintf("fault %d never happened: it waits for %s", fault.Number, trigger)
		if fault.Pod != nil {
			told = strings.TrimSuffix(told+": "+idle.Entry(trigger), ": ")
		}
		warnings = append(warnings, told)
	}
	return warnings
}
