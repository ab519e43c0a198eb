package dump

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/scenario/manifest"
)

// assumeBudgets says which budgets have a status that does not fit the dump. Evictions go by the status; a world counts
// the pods itself, as the disruption controller does at each of their changes. It must come before the pods of other
// owners are left out, which count as well.
func (c *converter) assumeBudgets() {
	pods := map[string][]*corev1.Pod{}
	for _, pod := range c.pods {
		pods[pod.Namespace] = append(pods[pod.Namespace], pod)
	}
	for _, object := range c.budgets {
		status := &object.Status
		healthy, pods := countOf(object, pods[cmp.Or(object.Namespace, metav1.NamespaceDefault)])
		switch {
		case status.ObservedGeneration < object.Generation:
			c.assume("The status of the PodDisruptionBudget %s is not that of its newest spec. Assumed: the disruption "+
				"controller looks at it at once. Until it does, every eviction of its pods is refused.", object.Name)
		case status.ObservedGeneration > 0 && pods > 0 && int(status.CurrentHealthy) != healthy:
			c.assume("The PodDisruptionBudget %s says that %d of %d pods are healthy, but in the dump %d of %d are. Assumed: "+
				"the dump is right. If it has all of the pods, that status is out of date: until the disruption controller counts "+
				"again, evictions follow the status, which allows %d.", object.Name, status.CurrentHealthy,
				status.ExpectedPods, healthy, pods, status.DisruptionsAllowed)
		}
	}
}

// countOf counts the pods of a budget among those of its namespace as the disruption controller does: those that are
// Ready and not Terminating, and whose eviction has not just been granted, are healthy.
func countOf(object *policyv1.PodDisruptionBudget, among []*corev1.Pod) (healthy, pods int) {
	budget := manifest.LiveBudget(object)
	for _, pod := range among {
		if !budget.Covers(pod.Namespace, pod.Labels) {
			continue
		}
		pods++
		_, evicted := object.Status.DisruptedPods[pod.Name]
		ready := slices.ContainsFunc(pod.Status.Conditions, func(condition corev1.PodCondition) bool {
			return condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue
		})
		if ready && !evicted && pod.DeletionTimestamp == nil {
			healthy++
		}
	}
	return healthy, pods
}

// oldestFirst returns budgets in the order of their creation: of several budgets for one pod, the disruption controller
// mostly takes the oldest. Those of one instant are in the order of their names.
func oldestFirst(budgets []*policyv1.PodDisruptionBudget) []*policyv1.PodDisruptionBudget {
	list := slices.Clone(budgets)
	slices.SortStableFunc(list, func(a, b *policyv1.PodDisruptionBudget) int {
		return a.CreationTimestamp.Compare(b.CreationTimestamp.Time)
	})
	return list
}
