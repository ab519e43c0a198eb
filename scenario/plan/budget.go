package plan

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Budget compares what a PodDisruptionBudget asks for with what the rollout leaves. A rollout does not ask budgets:
// only evictions do. So a budget is violated without anybody being refused.
type Budget struct {
	// Name is that of the PodDisruptionBudget, whose namespace is that of the set.
	Name string `json:"name"`
	// Needs is the number of serving pods that the budget asks for, of Pods; Fewest is the least that the rollout
	// leaves at a fixed point, over all sets whose pods it selects.
	Needs  int `json:"needs"`
	Pods   int `json:"pods"`
	Fewest int `json:"fewest"`
	// Before and After are the numbers of serving pods when the change comes, and at its end.
	Before int `json:"before"`
	After  int `json:"after"`
}

// Kept says whether the rollout alone never goes below the budget, or not further than it was before the change.
func (b *Budget) Kept() bool { return b.Pods == 0 || b.Fewest >= min(b.Needs, b.Before) }

// String says it in a sentence.
func (b *Budget) String() string {
	if b.Pods == 0 {
		return fmt.Sprintf("PodDisruptionBudget %s: no pods are left for it", b.Name)
	}
	text := fmt.Sprintf("PodDisruptionBudget %s asks for %s of %d", b.Name, render.Count(b.Needs, "healthy pod"), b.Pods)
	switch {
	case b.Needs == 0:
		return text + ": it allows all evictions"
	case !b.Kept():
		return fmt.Sprintf("%s. A rollout ignores budgets: this rollout leaves %d%s", text, b.Fewest, b.always())
	case b.Before < b.Needs:
		serving := "none serves"
		if b.Before > 0 {
			serving = fmt.Sprintf("only %d %s", b.Before, render.Agree(b.Before, "serves", "serve"))
		}
		return fmt.Sprintf("%s, and %s even before the change", text, serving)
	case b.Needs == b.Fewest:
		return fmt.Sprintf("%s, and the rollout leaves %d, just enough: until it is done, no other of these pods can be "+
			"evicted%s", text, b.Fewest, b.always())
	}
	return fmt.Sprintf("%s, and the rollout, which ignores budgets, leaves %d: enough", text, b.Fewest)
}

// always adds, for a budget that leaves no pod to spare after the change either, what that means; "" for any other.
func (b *Budget) always() string {
	if b.Needs < b.After && b.Needs < b.Pods {
		return ""
	}
	return ". After the rollout the budget allows no eviction either, so the drain of a node with one of these pods " +
		"never ends"
}

// short says of a budget that is not kept what it asks for, in the midst of a sentence.
func (b *Budget) short() string {
	return fmt.Sprintf("below PodDisruptionBudget %s, which asks for %s of %d and gets %d",
		b.Name, render.Count(b.Needs, "healthy pod"), b.Pods, b.Fewest)
}

// budgets returns the budgets that select the set's pods.
func (e *edit) budgets(all []*model.Budget) []*model.Budget {
	return slices.DeleteFunc(slices.Clone(all), func(b *model.Budget) bool {
		return !b.Covers(e.pair.Key.Namespace, e.shown().Spec.Template.Labels)
	})
}

// sharing returns the sets of the world that share one of the budgets with a set, that set first. They have to be
// played together.
func (w *world) sharing(e *edit, budgets []*model.Budget) []*edit {
	list := []*edit{e}
	if len(budgets) == 0 {
		return list
	}
	for _, other := range w.edits {
		if other != e && slices.ContainsFunc(budgets, func(b *model.Budget) bool {
			return b.Covers(other.pair.Key.Namespace, other.shown().Spec.Template.Labels)
		}) {
			list = append(list, other)
		}
	}
	return list
}

// weigh checks the budgets that select pods of this set only against the runs of the set, which may have been played
// under the name of a stand-in.
func (e *edit) weigh(budgets []*model.Budget) {
	s := e.set
	s.over = budgets
	if s.Serving == nil || e.live == nil {
		return
	}
	left := func(fewest int) []*Budget {
		var list []*Budget
		for _, b := range budgets {
			needs := int(b.Desired(int32(s.Serving.Replicas)))
			list = append(list, &Budget{Name: b.Name, Needs: needs, Pods: s.Serving.Replicas, Fewest: fewest,
				Before: s.Serving.Before, After: s.Serving.After})
		}
		return list
	}
	s.Budgets = left(s.Serving.Fewest)
	for _, c := range s.Cases {
		c.Budgets = unkept(left(c.Fewest), s.Budgets)
		c.Usual = c.Usual && (c.Name != broken || len(c.Budgets) == 0)
		c.compose()
	}
}

// hold checks budgets against a run, from an instant and an event on.
func hold(budgets []*model.Budget, events []timeline.Event, from model.Time, begin int) []*Budget {
	var list []*Budget
	for _, b := range budgets {
		if result := against(b, events, from, begin); result != nil {
			list = append(list, result)
		}
	}
	return list
}

// against checks the budget at each fixed point of a run from an instant on, over all sets whose pods it selects. It
// returns nil if it selects none.
func against(b *model.Budget, events []timeline.Event, from model.Time, begin int) *Budget {
	result := &Budget{Name: b.Name, Fewest: -1}
	for fold := range timeline.Ticks(events) {
		pods, serving, found := 0, 0, false
		for _, set := range fold.Sets() {
			if b.Covers(set.Key.Namespace, set.Spec.Spec.Template.Labels) {
				found = true
				pods += int(set.Spec.Spec.Replicas)
				serving += set.Serving()
			}
		}
		switch {
		case !found:
		case fold.Index <= begin || fold.T < from:
			result.Before = serving
		default:
			if result.Fewest < 0 || serving < result.Fewest {
				result.Fewest = serving
			}
			result.Pods, result.Needs, result.After = pods, int(b.Desired(int32(pods))), serving
		}
	}
	if result.Fewest < 0 {
		return nil
	}
	return result
}
