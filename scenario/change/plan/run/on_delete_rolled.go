package run

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// mended adds, where OnDelete leaves old pods and a tool says done nevertheless, the change of the strategy that replaces
// them, and what waits rightly after it. Both are played.
func mended(w *World, s *stored.Set, answers []*gated.Answer) []*gated.Answer {
	var commands []string
	for _, a := range answers {
		if !s.OnDelete() || !a.Wrong() || len(a.Instead) > 0 {
			continue
		}
		if commands == nil {
			commands = rolled(w, s)
		}
		a.Instead = append(a.Instead, commands...)
	}
	return answers
}

// rolled plays the change with the strategy RollingUpdate. It returns the commands that lead there; nil if they do not.
func rolled(w *World, s *stored.Set) []string {
	as, wanted := *s, *s.Wanted
	wanted.Spec.Strategy = model.Strategy{Type: model.RollingUpdateStrategy, RollingUpdate: &model.RollingUpdate{}}
	as.Wanted = &wanted
	sets := slices.Clone(w.Sets)
	sets[slices.Index(sets, s)] = &as
	other := w.Of(sets...)
	script := other.Change()
	events := other.Lab().Run(script)
	answers := gated.Of(events, play.StepAt(events, len(script)), s.Key(), []*gate.Gate{gate.KubectlRolloutStatus})
	if len(answers) == 0 {
		return nil
	}
	key, rollout := s.Key(), answers[0]
	patch := shell.In(key.Namespace, "patch", "statefulset", key.Name, "--type", "merge", "-p",
		`{"spec":{"updateStrategy":{"type":"RollingUpdate"}}}`)
	switch {
	case rollout.Says == gate.SaysDone && rollout.True:
		return []string{patch, shell.In(key.Namespace, "rollout", "status", "statefulset/"+key.Name)}
	case len(rollout.Instead) > 0:
		return append([]string{patch}, rollout.Instead...)
	}
	return nil
}
