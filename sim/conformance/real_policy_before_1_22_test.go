//go:build real && v1_16

package conformance_test

import (
	policy "k8s.io/api/policy/v1beta1"
	"k8s.io/client-go/informers"
	policyinformers "k8s.io/client-go/informers/policy/v1beta1"
)

// What the disruption controller of the version knows budgets as.
type (
	policyBudget = policy.PodDisruptionBudget
	policySpec   = policy.PodDisruptionBudgetSpec
)

var policyVersion = policy.SchemeGroupVersion

func budgetInformer(f informers.SharedInformerFactory) policyinformers.PodDisruptionBudgetInformer {
	return f.Policy().V1beta1().PodDisruptionBudgets()
}

func allowed(s *policy.PodDisruptionBudgetStatus) int32 { return s.PodDisruptionsAllowed }
