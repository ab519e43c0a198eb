package model

import "fmt"

// TwoBudgets returns the refusal of the Eviction API for a pod that several budgets select.
func TwoBudgets() *APIError {
	return &APIError{Reason: InternalError,
		Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}
}

// BudgetCounts is the status of a budget at the eviction of a pod that it selects.
type BudgetCounts struct {
	// Name is the budget's name.
	Name string
	// Healthy, Desired and Allowed are the counts of its status. Unseen is true while that is the status of an earlier spec.
	Healthy, Desired, Allowed int32
	Unseen                    bool
}

// Spares reports whether a pod that is not Ready may go without a disruption, since enough others are healthy, or since
// the budget always allows it (KEP-3017).
func (c BudgetCounts) Spares(ready, always bool) bool {
	return !ready && (always || c.Healthy >= c.Desired && c.Desired > 0)
}

// Allows reports whether the budget has a disruption left.
func (c BudgetCounts) Allows() bool { return c.Allowed > 0 && !c.Unseen }

// Refusal returns the refusal of the Eviction API (pkg/registry/core/pod/storage/eviction.go).
func (c BudgetCounts) Refusal() *APIError {
	cause := fmt.Sprintf("The disruption budget %s does not allow evicting pods currently", c.Name)
	switch {
	case c.Unseen:
		cause = fmt.Sprintf("The disruption budget %s is still being processed by the server.", c.Name)
	case c.Healthy <= c.Desired:
		cause = fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", c.Name, c.Desired,
			c.Healthy)
	}
	return &APIError{Reason: TooManyRequests,
		Message: "Cannot evict pod as it would violate the pod's disruption budget.", Cause: cause}
}
