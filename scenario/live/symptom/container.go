package symptom

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// notMade are the reasons of containers that the kubelet, or the runtime, cannot make or start as the spec asks for it:
// those that wait, and those that the runtime says have ended.
var notMade = []string{"CreateContainerConfigError", "CreateContainerError", "PreCreateHookError", "PreStartHookError",
	"RunContainerError", "StartError", "ContainerCannotRun"}

// NotMade reports whether a container does not run for this reason because it cannot be made or started. Its earlier
// runs do not show that it starts again.
func NotMade(reason string) bool { return slices.Contains(notMade, reason) }

// NeverMade reports whether the reason and the message of a container that cannot be made show that no later try makes
// it either. As with NeverPulled, it is a list of what is certain.
func NeverMade(reason, message string) bool {
	return NotMade(reason) && !Unreached(message) && !Reserved(message) && unmakable().MatchString(message)
}

var unmakable = lazy.Regexp(`(?i)executable file not found|no command specified|exec format error|no such file or ` +
	`directory|not a directory|is a directory|permission denied|runAsNonRoot|non-numeric user|breaks non-root policy|` +
	`unable to find (user|group)|(secret|configmap) "[^"]*" not found|couldn't find key|references non-existent`)

// Reserved reports whether the message about a container says that the runtime still keeps its name for an earlier
// attempt to make it, which may end by itself.
func Reserved(message string) bool {
	return strings.Contains(message, "name") && strings.Contains(message, "is reserved for")
}

// OOMKilled is the reason of a container that has used more memory than its limit: no other image helps it.
const OOMKilled = "OOMKilled"
