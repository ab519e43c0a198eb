package plan

import (
	"slices"

	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Shown is a run behind an answer. Name says which question it answers, and of which set if it is about one.
type Shown struct {
	Name   string
	Events []timeline.Event
}

// Rollout is the name of the run in which nothing goes wrong, Instead that of the run of the way around a refusal.
const (
	Rollout = run.Rollout
	Instead = run.Instead
)

// CaseNames lists the change itself, and all that may go wrong with it.
func CaseNames() []string { return run.CaseNames() }

// ShowNames lists the runs that may be shown.
func ShowNames() []string { return append(CaseNames(), Instead) }

// Shows lists those of them that this plan has.
func (plan *Plan) Shows() []string {
	return slices.DeleteFunc(ShowNames(), func(name string) bool {
		switch name {
		case Rollout:
			return !plan.changes()
		case Instead:
			return !slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil && s.Refusal.events != nil })
		}
		return !slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.has(name) })
	})
}

// changes says whether the API server accepts the change of any set.
func (plan *Plan) changes() bool {
	return slices.ContainsFunc(plan.world.Sets, func(s *stored.Set) bool { return s.Fate == stored.Accepted })
}

// Show plays the runs behind an answer once more, for each of the sets that have it. The run of the rollout is one for
// all sets. It is nil for an unknown name, and for one that the plan does not have (Shows).
func (plan *Plan) Show(name string) []Shown {
	var list []Shown
	w := plan.world
	if name == Rollout && plan.changes() {
		whole := w.Of(w.Sets...)
		return []Shown{{Name: "the change", Events: whole.Lab().Run(whole.Change())}}
	}
	for _, s := range plan.Sets {
		if name == Instead && s.Refusal != nil && s.Refusal.events != nil {
			list = append(list, Shown{Name: s.key.String() + ": the way around the refusal", Events: s.Refusal.events})
		}
		for _, c := range s.Cases {
			if c.Name == name {
				list = append(list, Shown{Name: s.key.String() + ": " + c.Asks, Events: plan.replay(s, c)})
			}
		}
	}
	return list
}

// replay plays a case of a set again. The set and the case must be the plan's own.
func (plan *Plan) replay(set *Set, c *run.Case) []timeline.Event {
	w := plan.world
	at := slices.IndexFunc(w.Sets, func(s *stored.Set) bool { return s.Pair.Key == set.key })
	return run.Replay(w, w.Input.Budgets, w.Sets[at], c)
}

// Invalid says whether something is wrong with one of the sets that NEW has, which no version of Kubernetes takes: the
// input is wrong then, although the other sets were planned.
func (plan *Plan) Invalid() bool {
	return slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil && s.Refusal.unreadable })
}
