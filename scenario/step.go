package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

// actions are the verbs of a step, in the order of their documentation, each with its reader. A reader returns nil if
// it has noted a problem, or if the census is lost; never otherwise, because a step without an action is left out.
var actions = []struct {
	verb string
	read func(*step) *action
}{
	{"create", (*step).create},
	{"apply", func(s *step) *action { return s.manifests("apply", applying()) }},
	{"replace", func(s *step) *action { return s.manifests("replace", replaceSet) }},
	{"patch", (*step).patch},
	{"setImage", (*step).setImage},
	{"scale", (*step).scale},
	{"delete", (*step).delete},
	{"undo", (*step).undo},
	{"restart", (*step).restart},
	{"fail", (*step).fail},
	{"unready", (*step).unready},
	{"recover", (*step).recover},
	{"crash", (*step).crash},
	{"resize", (*step).resize},
	{"label", (*step).label},
	{"createPod", (*step).createPod},
	{"upgradeControlPlane", (*step).upgradeControlPlane},
	{"restartController", (*step).restartController},
	{"watch", (*step).watch},
	{"nodeDown", (*step).nodeStep},
	{"nodeUp", (*step).nodeStep},
	{"outOfService", (*step).nodeStep},
	{"cordon", (*step).nodeStep},
	{"uncordon", (*step).nodeStep},
	{"drain", (*step).nodeStep},
	{"evict", (*step).evict},
	{"hang", (*step).hang},
	{"addRule", (*step).addRule},
	{"removeRule", (*step).removeRule},
}

// verbs are the names of the actions, in their order.
var verbs = func() []string {
	var names []string
	for _, a := range actions {
		names = append(names, a.verb)
	}
	return names
}()

// remedies are the actions that may end a livelock: they change what a StatefulSet asks for beyond its replicas, or
// its controller. A scale or a deletion only moves the loop. sim.Step.Remedy passes it on.
var remedies = []string{
	"apply", "replace", "patch", "setImage", "undo", "restart", "upgradeControlPlane", "restartController",
}

var (
	// stepKeys are the keys that every step may have in addition to its verb; cascade and force belong to delete.
	stepKeys = []string{"name", "namespace", "at", "after", "when", "refused", "cascade", "force", "gracePeriodSeconds"}
	// reservedSteps are keys of a step whose names are taken and whose time has not come.
	reservedSteps = []string{"as"}
)

// step is one step, or one fault, while it is read. The loader gets problems and what later steps must know.
type step struct {
	*loader
	// m is the mapping of the step, verb the verb in it; "" if it has none, or several.
	m    *strict.Map
	verb string
	// value is the value of the verb, written out if it was short. namespace is where the step acts: its own, or the
	// loader's home, or default.
	value     *yaml.Node
	namespace string
	// refused is true if the step expects to be refused: mistakes that are visible before the run are then not
	// problems, and the API server refuses the step in the run.
	refused bool
	// fault is the number of the fault that does it, 0 if it is a step.
	fault int
	// budgets, claims and services are the objects of these kinds in the step's manifests, in their order.
	budgets []*model.Budget
	// claims are the PersistentVolumeClaims of the step's manifests.
	claims []*model.Claim
	// out is the step as the simulator plays it, filled bit by bit.
	out sim.Step
	// services are the Services of the step's manifests.
	services []*manifest.Service
}

// action is the effect of a step, and its description. It is never nil in a step that is played.
type action struct {
	// does describes the action for timelines and reports: "scale web to 3", "the controller dies".
	does string
	// act is called once in each run that gets so far, perhaps by several at a time, so it writes to nothing captured.
	act func(*sim.User) sim.Outcome
}

// steps reads the steps. A scenario that starts from a dump may have none. A step with a problem keeps its number.
func (l *loader) steps(m *strict.Map) {
	items := m.List("steps")
	if len(items) == 0 && l.scenario.Start == nil {
		at := m.Value("steps")
		if at == nil {
			at = m.Node
		}
		l.r.Problem(at, "the scenario has no steps",
			"begin with one like create: {name: web, replicas: 3, image: \"app:v1\"}")
	}
	if version := l.scenario.Profile.Version(); version != "" {
		skew := release.Alike(version)
		l.skew = &skew
	}
	for i, item := range items {
		l.scenario.StepLines = append(l.scenario.StepLines, item.Line)
		if out := l.step(i+1, item); out != nil {
			l.scenario.Steps = append(l.scenario.Steps, *out)
		}
	}
	l.skew = nil
}

// step reads one step; nil if there is a problem. The step is named for expectations even then, so that they do not
// complain of a step that is there.
func (l *loader) step(number int, n *yaml.Node) *sim.Step {
	m := l.mapping(n, "a step", slices.Concat(verbs, stepKeys), reservedSteps)
	if m == nil {
		if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
			l.r.Problem(n, "the step is empty", "give it a verb: "+strict.DidYouMean("", verbs))
		}
		return nil
	}
	s := &step{loader: l, m: m, namespace: cmp.Or(l.home, "default")}
	s.verb = l.verb(m)
	s.out = sim.Step{
		Number: number, Verb: s.verb, Name: m.String("name"),
		Remedy: slices.Contains(remedies, s.verb),
	}
	l.named = append(l.named, expect.Step{Number: number, Name: s.out.Name, Verb: s.verb})
	s.expectRefusal()
	s.scenario.carried = append(s.scenario.carried, expect.Carried(l.r.File, number, n)...)
	if m.Has("namespace") {
		s.namespace = m.String("namespace")
	}
	s.when()
	if s.verb == "" {
		return nil
	}
	s.value = writtenOut(s.verb, m.Value(s.verb))
	s.onlyWithDelete()
	action := s.action()
	if action == nil {
		return nil
	}
	s.out.Does, s.out.Act = action.does, s.warned(action.act)
	l.heals = s.verb == "unready" && s.healing()
	return &s.out
}

// expectRefusal notes that the step expects to be refused, with a message that contains the text.
func (s *step) expectRefusal() {
	n := s.m.Value("refused")
	if n == nil {
		return
	}
	s.refused = true
	const want = "write a part of the API server's message, like spec.serviceName"
	switch {
	case n.ShortTag() == "!!bool":
		s.r.Problem(n, "refused is "+n.Value, want)
	case n.ShortTag() == "!!str" && n.Value == "":
		s.r.Problem(n, "refused is empty", want)
	default:
		s.out.Refused = s.m.String("refused")
	}
}

// verb finds the one verb of a step; "" if there is a problem.
func (l *loader) verb(m *strict.Map) string {
	var found []string
	for _, key := range m.Keys() {
		if slices.Contains(verbs, key) {
			found = append(found, key)
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		l.r.Problem(m.Key(found[1]), fmt.Sprintf("the step does two things, %s and %s", found[0], found[1]),
			"make it two steps")
		return ""
	}
	for _, key := range m.Keys() {
		// An unknown or a reserved key has its message already, and is most likely the verb.
		if !slices.Contains(stepKeys, key) {
			return ""
		}
	}
	l.r.Problem(m.Node, "the step does nothing", "give it one of "+strict.List(verbs))
	return ""
}

// when reads the time of a step: an instant, a delay after the step before it, or a command that must return. Without
// any it acts when the run has settled. Instants must not go back; an `after` whose sum is longer than a Duration can
// hold is cut off there.
func (s *step) when() {
	switch at, after, when := s.m.Value("at"), s.m.Value("after"), s.m.Value("when"); {
	case when != nil && (at != nil || after != nil):
		s.r.Problem(s.m.Key("when"), "the step has both a time and when", "keep one of at, after and when")
	case when != nil:
		s.out.Until = s.returns(when)
	case at != nil && after != nil:
		s.r.Problem(s.m.Key("after"), "the step has both at and after", "keep one of them")
	case at != nil:
		d := s.m.Duration("at")
		if d < s.earliest {
			s.r.Problem(at, fmt.Sprintf("at is %s, but the step before acts at %s or later", d, s.earliest),
				"steps must be in order of time")
		} else if s.scenario.UntilGiven && d > s.scenario.Until {
			s.warnings = append(s.warnings, strict.Problem{File: s.r.File, Line: at.Line, Column: at.Column,
				What: fmt.Sprintf("the step never acts: %s is after until (%s)", at.Value, s.scenario.Until), Want: "raise until"})
		}
		s.out.When = sim.When{Trigger: sim.At, D: d}
		s.earliest = max(s.earliest, d)
	case after != nil:
		d := s.m.Duration("after")
		s.out.When = sim.When{Trigger: sim.After, D: d}
		s.earliest += min(d, time.Duration(1<<62)-s.earliest)
	}
}

// onlyWithDelete notes a problem for keys that only a deletion has, together with another verb.
func (s *step) onlyWithDelete() {
	for _, key := range []string{"cascade", "force", "gracePeriodSeconds"} {
		if s.m.Has(key) && s.verb != "delete" {
			s.r.Problem(s.m.Key(key), key+" does not go with "+s.verb, "it belongs to delete")
		}
	}
}

// action reads what the step does; nil if there is a problem. The step must have a verb.
func (s *step) action() *action {
	return actions[slices.Index(verbs, s.verb)].read(s)
}

// warned adds a warning to a step without a time that follows an `unready … for`: it waits for the healing, which is
// hardly what its author wants.
func (s *step) warned(act func(*sim.User) sim.Outcome) func(*sim.User) sim.Outcome {
	if !s.heals || s.out.When.Trigger != sim.OnceSettled || s.out.Until != nil {
		return act
	}
	const warning = "this step has no time, so it waits until the pod recovers; add after: 0s to act before"
	return func(u *sim.User) sim.Outcome {
		outcome := act(u)
		if outcome.Warning == "" {
			outcome.Warning = warning
		}
		return outcome
	}
}

// key returns the key of a name in the step's namespace.
func (s *step) key(name string) model.Key { return model.Key{Namespace: s.namespace, Name: name} }
