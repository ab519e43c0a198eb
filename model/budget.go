package model

// Budget is a PodDisruptionBudget (policy/v1): how many of its pods may be evicted.
type Budget struct {
	Namespace, Name string
	// Selects says which pods it is for; nil is none.
	Selects *Selector
	// MinAvailable or MaxUnavailable is given, at most one of them.
	MinAvailable, MaxUnavailable *IntOrPercent
	// AlwaysAllow is unhealthyPodEvictionPolicy AlwaysAllow: a pod that is not Ready may be evicted whatever the budget
	// (KEP-3017). Otherwise (IfHealthyBudget) only while enough others are healthy.
	AlwaysAllow bool
	// Wrong is the API server's refusal of it, "" is none.
	Wrong string
}

// Key returns the budget's namespace and name.
func (b *Budget) Key() Key { return Key{b.Namespace, b.Name} }

// Covers says whether the budget is for pods with those labels in that namespace.
func (b *Budget) Covers(namespace string, labels map[string]string) bool {
	return b.Namespace == namespace && b.Selects != nil && b.Selects.Matches(labels)
}

// CountsScale says whether the number of pods that the budget expects is what their controllers want; otherwise it is
// the number of pods that there are (minAvailable as a number).
func (b *Budget) CountsScale() bool {
	return b.MaxUnavailable != nil || b.MinAvailable != nil && b.MinAvailable.Percent
}

// Desired returns how many pods must be healthy if that many are expected. Percentages are rounded up, also those of
// maxUnavailable: the disruption controller is generous there.
func (b *Budget) Desired(expected int32) int32 {
	switch {
	case b.MaxUnavailable != nil:
		return max(0, expected-b.MaxUnavailable.roundedUp(expected))
	case b.MinAvailable != nil:
		return b.MinAvailable.roundedUp(expected)
	}
	return 0
}

func (v IntOrPercent) roundedUp(of int32) int32 {
	if !v.Percent {
		return v.Value
	}
	return int32((int64(v.Value)*int64(of) + 99) / 100)
}
