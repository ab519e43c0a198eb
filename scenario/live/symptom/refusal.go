package symptom

import "strings"

// ClaimRefused reports whether the message about a pod that cannot be created says that its PVC is refused: no change
// of the pod template alters that.
func ClaimRefused(message string) bool {
	return strings.HasPrefix(message, "create Claim ") || strings.Contains(message, "failed to create PVC ")
}

// InTerminatingNamespace reports whether the message is of the API server that refuses to create an object in a
// namespace that is being deleted: nothing lets it be created.
func InTerminatingNamespace(message string) bool {
	return strings.Contains(message, "because it is being terminated")
}
