package symptom

import "slices"

// notMade are the reasons of containers that the kubelet, or the runtime, cannot make or start as the spec asks for it:
// those that wait, and those that the runtime says have ended.
var notMade = []string{"CreateContainerConfigError", "CreateContainerError", "PreCreateHookError", "PreStartHookError",
	"RunContainerError", "StartError", "ContainerCannotRun"}

// NotMade reports whether a container does not run for this reason because it cannot be made or started. Its earlier
// runs do not show that it starts again.
func NotMade(reason string) bool { return slices.Contains(notMade, reason) }
