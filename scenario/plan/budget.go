package plan

import (
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// budget is a PodDisruptionBudget of the input.
type budget struct {
	key    model.Key
	object policyv1.PodDisruptionBudget
}

// Budget is what a PodDisruptionBudget asks for and what the rollout leaves.
type Budget struct {
	Name string `json:"name"`
	// Needs is the number of serving pods that the budget asks for, of Pods; Fewest is what the rollout leaves.
	Needs  int `json:"needs"`
	Pods   int `json:"pods"`
	Fewest int `json:"fewest"`
}

// Kept says whether the rollout alone never goes below the budget.
func (b *Budget) Kept() bool { return b.Fewest >= b.Needs }

// String says it in a sentence.
func (b *Budget) String() string {
	text := fmt.Sprintf("PodDisruptionBudget %s asks for %d of %d, and the rollout leaves %d",
		b.Name, b.Needs, b.Pods, b.Fewest)
	switch {
	case b.Needs > b.Fewest:
		return text + ": below it, for a rollout does not ask a budget"
	case b.Needs == b.Fewest:
		return text + ": kept, with nothing to spare (no node can be drained meanwhile)"
	}
	return text + ": kept"
}

// fits says whether the budget is for the pods of a set.
func (b *budget) fits(set *model.StatefulSet) bool {
	selector, err := metav1.LabelSelectorAsSelector(b.object.Spec.Selector)
	return err == nil && b.key.Namespace == set.Namespace && selector.Matches(labels.Set(set.Spec.Template.Labels))
}

// needs is the number of pods that have to serve, of a number that is wanted.
func (b *budget) needs(pods int) int {
	if v := b.object.Spec.MinAvailable; v != nil {
		n, err := intstr.GetScaledValueFromIntOrPercent(v, pods, true)
		return none(n, err)
	}
	if v := b.object.Spec.MaxUnavailable; v != nil {
		n, err := intstr.GetScaledValueFromIntOrPercent(v, pods, true)
		return max(0, pods-none(n, err))
	}
	return 0
}

func none(n int, err error) int {
	if err != nil {
		return 0
	}
	return n
}

// against holds the budget against a run from an instant on: at each fixed point over all sets whose pods it is for. It
// returns nil where it is for none.
func (b *budget) against(events []timeline.Event, from model.Time, begin int) *Budget {
	result := &Budget{Name: b.key.Name, Fewest: -1}
	for fold := range timeline.Ticks(events) {
		if fold.Index <= begin || fold.T < from {
			continue
		}
		pods, serving, found := 0, 0, false
		for _, set := range fold.Sets() {
			if b.fits(set.Spec) {
				found = true
				pods += int(set.Spec.Spec.Replicas)
				serving += set.Serving()
			}
		}
		if found && (result.Fewest < 0 || serving < result.Fewest) {
			result.Fewest = serving
		}
		if found {
			result.Pods, result.Needs = pods, b.needs(pods)
		}
	}
	if result.Fewest < 0 {
		return nil
	}
	return result
}
