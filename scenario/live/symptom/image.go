package symptom

import (
	"strings"
)

// imageReasons are the reasons that the kubelet gives for a container that waits because its image is missing
// (pkg/kubelet/images/types.go, and pkg/kubelet/cri/remote/errors of the CRI).
var imageReasons = OneOf{"ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull",
	"RegistryUnavailable", "ImageInspectError", "SignatureValidationFailed"}

// ofManager finds the messages of the kubelet's image manager. Its reason may be any error: that of the disk on which
// it notes what it pulls (image_manager.go, since 1.33).
var ofManager = words(`^(Back-off pulling image|Failed to (inspect image|apply default image tag|record image ` +
	`pull intent)|image pull failed for |pull QPS exceeded|Container image .* is not present with pull policy)`)

// noSecret is the reason of the event about a Secret for images that does not exist.
const noSecret = "FailedToRetrieveImagePullSecret"

// PullSecret finds, in parentheses, the Secrets for images of which the warning about a pod says that they do not exist.
var PullSecret = words("(?s)^" + noSecret + `: .*?(\([^)]+\))`)

// Image returns what is wrong with the image that a container waits for, by its reason and message, the last warning
// about its pod, and the Secrets for images that do not exist; Nothing if it does not wait for one. Such a container
// has not been made, so it does not run between two crashes either, whatever its earlier runs were.
func Image(reason, message, event, secrets string) *Row {
	if !imageReasons.Has(reason) && (!strings.Contains(reason, " ") || !ofManager.In(message)) {
		return Nothing
	}
	text := message
	if strings.HasPrefix(event, "Failed: ") || strings.Contains(event, fullDisk) {
		text += "\n" + event
	}
	if secrets != "" {
		text += "\n" + noSecret
	}
	return images.row(reason, text)
}

const (
	byItself = "The kubelet tries again by itself, after at most 5m"
	fullDisk = "no space left on device"
	kubelet  = "kubelet 1.29 to 1.38, pkg/kubelet/images/image_manager.go"
	runtime  = "containerd, remotes/docker; CRI-O, containers/image; docker, distribution"
	codes    = "registries, distribution/registry/api/errcode"
)

// credentials and absent have words on both sides of each other.
var (
	credentials = Row{Name: "credentials", Source: runtime + "; " + codes, Certain: true, Within: firstPull, Refused: true,
		Sentence: "the registry {registry} refuses the credentials",
		Ends: "The registry refuses the credentials, or there are none. Correct the Secret that imagePullSecrets names, in " +
			"the pod or in its ServiceAccount. The kubelet then pulls by itself, after at most 5m.",
		Does:  "let the image of %s be pulled",
		Needs: "the edit gives the pods imagePullSecrets that are right, or an image that can be pulled" + OrFix}
	absent = Row{Name: "absent", Source: runtime + "; " + codes, Certain: true, Within: firstPull, Refused: true}
)

var images = Family{
	{Name: "full disk", Source: "runtimes, write(2)", Words: words(fullDisk), Within: patience, OfNode: true,
		Sentence: "the disk of node {node} has no room for images",
		Ends: "The disk of {node} has no room for the image: no pod starts there whose image it does not have yet. When " +
			"there is room (kubectl describe node {node} shows DiskPressure), the kubelet pulls by itself, after at most 5m."},
	{Name: "other platform", Source: "containerd, images/platforms; docker and CRI-O, manifest lists", Certain: true,
		Words: words(`no match for platform|no matching manifest for `), Within: firstPull, OfNode: true,
		Sentence: "image {image} has no variant for the platform of node {node}",
		Ends: "The image has no variant for the platform of {node} ({platform}). Pods of it have to stay away from such " +
			"nodes (a nodeSelector with kubernetes.io/arch and kubernetes.io/os in the template), or the image needs that " +
			"variant."},
	{Name: "certificate", Source: "Go, crypto/x509", Words: words("x509: "), Within: firstPull,
		Sentence: "node {node} does not trust the certificate of the registry {registry}",
		Ends: "The runtime of {node} does not trust the certificate of {registry}: another image there has the same trouble. " +
			"Give the runtimes of the nodes the CA that has signed it, or renew it. " + byItself + ".",
		Does: "let the image of %s be pulled", Needs: "the edit names an image of a registry whose certificate the nodes " +
			"trust" + OrFix + ". Or give the runtimes of the nodes the CA: then the kubelet pulls by itself"},
	{Name: "registry not reached", Source: "Go, net and net/http; " + kubelet, Words: unreached, Within: patience,
		Sentence: "the registry {registry} is not reached, or does not answer",
		Ends:     "The registry was not reached, or has not answered. " + byItself + ".",
		Heals:    "when the registry lets {pod} pull its image"},
	{Name: "rate limit", Source: codes, Words: words(`(?i)429 too many requests|toomanyrequests|pull rate limit`),
		Within: patience, Sentence: "the registry {registry} limits how often images are pulled",
		Ends: "The registry limits how often images are pulled. " + byItself + ", and succeeds when the limit allows it. " +
			"Credentials (imagePullSecrets) raise the limit.",
		Heals: "when the registry lets {pod} pull its image"},
	{Name: "registryPullQPS", Source: "kubelet 1.29 to 1.38, pkg/kubelet/images/helpers.go", Within: patience,
		Words:    words("pull QPS exceeded"),
		Sentence: "the kubelet of {node} limits how often it pulls images",
		Ends: "The kubelet of {node} limits how often it pulls (registryPullQPS). It tries again by itself, after at " +
			"most 5m.",
		Heals: "when the kubelet lets {pod} pull its image"},
	{Name: "no pull secret", Source: "kubelet 1.29 to 1.38, pkg/kubelet/kubelet.go", Words: words(noSecret),
		Certain: true, Within: firstPull,
		Sentence: "the Secret that imagePullSecrets names does not exist in the namespace {namespace} {secret}",
		Ends: "The Secret that imagePullSecrets names does not exist in the namespace {namespace} {secret}. When it does, " +
			"the kubelet pulls by itself, after at most 5m."},
	credentials.when("no basic auth"),
	absent.when("does not exist"),
	credentials.when(`(?i)unauthorized|failed to authorize|authentication required|403 forbidden|permission[^:]* denied`),
	absent.when(`(?i)(manifest|name|blob) unknown|unknown blob|not found|access denied|denied: `),
	{Name: "wrong name", Source: kubelet, Reasons: []string{"InvalidImageName"}, Certain: true,
		Words: words(`invalid reference format|Failed to apply default image tag`)},
	{Name: "imagePullPolicy Never", Source: kubelet, Reasons: []string{"ErrImageNeverPull"}, Certain: true,
		Words: words("is not present with pull policy of Never")},
	{Name: "refused", Source: codes, Words: words(`(?i)authoriz|authentication|denied|forbidden`), Within: patience,
		Refused: true},
	{Name: "any other", Source: kubelet, Words: words(""), Within: patience},
}
