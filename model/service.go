package model

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

// Selects says whether the Service selects pods that have these labels.
func (s *Service) Selects(labels map[string]string) bool {
	return len(s.Selector.Needs) > 0 && s.Selector.Matches(labels)
}
