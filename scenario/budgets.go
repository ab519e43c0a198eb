package scenario

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// putBudget creates, applies or replaces a PodDisruptionBudget.
func putBudget(u *sim.User, verb string, budget *model.Budget, namespace string) sim.Outcome {
	wanted := *budget
	wanted.Namespace = cmp.Or(budget.Namespace, namespace)
	live := u.Budget(wanted.Key())
	switch {
	case wanted.Wrong != "" && (live != nil || verb != "replace"):
		return refusal(&model.APIError{Reason: model.Invalid, Message: wanted.Wrong})
	case live != nil && verb == "create":
		return refusal(&model.APIError{Reason: model.AlreadyExists,
			Message: fmt.Sprintf("poddisruptionbudgets.policy %q already exists", wanted.Name)})
	case live == nil && verb == "replace":
		return refusal(budgetNotFound(wanted.Name))
	case live != nil && reflect.DeepEqual(*live, wanted):
		return sim.Outcome{Effect: timeline.Unchanged}
	}
	u.PutBudget(&wanted)
	if live != nil {
		return sim.Outcome{Effect: timeline.Configured}
	}
	return sim.Outcome{Effect: timeline.Created}
}

func budgetNotFound(name string) *model.APIError {
	return &model.APIError{Reason: model.NotFound, Message: fmt.Sprintf("poddisruptionbudgets.policy %q not found", name)}
}

func (s *step) deleteBudget(name string) *action {
	key := s.key(name)
	return &action{does: "delete the PodDisruptionBudget " + name, act: func(u *sim.User) sim.Outcome {
		if !u.DeleteBudget(key) {
			return refusal(budgetNotFound(name))
		}
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}
