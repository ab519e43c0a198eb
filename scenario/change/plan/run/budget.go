package run

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
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

// Short says of a budget that is not kept what it asks for, in the midst of a sentence.
func (b *Budget) Short() string {
	return fmt.Sprintf("below PodDisruptionBudget %s, which asks for %s of %d and gets %d",
		b.Name, render.Count(b.Needs, "healthy pod"), b.Pods, b.Fewest)
}

// Hold checks budgets against a run, from an instant and an event on.
func Hold(budgets []*model.Budget, events []timeline.Event, from model.Time, begin int) []*Budget {
	var list []*Budget
	for _, b := range budgets {
		if result := against(b, events, from, begin); result != nil {
			list = append(list, result)
		}
	}
	return list
}

// against checks the budget at each fixed point of a run from an instant on; nil if it selects no set.
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

// Unkept returns the budgets that are violated, and more so than in the main run.
func Unkept(budgets, main []*Budget) []*Budget {
	return slices.DeleteFunc(budgets, func(b *Budget) bool {
		return b.Kept() || slices.ContainsFunc(main, func(main *Budget) bool {
			return main.Name == b.Name && main.Fewest <= b.Fewest
		})
	})
}

// Alone checks budgets that select pods of one set only against what a run leaves of the set.
func Alone(budgets []*model.Budget, replicas, fewest, before, after int) []*Budget {
	var list []*Budget
	for _, b := range budgets {
		needs := int(b.Desired(int32(replicas)))
		list = append(list, &Budget{
			Name: b.Name, Needs: needs, Pods: replicas, Fewest: fewest, Before: before, After: after,
		})
	}
	return list
}
