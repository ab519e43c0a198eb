package scenario

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// addRule reads a step that changes the behaviour of some pods, for a time or permanently.
func (s *step) addRule() *action {
	m := s.mapping(s.value, "addRule", slices.Concat([]string{"name", "for"}, ruleKeys), nil)
	problems := len(s.r.Problems)
	name := m.String("name")
	m.Need("match")
	rule := behaviour.Rule{Match: s.match(m)}
	s.times(m, &rule.Times)
	d := s.healsAfter(m)
	if !m.Need("name") || !s.given(m.Value("name"), name, "bad-image") || len(s.r.Problems) > problems {
		return nil
	}
	does := "add the rule " + name
	if d > 0 {
		does += " for " + d.String()
	}
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		u.AddRule(behaviour.Named{Name: name, Rule: rule}, d)
		return sim.Outcome{Effect: timeline.Done}
	}}
}

// removeRule reads a step that takes back a rule that a step has added, or all of them.
func (s *step) removeRule() *action {
	if s.value.Kind == yaml.MappingNode {
		s.mapping(s.value, "removeRule", []string{"all"}, nil).Need("all")
		return &action{does: "remove all rules that were added", act: func(u *sim.User) sim.Outcome {
			return ruleGone(u, "")
		}}
	}
	name, _ := s.r.String(s.value, "removeRule")
	if !s.given(s.value, name, "bad-image") {
		return nil
	}
	return &action{does: "remove the rule " + name, act: func(u *sim.User) sim.Outcome { return ruleGone(u, name) }}
}

// ruleGone is the outcome of taking back a rule; "" are all.
func ruleGone(u *sim.User, name string) sim.Outcome {
	if u.RemoveRule(name) {
		return sim.Outcome{Effect: timeline.Done}
	}
	what := "there is no rule " + name
	if name == "" {
		what = "no rule was added"
	}
	return sim.Outcome{Effect: timeline.None,
		Warning: fmt.Sprintf("it did nothing: %s at %ss", what, u.Now().Seconds())}
}
