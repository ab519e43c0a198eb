package symptom

// SeveralBudgets are in the message with which an eviction is refused because more than one budget selects the pod.
var SeveralBudgets = words("more than one PodDisruptionBudget")

// Eviction returns why the eviction of a pod is refused: several budgets select it, or they want all the pods that there
// are, or some of their pods are sick; Nothing if none of that is so.
func Eviction(several, full, sick bool) *Row {
	switch {
	case several:
		return &evictions[0]
	case full:
		return &evictions[1]
	case sick:
		return &evictions[2]
	}
	return Nothing
}

var evictions = Family{
	{Name: "several budgets", Source: "kube-apiserver, pkg/registry/core/pod/storage/eviction.go",
		Words:    SeveralBudgets,
		Sentence: "{pod} cannot be evicted: more than one PodDisruptionBudget selects it, and then every eviction is refused",
		Ends: "ends when a single PodDisruptionBudget selects {pod} and allows a disruption, and the node is drained again; " +
			"or when the pod is deleted instead of evicted"},
	{Name: "drain-blocked", Source: "kube-apiserver, pkg/registry/core/pod/storage/eviction.go", Words: words(""),
		Ends: "ends when the budget allows a disruption, when it covers one more healthy pod, or when {pod} is deleted instead " +
			"of evicted"},
	{Name: "drain-blocked by sick pods", Source: "kube-apiserver, pkg/registry/core/pod/storage/eviction.go",
		Ends: "ends when {found} {is} Ready, which the budget counts too; or when the budget allows more disruptions, or when " +
			"{pod} is deleted instead of evicted"},
}
