package scenario

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// putBudget creates, applies or replaces a PodDisruptionBudget, as kubectl does with the verb, in the namespace of the
// step unless the manifest names one. An invalid budget is refused with the API server's message, after the checks
// that come before validation there: a replace of a budget that does not exist is NotFound.
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

// budgetNotFound returns the API server's answer about a budget that does not exist.
func budgetNotFound(name string) *model.APIError {
	return &model.APIError{Reason: model.NotFound, Message: fmt.Sprintf("poddisruptionbudgets.policy %q not found", name)}
}

// deleteBudget returns the action that deletes a budget. That none of the name exists is found in the run and not at
// load, since budgets may come from any manifest.
func (s *step) deleteBudget(name string) *action {
	key := s.key(name)
	return &action{does: "delete the PodDisruptionBudget " + name, act: func(u *sim.User) sim.Outcome {
		if !u.DeleteBudget(key) {
			return refusal(budgetNotFound(name))
		}
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}
