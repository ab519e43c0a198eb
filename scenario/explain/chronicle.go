package explain

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// chronicle is a run that begins with a dump, and finds its events by the sets that they are about.
type chronicle struct {
	dump   *dump.Index
	events []timeline.Event
	// of has the indexes of the events by set. Those about no set of the dump are under a key without a name, with their
	// namespace if they have one.
	of map[model.Key][]int
	// now is the state at the instant of the dump, end that at the end of the run; nil until somebody has asked.
	now, end *timeline.Fold
}

// chronicleOf returns the chronicle of a run. It costs O(events).
func chronicleOf(events []timeline.Event, d *dump.Index) *chronicle {
	c := &chronicle{dump: d, events: events, of: map[model.Key][]int{}}
	for i := range events {
		key := c.about(&events[i])
		c.of[key] = append(c.of[key], i)
	}
	return c
}

// about returns the key under which an event is found.
func (c *chronicle) about(e *timeline.Event) model.Key {
	switch {
	case c.dump.Has(e.Set):
		return e.Set
	case e.Kind == timeline.KindBudget:
		return model.Key{Namespace: e.Budget.Namespace}
	}
	return model.Key{Namespace: e.Set.Namespace}
}

// since returns the events about a set from an index of the run on, in their order and as a new slice. Events about a
// PodDisruptionBudget, or about another set, are not among them.
func (c *chronicle) since(begun int, set model.Key) []timeline.Event {
	var events []timeline.Event
	for _, at := range c.of[set] {
		if at >= begun {
			events = append(events, c.events[at])
		}
	}
	return events
}

// result returns the result of the run, which must have one. It is the run's own.
func (c *chronicle) result() *timeline.Result { return c.events[len(c.events)-1].Result }

// near returns the events of a run that are about some sets of a namespace, or about no set at all.
func (c *chronicle) near(namespace string, sets []*model.StatefulSet) []timeline.Event {
	at := slices.Concat(c.of[model.Key{}], c.of[model.Key{Namespace: namespace}])
	for _, set := range sets {
		at = append(at, c.of[set.Key()]...)
	}
	slices.Sort(at)
	events := make([]timeline.Event, 0, len(at))
	for _, i := range at {
		events = append(events, *among(&c.events[i], sets))
	}
	return events
}

// among returns an event. Of the step with which a dump begins it leaves only some sets.
func among(e *timeline.Event, sets []*model.StatefulSet) *timeline.Event {
	if e.Actor != timeline.Dump || e.Kind != timeline.KindStep {
		return e
	}
	some, detail, rare, step := *e, *e.Detail, *e.Rare, *e.Step
	step.Sets = slices.DeleteFunc(slices.Clone(step.Sets), func(set *model.StatefulSet) bool {
		return !slices.ContainsFunc(sets, func(one *model.StatefulSet) bool { return one.Key() == set.Key() })
	})
	rare.Step, detail.Rare, some.Detail = &step, &rare, &detail
	return &some
}

// atDump returns the state after all that happens at the instant of the dump; nil if the run ends there.
func (c *chronicle) atDump() *timeline.Fold {
	cut := slices.IndexFunc(c.events, func(e timeline.Event) bool { return e.T > 0 })
	if c.now == nil && cut >= 0 {
		c.now = heal.End(c.events[:cut])
	}
	return c.now
}

// atEnd returns the state at the end of the run.
func (c *chronicle) atEnd() *timeline.Fold {
	if c.end == nil {
		c.end = heal.End(c.events)
	}
	return c.end
}
