package plan

import (
	"math"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Shown is a run behind an answer, about one set or, if that is nil, about all. Asks says what goes wrong in it.
type Shown struct {
	Set    *Set
	Asks   string
	Events []timeline.Event
}

// Name says which question the run answers, and of which set.
func (s *Shown) Name() string {
	if s.Set == nil {
		return s.Asks
	}
	return s.Set.key.String() + ": " + s.Asks
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
			return !slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil && s.Refusal.Events != nil })
		}
		return !slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.has(name) })
	})
}

func (plan *Plan) changes() bool {
	return slices.ContainsFunc(plan.world.Sets, func(s *stored.Set) bool { return s.Fate == stored.Accepted })
}

// The names of the runs of a page that are no case.
const theChange, wayAround = "the change", "the way around"

// Show plays the runs behind an answer once more; nil for a name that the plan does not have.
func (plan *Plan) Show(name string) []Shown {
	var list []Shown
	if name == Rollout && plan.changes() {
		return []Shown{{Asks: theChange, Events: whole(plan.world, math.MaxInt)}}
	}
	for _, s := range plan.Sets {
		if name == Instead && s.Refusal != nil && s.Refusal.Events != nil {
			list = append(list, Shown{s, wayAround + " the refusal", s.Refusal.Events})
		}
		for _, c := range s.Cases {
			if c.Name == name {
				list = append(list, Shown{s, c.Asks, plan.replay(s, c)})
			}
		}
	}
	return list
}

// whole plays the change of all sets in one world, up to a number of events.
func whole(w *run.World, most int) []timeline.Event {
	w = w.Of(w.Sets...)
	lab := w.Lab()
	lab.World.MaxEvents = min(lab.World.MaxEvents, most)
	return lab.Run(w.Change())
}

// replay plays a case of a set again. The set and the case must be the plan's own.
func (plan *Plan) replay(set *Set, c *run.Case) []timeline.Event {
	w := plan.world
	at := slices.IndexFunc(w.Sets, func(s *stored.Set) bool { return s.Pair.Key == set.key })
	return run.Replay(w, w.Input.Budgets, w.Sets[at], c)
}

// mostShown is the number of sets up to which a page has runs of what may go wrong.
const mostShown = 12

// Runs plays again what a page of the plan has room for, under the names that its document knows: the change itself,
// the ways around refusals, and what may go wrong. enough is asked before each and ends it.
func (plan *Plan) Runs(enough func() bool) []*report.Run {
	if enough() {
		return nil
	}
	var runs []*report.Run
	add := func(name string, shown Shown) {
		if n := len(shown.Events); n > 0 && n <= doc.MostEvents && len(runs) < doc.MostRuns {
			runs = append(runs, &report.Run{Name: plan.runName(shown.Set, name), Description: shown.Asks, Events: shown.Events})
		}
	}
	if plan.changes() {
		add(Rollout, Shown{Asks: theChange, Events: whole(plan.world, doc.MostEvents)})
	}
	for _, name := range append([]string{Instead}, CaseNames()[1:]...) {
		if len(plan.Sets) > mostShown || enough() {
			break
		}
		for _, shown := range plan.Show(name) {
			add(name, shown)
		}
	}
	return runs
}

// runName is the name of a run on the page, with that of its set if there are several.
func (plan *Plan) runName(s *Set, name string) string {
	switch name {
	case Rollout:
		return theChange
	case Instead:
		name = wayAround
	}
	if len(plan.Sets) > 1 {
		return s.key.String() + ": " + name
	}
	return name
}

// Invalid says whether no version of Kubernetes takes one of the sets that NEW has: the input is wrong then.
func (plan *Plan) Invalid() bool {
	return slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil && s.Refusal.Unreadable })
}
