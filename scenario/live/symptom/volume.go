package symptom

import (
	"slices"
	"strings"
)

// Unmounted reports whether a warning about a pod says that a volume is not attached, or not mounted.
func Unmounted(event string) bool {
	reason, _, _ := strings.Cut(event, ":")
	return slices.Contains([]string{"FailedAttachVolume", "FailedMount", "FailedMapVolume"}, reason)
}
