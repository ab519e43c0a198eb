package symptom

import "strings"

// ClaimRefused reports whether the message about a pod that cannot be created says that its PVC is refused: no change
// of the pod template alters that.
func ClaimRefused(message string) bool {
	return strings.HasPrefix(message, "create Claim ") || strings.Contains(message, "failed to create PVC ")
}
