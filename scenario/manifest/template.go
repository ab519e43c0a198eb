package manifest

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// defaultPodTemplate fills in a pod template as the API server does, so that a live dump and the manifest that it came
// from are the same template. It changes the template. Requests are not filled in from limits here: the API server
// does that for pods, not for templates.
func defaultPodTemplate(template *corev1.PodTemplateSpec) {
	spec := &template.Spec
	ifEmpty(&spec.DNSPolicy, corev1.DNSClusterFirst)
	ifEmpty(&spec.RestartPolicy, corev1.RestartPolicyAlways)
	ifEmpty(&spec.SchedulerName, corev1.DefaultSchedulerName)
	absent(&spec.SecurityContext, corev1.PodSecurityContext{})
	absent(&spec.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	// serviceAccount is an old name of serviceAccountName, and the API server gives both.
	ifEmpty(&spec.ServiceAccountName, spec.DeprecatedServiceAccount)
	spec.DeprecatedServiceAccount = spec.ServiceAccountName
	roundResources(spec.Overhead)
	if spec.Resources != nil {
		roundResources(spec.Resources.Limits)
		roundResources(spec.Resources.Requests)
	}
	for i := range spec.Volumes {
		defaultVolume(&spec.Volumes[i])
	}
	for i := range spec.InitContainers {
		defaultContainer(&spec.InitContainers[i])
	}
	for i := range spec.Containers {
		defaultContainer(&spec.Containers[i])
	}
}

// ifEmpty sets a text that is not given.
func ifEmpty[T ~string](field *T, value T) {
	if *field == "" {
		*field = value
	}
}

// ifZero sets a number that is not given. A given 0 is one too, as in the API server.
func ifZero(field *int32, value int32) {
	if *field == 0 {
		*field = value
	}
}

// defaultContainer fills in a container or an init container.
func defaultContainer(c *corev1.Container) {
	ifEmpty(&c.ImagePullPolicy, pullPolicy(c.Image))
	ifEmpty(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	ifEmpty(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		ifEmpty(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil {
			defaultFieldRef(from.FieldRef)
			if from.FileKeyRef != nil {
				absent(&from.FileKeyRef.Optional, false)
			}
		}
	}
	roundResources(c.Resources.Limits)
	roundResources(c.Resources.Requests)
	for _, probe := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		defaultProbe(probe)
	}
	if c.Lifecycle != nil {
		for _, handler := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if handler != nil {
				defaultHTTPGet(handler.HTTPGet)
			}
		}
	}
}

// defaultProbe fills in a probe; nil stays nil.
func defaultProbe(probe *corev1.Probe) {
	if probe == nil {
		return
	}
	ifZero(&probe.TimeoutSeconds, 1)
	ifZero(&probe.PeriodSeconds, 10)
	ifZero(&probe.SuccessThreshold, 1)
	ifZero(&probe.FailureThreshold, 3)
	defaultHTTPGet(probe.HTTPGet)
	if probe.GRPC != nil {
		absent(&probe.GRPC.Service, "")
	}
}

// defaultHTTPGet fills in the request of a probe or a hook; nil stays nil.
func defaultHTTPGet(action *corev1.HTTPGetAction) {
	if action != nil {
		ifEmpty(&action.Path, "/")
		ifEmpty(&action.Scheme, corev1.URISchemeHTTP)
	}
}

// defaultFieldRef fills in a reference to a field of the pod; nil stays nil.
func defaultFieldRef(ref *corev1.ObjectFieldSelector) {
	if ref != nil {
		ifEmpty(&ref.APIVersion, "v1")
	}
}

// defaultClaimSpec fills in the spec of a claim or of a claim template.
func defaultClaimSpec(spec *corev1.PersistentVolumeClaimSpec) {
	absent(&spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	roundResources(spec.Resources.Limits)
	roundResources(spec.Resources.Requests)
}

// roundResources rounds amounts up to thousandths, which is as fine as the API server keeps them. It changes the list.
func roundResources(list corev1.ResourceList) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		amount := list[name]
		amount.RoundUp(resource.Milli)
		list[name] = amount
	}
}

// imageReference is an image's name: a registry and a path, then perhaps a tag and a digest.
var imageReference = lazy.Regexp(`^(?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::[0-9]+)?/)?` +
	`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*` +
	`(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`)

// pullPolicy is Always for the tag latest, and for an image that names neither a tag nor a digest, which means latest.
func pullPolicy(image string) corev1.PullPolicy {
	parts := imageReference().FindStringSubmatch(image)
	if parts != nil && (parts[1] == "latest" || parts[1] == "" && parts[2] == "") {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}
