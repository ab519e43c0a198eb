// Package symptom has the words by which a cluster tells what is wrong with a pod, and what they mean: each is here
// once, and packages dump, judge and heal ask.
package symptom

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// imageReasons are the reasons that the kubelet gives for a container that waits because its image is missing
// (pkg/kubelet/images/types.go, and the errors of CRI).
var imageReasons = []string{"ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull",
	"RegistryUnavailable", "ImageInspectError", "SignatureValidationFailed"}

// NoImage reports whether a container waits for this reason because its image is missing. It has not been made, so it
// does not run between two crashes either, whatever its earlier runs were.
func NoImage(reason string) bool { return slices.Contains(imageReasons, reason) }

// Pulls reports whether the kubelet has tried to get an image for a container that waits for this reason, and tries
// again: it never asks for an image whose name is wrong, or that it must not pull.
func Pulls(reason string) bool {
	return NoImage(reason) && reason != "InvalidImageName" && reason != "ErrImageNeverPull"
}

// NeverPulled reports whether the reason and the message of a container that waits for its image show that no later try
// gets it either. It is a list of what is certain: a message that is not in it may be about something that passes.
func NeverPulled(reason, message string) bool {
	if !NoImage(reason) || Unreached(message) || RateLimited(message) || Throttled(message) || Diskless(message) {
		return false
	}
	return !Pulls(reason) || Unauthorized(message) || absent().MatchString(message)
}

var absent = lazy.Regexp(`(?i)(manifest|name|blob) unknown|unknown blob|not found|does not exist|` +
	`no match for platform|no matching manifest|access denied|denied: |invalid reference format`)

// RefusedByRegistry reports whether the message about an image says that the registry has been asked, and has refused
// it.
func RefusedByRegistry(message string) bool { return refusedByRegistry().MatchString(message) }

var refusedByRegistry = lazy.Regexp(`(?i)unauthorized|authoriz|authentication|denied|forbidden|not found|` +
	`(manifest|name|blob) unknown|unknown blob`)

// RateLimited reports whether the message about an image says that the registry limits how often images are pulled: the
// kubelet succeeds later.
func RateLimited(message string) bool { return rateLimit().MatchString(message) }

var rateLimit = lazy.Regexp(`(?i)429 too many requests|toomanyrequests|pull rate limit`)

// Throttled reports whether the message about an image says that the kubelet itself limits how often it pulls
// (registryPullQPS): it succeeds later.
func Throttled(message string) bool { return strings.Contains(message, "pull QPS exceeded") }

// Unreached reports whether the message about an image or a container says that the registry, the API server or the
// runtime was not reached, or did not answer: the kubelet may succeed when it tries again.
func Unreached(message string) bool { return unreached().MatchString(message) }

var unreached = lazy.Regexp(`(?i)i/o timeout|connection refused|connection reset|handshake timeout|no such host|` +
	`server misbehaving|deadline exceeded|failed to sync|unexpected EOF|registry is unavailable|` +
	`50[0234] (internal|bad|service|gateway)`)

// OtherPlatform reports whether the message about an image says that it has no variant for the operating system or the
// architecture of the node: other nodes may run it.
func OtherPlatform(message string) bool {
	return strings.Contains(message, "no match for platform") || strings.Contains(message, "no matching manifest for ")
}

// Diskless reports whether the message about an image says that the disk of the node has no room for it.
func Diskless(message string) bool { return strings.Contains(message, "no space left on device") }

// Unauthorized reports whether the message about an image says that the registry refuses the credentials. Where it may
// as well be that there is no such image, it does not.
func Unauthorized(message string) bool {
	return unauthorized().MatchString(message) &&
		(strings.Contains(message, "no basic auth") || !strings.Contains(message, "does not exist"))
}

var unauthorized = lazy.Regexp(`(?i)unauthorized|failed to authorize|authentication required|no basic auth|` +
	`403 forbidden|permission[^:]* denied`)
