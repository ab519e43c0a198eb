package plan

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Case is something that may go wrong on the way, and what comes of it: it was played.
type Case struct {
	Name string `json:"name"`
	// Asks is the question, Answer what came of it.
	Asks   string `json:"asks"`
	Answer string `json:"answer"`
	// Fewest is the least number of serving pods on the way, and at its end.
	Fewest int `json:"fewest"`
	// Trap says that the set does not come out of it by itself.
	Trap bool `json:"trap"`
	// Commands are what heals it, where something is needed and known; they were played as well. Reverts says that one of
	// them reverts the template, and has to be done in Git too where that is where it comes from. Takes is how long they
	// take.
	Commands []string `json:"commands,omitempty"`
	Reverts  bool     `json:"reverts,omitempty"`
	// Prevents says that the commands have to come before the change: they keep it from happening.
	Prevents bool `json:"prevents,omitempty"`
	// Ends says that they end it as well where it has begun.
	Ends bool `json:"endsLivelock,omitempty"`
	// Budgets are those that are not kept on the way.
	Budgets []*Budget `json:"budgets,omitempty"`
	// Events is the run, with the commands as its last steps where there are any.
	Events []timeline.Event `json:"-"`
}

// subject is a set that things go wrong with.
type subject struct {
	*edit
	world *world
	// main is what happens where nothing goes wrong, and last the set at the end of it.
	main *facts
	last *model.StatefulSet
	// replaces says that the change itself gives pods a new template.
	replaces bool
	// budgets are those over the set's pods.
	budgets []*model.Budget
}

// steps writes the case, with the rollingUpdate block written out first or not. It returns the number of the step that
// is the change.
func (s *subject) steps(q *question, w *world, block bool) (steps []sim.Step, change int) {
	var script script
	script.before(w.pairs, w.unfinished)
	if block {
		script.block(s.pair.Key)
	}
	if q.before != nil {
		q.before(s, &script)
	}
	change = script.change([]*Pair{s.pair})
	if q.after != nil {
		q.after(s, &script)
	}
	return script.steps, change
}

// begun are the rollouts that have begun before the change, in a case.
func (s *subject) begun(q *question) map[model.Key]*staged {
	if !q.underWay {
		return s.world.unfinished
	}
	unfinished := maps.Clone(s.world.unfinished)
	unfinished[s.pair.Key] = &staged{}
	return unfinished
}

// neighbours are the other sets that run now and share a budget with this one: they stay as they are.
func (s *subject) neighbours() []*Pair {
	var list []*Pair
	for _, p := range s.world.pairs {
		if p != s.pair && p.Old != nil && slices.ContainsFunc(s.budgets, func(b *model.Budget) bool {
			return b.Covers(p.Key.Namespace, p.Old.Object.Spec.Template.Labels)
		}) {
			list = append(list, p)
		}
	}
	return list
}

// broken are the budgets that are not kept, and that are worse off than where nothing goes wrong.
func (s *subject) broken(budgets []*Budget) []*Budget {
	return slices.DeleteFunc(budgets, func(b *Budget) bool {
		return b.Kept() || slices.ContainsFunc(s.set.Budgets, func(main *Budget) bool {
			return main.Name == b.Name && main.Fewest <= b.Fewest
		})
	})
}

// answers plays a case and says what comes of it.
func (s *subject) answers(q *question) *Case {
	w := *s.world
	w.pairs, w.rules, w.unfinished = append([]*Pair{s.pair}, s.neighbours()...), nil, s.begun(q)
	if q.wrong != nil {
		q.wrong(s, &w)
	}
	steps, change := s.steps(q, &w, false)
	events := w.play(steps)
	f := gather(events, s.pair.Key, change)
	c := &Case{Name: q.name, Asks: q.asks(s), Answer: q.answer(s, f), Fewest: min(f.fewest, f.serving), Events: events}
	c.Budgets = s.broken(hold(s.budgets, events, f.begin, indexOf(events, change)))
	for _, b := range c.Budgets {
		c.Answer += "; " + b.short()
	}
	switch f.verdict {
	case timeline.Livelock:
		c.Trap = true
		s.prevent(q, &w, c)
	case timeline.IsStuck:
		c.Trap = true
		s.heal(&w, c, steps)
	}
	return c
}

// heal looks for the commands that lead out.
func (s *subject) heal(w *world, c *Case, steps []sim.Step) {
	cure, _ := heal.Find(c.Events, s.pair.Key, func(more []sim.Step) []timeline.Event {
		return w.play(append(steps[:len(steps):len(steps)], more...))
	})
	if cure == nil {
		c.Answer += ". None of the tried fixes works"
		return
	}
	c.Commands, c.Reverts, c.Events = cure.Commands, cure.Reverts, cure.Events
	switch {
	case !cure.Reverts:
		c.Answer += ". Deleting the pod fixes it"
	case len(cure.Commands) == 1:
		c.Answer += ". Reverting fixes it"
	default:
		c.Answer += ". Reverting alone does not fix it: the broken pod must be deleted too"
	}
}

// prevent looks for what keeps a set out of a livelock.
func (s *subject) prevent(q *question, w *world, c *Case) {
	if !heal.LacksBlock(s.last) {
		return
	}
	steps, change := s.steps(q, w, true)
	f := gather(w.play(steps), s.pair.Key, change)
	if f.verdict == timeline.Livelock {
		return
	}
	c.Commands, c.Prevents = []string{heal.BlockCommand(s.pair.Key)}, true
	c.Answer += ". The set has no rollingUpdate block; with one written out before the change, " + f.ending()
	steps, _ = s.steps(q, w, false)
	slow := *w
	slow.machinery = heal.SlowCalls()
	c.Ends = heal.BlockEnds(s.pair.Key, func(more []sim.Step) []timeline.Event {
		return slow.play(slices.Concat(steps, more))
	})
}
