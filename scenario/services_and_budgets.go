package scenario

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// putService carries out the step's verb on a Service. Labels and annotations from other clients have no influence
// here, so apply and replace are the same for an existing Service. Cluster IPs never change, as in the API server.
func (s *step) putService(u *sim.User, given *manifest.Service) sim.Outcome {
	wanted := given.Model(s.namespace)
	live := u.Service(wanted.Key())
	switch {
	case live == nil && s.verb == "replace":
		return refusal(serviceError(model.NotFound, "services %q not found", wanted.Name))
	case live == nil:
		u.CreateService(wanted)
		return sim.Outcome{Effect: timeline.Created}
	case s.verb == "create":
		return refusal(serviceError(model.AlreadyExists, "services %q already exists", wanted.Name))
	case live.Headless != wanted.Headless:
		// A manifest without a cluster IP keeps the Service's present one, None included; None cannot replace
		// another.
		if wanted.Headless {
			return refusal(serviceError(model.Invalid, "Service %q is invalid: spec.clusterIPs[0]: Invalid value: "+
				"[\"None\"]: may not change once set", wanted.Name))
		}
		wanted.Headless = true
	}
	wanted.ClusterIP = live.ClusterIP
	if reflect.DeepEqual(live, wanted) {
		return sim.Outcome{Effect: timeline.Unchanged}
	}
	u.UpdateService(wanted)
	return sim.Outcome{Effect: timeline.Configured}
}

// deleteService returns the action that deletes a Service. Its pods live on without their names in the DNS.
func (s *step) deleteService(name string) *action {
	key := s.key(name)
	return &action{does: "delete the Service " + name, act: func(u *sim.User) sim.Outcome {
		if !u.DeleteService(key) {
			return refusal(unreadable(serviceError(model.NotFound, "services %q not found", name)))
		}
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}

// serviceError returns the API server's answer about a Service.
func serviceError(reason model.ErrorReason, format, name string) *model.APIError {
	return &model.APIError{Reason: reason, Message: fmt.Sprintf(format, name)}
}

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
