package alarm

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// ofServing adds the alarms about pods that serve on the way and afterwards.
func (s *Subject) ofServing(alarms []Alarm) []Alarm {
	f := s.Run.Main
	down, may := f.Moves.Of(run.Replaced).Together(), s.Wanted.MayBeDown()
	raises, instead := s.raises()
	minority := raises != "" && min(f.Before, f.Replicas) > 1 && f.Fewest < majority(f.Replicas)
	kept := !slices.ContainsFunc(s.Run.Budgets, func(b *run.Budget) bool { return !b.Kept() })
	switch {
	case down > 1 && s.Wanted.Spec.Strategy.Type == model.RecreateStrategy:
		alarms = s.add(alarms, TrapUnavailable, "up to %d pods are down at once, and %s: the strategy Recreate deletes all "+
			"pods of other revisions before it makes new ones", down, f.Serve())
	case down > may:
		alarms = s.add(alarms, TrapUnavailable, "up to %d pods are down at once, and %s, although maxUnavailable is %d%s",
			down, f.Serve(), may, becauseYoung(s.Set))
	case f.Fewest == 0 && f.Before > 1 && f.Replicas > 0:
		alarms = s.add(alarms, TrapUnavailable, "%sat times none of its pods serves%s", raises, instead)
	case minority && kept:
		alarms = s.add(alarms, TrapUnavailable, "%s%s, fewer than a majority%s", raises, f.Serve(), instead)
	}
	alarms = s.ofScaleDown(alarms)
	for _, b := range s.Run.Budgets {
		if !b.Kept() && raises != "" {
			alarms = s.add(alarms, TrapBudget, "%sthe rollout goes %s%s", raises, b.Short(), instead)
		} else if !b.Kept() {
			alarms = s.add(alarms, TrapBudget, "goes %s", b.Short())
		}
	}
	return alarms
}

// majority is the fewest of so many that are more than half of them.
func majority(n int) int { return n/2 + 1 }

// raises says that NEW raises maxUnavailable, to begin a sentence, and what to write instead, to end it; both are "" if
// it does not.
func (s *Subject) raises() (begin, end string) {
	if s.Live == nil || s.Wanted.MayBeDown() <= s.Live.MayBeDown() {
		return "", ""
	}
	now, was := "1", "1"
	if block := s.Wanted.Spec.Strategy.RollingUpdate; block != nil && block.MaxUnavailable != nil {
		now = block.MaxUnavailable.String()
	}
	if block := s.Live.Spec.Strategy.RollingUpdate; block != nil && block.MaxUnavailable != nil {
		was = block.MaxUnavailable.String()
	}
	if now == was {
		return "", ""
	}
	return fmt.Sprintf("NEW sets maxUnavailable: %s (it was %s): ", now, was), "; write maxUnavailable: " + was
}

// ofScaleDown adds the alarms about pods that a smaller number of replicas takes away.
func (s *Subject) ofScaleDown(alarms []Alarm) []Alarm {
	if s.Live == nil {
		return alarms
	}
	was, is := int(s.Live.Spec.Replicas), int(s.Wanted.Spec.Replicas)
	switch {
	case s.Run.Main.Before > 0 && is == 0:
		return s.add(alarms, TrapNone, "scales to 0: nothing serves afterwards")
	case is == 0 || is >= was || is >= majority(was) || len(s.Input.Scalers[s.Pair.Key]) > 0:
		return alarms
	}
	return s.add(alarms, TrapFewer, "scales down from %d to %d, fewer than a majority of the %[1]d: if its pods form a quorum, "+
		"they lose it; remove the members first, or write replicas: %[1]d", was, is)
}

// ofStaged adds the alarm about a new template that a partition keeps from every pod.
func (s *Subject) ofStaged(alarms []Alarm) []Alarm {
	partition, replicas := s.Wanted.Partition(), int(s.Wanted.Spec.Replicas)
	if s.Live == nil || !s.Rolls() || s.OnDelete() || replicas == 0 || partition < replicas {
		return alarms
	}
	keeps, sets := "the only pod", "set partition: 0"
	if replicas > 1 {
		keeps = fmt.Sprintf("all %d pods", replicas)
		sets = fmt.Sprintf("set partition: %d for the first pod, partition: 0 for all", replicas-1)
	}
	alarms = s.add(alarms, TrapPartition, "the new template reaches no pod: partition %d keeps it from %s; %s", partition, keeps,
		sets)
	return known(alarms, s.Live.Partition() >= replicas)
}

// ofTimeouts adds the alarm about deploy tools that give up before the change can be complete, whatever is not known of
// its times.
func (s *Subject) ofTimeouts(alarms []Alarm) []Alarm {
	takes := s.Run.Duration.AtLeast()
	var parts []string
	tools := map[string][]string{}
	for _, a := range s.Run.Gates {
		if !a.TimesOut() || a.Gate == gate.KubectlWait.Name || time.Duration(*a.At) >= takes {
			continue
		}
		after := render.Clock(time.Duration(*a.At))
		if tools[after] == nil {
			parts = append(parts, after)
		}
		tools[after] = append(tools[after], a.Gate)
	}
	if len(parts) == 0 || !s.Run.Main.Completes() {
		return alarms
	}
	for i, after := range parts {
		parts[i] = fmt.Sprintf("after %s (%s)", after, strings.Join(tools[after], ", "))
	}
	cause := ""
	if s.Live != nil && s.Live.Spec.MinReadySeconds < s.Wanted.Spec.MinReadySeconds {
		cause = fmt.Sprintf("NEW sets minReadySeconds: %d (it was %d): ", s.Wanted.Spec.MinReadySeconds,
			s.Live.Spec.MinReadySeconds)
	}
	alarms = s.add(alarms, TrapTimeout, "%sit takes at least %s, and deploy tools give up before, %s; give the tool a longer "+
		"timeout", cause, render.Clock(takes), render.And(parts))
	return known(alarms, cause == "" && s.Live != nil && s.Live.Spec.Replicas >= s.Wanted.Spec.Replicas)
}
