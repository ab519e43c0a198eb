package model

// Budget is a PodDisruptionBudget (policy/v1): how many of its pods may be evicted.
type Budget struct {
	Namespace, Name string
	// Selects is the selector of its pods; nil selects none.
	Selects *Selector
	// MinAvailable or MaxUnavailable is given, at most one of them.
	MinAvailable, MaxUnavailable *IntOrPercent
	// AlwaysAllow is unhealthyPodEvictionPolicy AlwaysAllow: a pod that is not Ready may be evicted whatever the
	// budget (KEP-3017). Otherwise (IfHealthyBudget) it may be evicted only while enough others are healthy.
	AlwaysAllow bool
	// Wrong is the API server's refusal of it, "" is none.
	Wrong string
}

// Key returns the budget's namespace and name.
func (b *Budget) Key() Key { return Key{b.Namespace, b.Name} }

// Covers reports whether the budget is for pods with those labels in that namespace.
func (b *Budget) Covers(namespace string, labels map[string]string) bool {
	return b.Namespace == namespace && b.Selects != nil && b.Selects.Matches(labels)
}

// CountsScale reports whether the number of pods that the budget expects is what their controllers want; otherwise
// it is the number of pods that there are (minAvailable as a number).
func (b *Budget) CountsScale() bool {
	return b.MaxUnavailable != nil || b.MinAvailable != nil && b.MinAvailable.Percent
}

// Desired returns how many pods must be healthy if that many are expected. Percentages are rounded up, even for
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

// Service is a Service as far as names are concerned: which pods it selects, and how the DNS answers for it.
type Service struct {
	Meta
	// Selector selects the pods of its namespace by their labels; a Service without one has no pods.
	Selector Selector
	// Headless is clusterIP: None: the Service's name answers with its pods' own addresses, and each of these may have a
	// name of its own.
	Headless bool
	// ClusterIP is the address of a Service that is not headless, as the API server chose it.
	ClusterIP string
	// PublishNotReady is publishNotReadyAddresses: every pod with an address is an answer, Ready or not, Terminating or
	// not.
	PublishNotReady bool
	// Ports are the named ports as SRV records have them: _http._tcp.
	Ports []string
}

// Selects reports whether the Service selects pods that have these labels.
func (s *Service) Selects(labels map[string]string) bool {
	return len(s.Selector.Needs) > 0 && s.Selector.Matches(labels)
}
