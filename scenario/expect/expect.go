// Package expect compiles the expect section of a scenario and judges it on a timeline. It sees nothing but the
// timeline: the state at any tick is a fold of it. So a recorded timeline is judged exactly as a run is.
//
// Compile reads YAML and returns expectations, or problems with their places. Judge walks over a timeline once,
// however many expectations there are, and returns a verdict for each. A rule is a value that judging does not change;
// a watcher is its state in one run. Conditions are CEL; their cost is bounded, and at each fixed point only those are
// evaluated that read something that has changed.
//
// These questions, which the words of the format leave open, are decided here:
//
//   - An entry without a namespace is about pods of all namespaces; `for: NAMESPACE/NAME` beside an expectation limits
//     it to the pods of that set. In an entry N and IMAGE are globs too.
//   - order, never, descending and ascending may be limited by `during: STEP` beside them, count by one within it.
//   - descending and ascending look at each set by itself: each ordinal that enters the state does so once, and each is
//     lower (higher) than the one before, and later, unless ties are allowed. Ordinals may be left out, but one must
//     come.
//   - exactly without states is about all states. With instants each item is one instant; without, an item says nothing
//     about instants.
//   - now and age are numbers of seconds; duration("1m30s") is 90.0. Numbers of different types may be compared.
//   - spec and status have the fields of Kubernetes' own types. One that is not set reads as the zero value of its
//     type, and has() tells the difference.
//   - A condition is not judged while a set that it is about does not exist: always skips such a point, eventually
//     waits, check fails. An always that is never judged holds, with a note.
//   - check at a step sees the fixed point that the controller reaches after the step has acted; check at settled sees
//     the end of a run that settled or got stuck. Without at it is at settled.
//   - completes without since counts from the last step that gave a set a new template; in a run of several sets, all
//     of them must be complete at one point.
//   - A bound of kubernetes without a patch stands for the whole minor: "<=1.36" includes 1.36.9.
//   - stuck holds if the verdict is stuck and one of the stuck sets matches. `ends: VERDICT` says how the run ends, and
//     is how a livelock, a refusal or a limit is expected.
//
// Invariants: an Expectation, and the rule in it, does not change, so it may judge several timelines at the same time;
// a watcher is used for one walk, sees every event before the fixed point that follows it, and keeps nothing of the
// fold. Judging an expectation does not depend on the others, except that all pay into one meter.
//
// Package scenario compiles and judges the expectations of files; the command line also judges recordings with Load.
package expect

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Env holds everything that an expectation may refer to.
type Env struct {
	// File is the file's name in messages.
	File   string
	Limits strict.Limits
	// Steps are the steps of the scenario in their order; `since`, `during` and `at` refer to them.
	Steps []Step
	// Sets are the sets that the run has at one time or another, sorted or in the order of the steps. Without any,
	// or if NotAll is true because there may be others, a set of any name may be meant.
	Sets   []model.Key
	NotAll bool
	// Labels are the labels that steps, faults and a dump give to pods; nil if they are not known, as for a
	// recorded timeline: then no condition may ask for the labels of pods that no set owns.
	Labels *[]condition.Labelling
}

// anySet reports whether a name that is not in Sets is allowed.
func (e *Env) anySet() bool { return e.NotAll || len(e.Sets) == 0 }

// Expectation is one expectation of a scenario, ready to be judged on any timeline of it. It does not change.
type Expectation struct {
	// Kind is its key in the scenario: order, always. Those that a step carries have refused or at.
	Kind string
	// Name is the name in the scenario, or "".
	Name string
	// Text is the expectation on one line, as the scenario has it, with its name.
	Text string
	// File, Line and Column are its position.
	File         string
	Line, Column int

	// set limits it to one set, the zero value to none; versions limits it to some versions of Kubernetes, nil to none.
	set      model.Key
	versions versionRange
	// recorded are the fields of its set when it was recorded; nil if it was written by hand.
	recorded fields
	rule     rule
}

// Position renders the position of the expectation as FILE:LINE:COLUMN.
func (e *Expectation) Position() string { return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column) }

// rule is the part of an expectation that its kind makes. It is a value that is not changed by judging, so one rule may
// judge many timelines.
type rule interface {
	// begin returns the watcher for one run. set is the set that the expectation is limited to, or the zero value.
	// An expectation that cannot be judged at all gets a watcher that has failed (broken), never nil.
	begin(r *run, set model.Key) watcher
}

// kind is a kind of expectation: its key, its own additional keys, and its compiler. value is the value of the key,
// item the whole expectation. compile notes problems in the reader; its result is then not used.
type kind struct {
	name    string
	beside  []string
	compile func(c *compiler, value *yaml.Node, item *strict.Map) rule
}

// kinds are all kinds, in the order of the documentation.
var kinds = []kind{
	{"order", []string{"during"}, compileOrder},
	{"descending", []string{"during"}, compileDescending},
	{"ascending", []string{"during"}, compileAscending},
	{"exactly", nil, compileExactly},
	{"never", []string{"during"}, compileNever},
	{"count", nil, compileCount},
	{"always", []string{"since"}, compileAlways},
	{"eventually", []string{"since", "within"}, compileEventually},
	{"check", nil, compileCheck},
	{"completes", nil, compileCompletes},
	{"stuck", nil, compileStuck},
	{"ends", nil, compileEnds},
	{"resolves", nil, compileResolves},
	{"drained", nil, compileDrained},
	{"helmWait", nil, compileHelmWait},
	{"gate", nil, compileGate},
	{"budget", nil, compileBudget},
}

// common are the keys that any kind may have.
var common = []string{"name", "for", "kubernetes", "recorded"}

// Kinds lists the kinds of expectation, in the order of the documentation.
func Kinds() []string {
	var names []string
	for i := range kinds {
		names = append(names, kinds[i].name)
	}
	return names
}

// Compile compiles the list under the key expect. Every mistake is a problem, and its expectation is left out. A
// nil list is empty. The order is the order of the file.
func Compile(list *yaml.Node, env Env) ([]*Expectation, strict.Problems) {
	if list == nil {
		return nil, nil
	}
	reader := &strict.Reader{File: env.File, Limits: env.Limits}
	c := &compiler{env: env, reader: reader,
		conditions: condition.Conditions{Reader: reader, Sets: env.Sets, AnySet: env.anySet(), Scopes: map[bool]*condition.Scope{},
			Labels: env.Labels}}
	var compiled []*Expectation
	for _, n := range reader.List(list, "expect") {
		before := len(reader.Problems)
		e := c.expectation(n)
		if e != nil && len(reader.Problems) == before {
			compiled = append(compiled, e)
		}
	}
	return compiled, reader.Problems
}

// compiler compiles the expectations of one file.
type compiler struct {
	env        Env
	reader     *strict.Reader
	conditions condition.Conditions
	// set is the set that the current expectation is limited to: conditions read its fields without naming it.
	set model.Key
}

// expectation compiles one expectation. `for` is read before the rule, which may have conditions about that set.
func (c *compiler) expectation(n *yaml.Node) *Expectation {
	known := slices.Concat(Kinds(), common, []string{"during", "since", "within"})
	before := len(c.reader.Problems)
	item := c.reader.Map(n, "an expectation", known...)
	if item == nil {
		if len(c.reader.Problems) == before {
			c.reader.Problem(n, "the expectation is empty", "write one of "+strings.Join(Kinds(), ", "))
		}
		return nil
	}
	k := c.kindOf(item, before)
	if k == nil {
		return nil
	}
	c.checkBeside(item, k)
	value := item.Value(k.name)
	e := &Expectation{Kind: k.name, Name: item.String("name"), File: c.env.File, Line: n.Line, Column: n.Column}
	e.Text = k.name + ": " + flow(value)
	if e.Name != "" {
		e.Text = e.Name + ": " + e.Text
	}
	e.set = c.forSet(item.Value("for"))
	e.versions = c.versions(item.Value("kubernetes"))
	e.recorded = c.recorded(item.Value("recorded"))
	c.set = e.set
	e.rule = k.compile(c, value, item)
	return e
}

// kindOf finds the one kind of an expectation; nil if it has none or several. before is the number of problems before
// it: an unknown key has one already, and was most likely meant to be the kind.
func (c *compiler) kindOf(item *strict.Map, before int) *kind {
	var found []*kind
	for _, key := range item.Keys() {
		if i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == key }); i >= 0 {
			found = append(found, &kinds[i])
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		both := fmt.Sprintf("the expectation has both %s and %s", found[0].name, found[1].name)
		c.reader.Problem(item.Key(found[1].name), both, "make it two expectations")
	case len(c.reader.Problems) == before:
		c.reader.Problem(item.Node, "the expectation says nothing", "write one of "+strings.Join(Kinds(), ", "))
	}
	return nil
}

// checkBeside notes a problem for a key of another kind.
func (c *compiler) checkBeside(item *strict.Map, k *kind) {
	for _, key := range []string{"during", "since", "within"} {
		if item.Has(key) && !slices.Contains(k.beside, key) {
			c.reader.Problem(item.Key(key), fmt.Sprintf("%s does not go with %s", key, k.name), besideHint(k, key))
		}
	}
}

// besideHint says where such a key belongs: within the kind, or nowhere.
func besideHint(k *kind, key string) string {
	inside := map[string][]string{"exactly": {"during"}, "count": {"during"}, "completes": {"within", "since"},
		"drained": {"within", "since"}, "helmWait": {"within", "since"}, "gate": {"within", "since"}, "budget": {"since"}}
	if slices.Contains(inside[k.name], key) {
		return "write it inside " + k.name + ": {…, " + key + ": …}"
	}
	return k.name + " goes with " + strings.Join(slices.Concat(k.beside, common), ", ")
}

// needs reports whether the mapping of a kind has a key, and notes a problem if not.
func (c *compiler) needs(value *yaml.Node, m *strict.Map, what, key string) bool {
	if m == nil && value.Kind == yaml.ScalarNode && value.ShortTag() == "!!null" {
		c.reader.Problem(value, what+" is not given", "write a mapping with the key "+key)
	}
	return m.Need(key)
}

// forSet reads the set that an expectation is limited to. A name alone is in the namespace default or, if the run
// has no such set there, the only one with that name.
func (c *compiler) forSet(n *yaml.Node) model.Key {
	if n == nil {
		return model.Key{}
	}
	text, ok := c.reader.String(n, "for")
	if !ok {
		return model.Key{}
	}
	namespace, name, found := strings.Cut(text, "/")
	key := model.Key{Namespace: namespace, Name: name}
	if !found {
		key = model.Key{Namespace: "default", Name: text}
	}
	if c.env.anySet() || slices.Contains(c.env.Sets, key) {
		return key
	}
	named := slices.DeleteFunc(slices.Clone(c.env.Sets), func(set model.Key) bool { return found || set.Name != text })
	switch len(named) {
	case 0:
		c.reader.Problem(n, "the run has no set "+text, strict.DidYouMean(key.String(), condition.KeyNames(c.env.Sets)))
	case 1:
		return named[0]
	default:
		c.reader.Problem(n, "several sets are called "+text, "write one of "+strict.List(condition.KeyNames(named)))
	}
	return key
}

// oneSet reports whether a condition may name the fields of a set by themselves.
func (c *compiler) oneSet() bool { return c.set != (model.Key{}) || len(c.env.Sets) <= 1 }

// condition compiles a condition of the current expectation; nil if there is a problem.
func (c *compiler) condition(n *yaml.Node) *condition.Condition {
	return c.conditions.Compile(n, c.oneSet())
}

// flow renders a value on one line, as a flow of YAML without its quotes.
func flow(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		var parts []string
		for i := 0; i+1 < len(n.Content); i += 2 {
			parts = append(parts, n.Content[i].Value+": "+flow(n.Content[i+1]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.SequenceNode:
		var parts []string
		for _, item := range n.Content {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return strings.Join(strings.Fields(n.Value), " ")
}

// Load reads the expectations for a recorded timeline from a YAML file: a list, a mapping with the key expect, or a
// whole scenario. The steps and sets come from the timeline; a whole scenario has its own steps, possibly more.
// After the expectations come the ones that the scenario's steps carry. Expectations without a problem are returned
// together with the problems of others.
func Load(file string, data []byte, limits strict.Limits, events []timeline.Event) ([]*Expectation, strict.Problems) {
	root, problems := strict.ParseOne(file, data, limits)
	if root == nil {
		return nil, problems
	}
	env := EnvOf(events)
	env.File, env.Limits = file, limits
	list := root
	var carried []*Expectation
	if root.Kind != yaml.SequenceNode {
		reader := &strict.Reader{File: file, Limits: limits, Problems: problems}
		m := reader.Map(root, "a file of expectations")
		if m.Has("steps") {
			steps := m.List("steps")
			env.Steps, carried = stepsOf(steps), ofSteps(file, steps)
		}
		isRefused := func(e *Expectation) bool { return e.Kind == "refused" }
		if m != nil && !m.Has("expect") && !slices.ContainsFunc(carried, isRefused) {
			reader.Problem(root, "the file has no expectations", "write them as a list behind the key expect")
		}
		list, problems = m.Value("expect"), reader.Problems
	}
	compiled, more := Compile(list, env)
	return append(compiled, carried...), append(problems, more...)
}

// stepsOf returns the steps of a scenario with their names and kinds. The kind of a step is its one key that is not
// common to all steps. Nothing else of the steps is checked.
func stepsOf(nodes []*yaml.Node) []Step {
	var steps []Step
	for i, n := range nodes {
		step := Step{Number: i + 1}
		for k := 0; n.Kind == yaml.MappingNode && k+1 < len(n.Content); k += 2 {
			switch key := n.Content[k].Value; key {
			case "name":
				step.Name = n.Content[k+1].Value
			case "at", "after", "when", "namespace", "refused", "cascade", "force":
			default:
				step.Verb = key
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// EnvOf returns the steps and sets of a timeline that expectations may refer to. A run that is cut short may lack some.
func EnvOf(events []timeline.Event) Env {
	var env Env
	for i := range events {
		if step := events[i].Step; step != nil {
			env.Steps = append(env.Steps, Step{step.Number, step.Name, step.Verb})
		}
	}
	r := newRun(events)
	env.Sets, env.NotAll = r.sets, !r.final()
	return env
}
