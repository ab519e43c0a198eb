package manifest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
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

// imageReference is an image's name: a registry and a path, then perhaps a tag and a digest. A tag may be longer than the
// 128 signs of the standard: such an image is not pulled always either, and to count them is slow.
var imageReference = lazy.Regexp(`^(?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::[0-9]+)?/)?` +
	`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*` +
	`(?::([A-Za-z0-9_][A-Za-z0-9_.-]*))?(@[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`)

// pullPolicy is Always for the tag latest, and for an image that names neither a tag nor a digest, which means latest.
func pullPolicy(image string) corev1.PullPolicy {
	parts := imageReference().FindStringSubmatch(image)
	if parts != nil && (parts[1] == "latest" || parts[1] == "" && parts[2] == "") {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

// defaultVolume fills in a volume of a pod template. One without a source is an emptyDir.
func defaultVolume(v *corev1.Volume) {
	if v.VolumeSource == (corev1.VolumeSource{}) {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	defaultFiles(&v.VolumeSource)
	if v.HostPath != nil {
		absent(&v.HostPath.Type, corev1.HostPathUnset)
	}
	if v.Image != nil {
		ifEmpty(&v.Image.PullPolicy, pullPolicy(v.Image.Reference))
	}
	if v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate != nil {
		defaultClaimSpec(&v.Ephemeral.VolumeClaimTemplate.Spec)
	}
	defaultNetworkDisk(&v.VolumeSource)
}

// defaultFiles is for volumes with files that the kubelet writes.
func defaultFiles(v *corev1.VolumeSource) {
	const mode = int32(0o644)
	if v.Secret != nil {
		absent(&v.Secret.DefaultMode, mode)
	}
	if v.ConfigMap != nil {
		absent(&v.ConfigMap.DefaultMode, mode)
	}
	if v.DownwardAPI != nil {
		absent(&v.DownwardAPI.DefaultMode, mode)
		defaultDownward(v.DownwardAPI.Items)
	}
	if v.Projected == nil {
		return
	}
	absent(&v.Projected.DefaultMode, mode)
	for _, source := range v.Projected.Sources {
		if source.DownwardAPI != nil {
			defaultDownward(source.DownwardAPI.Items)
		}
		if source.ServiceAccountToken != nil {
			absent(&source.ServiceAccountToken.ExpirationSeconds, 3600)
		}
	}
}

// defaultDownward fills in the files of a downward API volume.
func defaultDownward(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		defaultFieldRef(items[i].FieldRef)
	}
}

// defaultNetworkDisk is for the volume sources that have defaults of their own in the API.
func defaultNetworkDisk(v *corev1.VolumeSource) {
	if v.ISCSI != nil {
		ifEmpty(&v.ISCSI.ISCSIInterface, "default")
	}
	if v.RBD != nil {
		ifEmpty(&v.RBD.RBDPool, "rbd")
		ifEmpty(&v.RBD.RadosUser, "admin")
		ifEmpty(&v.RBD.Keyring, "/etc/ceph/keyring")
	}
	if v.AzureDisk != nil {
		absent(&v.AzureDisk.CachingMode, corev1.AzureDataDiskCachingReadWrite)
		absent(&v.AzureDisk.FSType, "ext4")
		absent(&v.AzureDisk.ReadOnly, false)
		absent(&v.AzureDisk.Kind, corev1.AzureSharedBlobDisk)
	}
	if v.ScaleIO != nil {
		ifEmpty(&v.ScaleIO.StorageMode, "ThinProvisioned")
		ifEmpty(&v.ScaleIO.FSType, "xfs")
	}
}

// modelLifecycle reads from a pod's spec, with its defaults filled in, what a kubelet needs to start its
// containers, to probe them and to stop them. The containers are in the order of the spec, which is also the order
// of running init containers.
func modelLifecycle(spec *corev1.PodSpec) *model.Lifecycle {
	l := &model.Lifecycle{}
	for i := range spec.InitContainers {
		l.Init = append(l.Init, modelContainer(&spec.InitContainers[i]))
	}
	for i := range spec.Containers {
		l.Containers = append(l.Containers, modelContainer(&spec.Containers[i]))
	}
	return l
}

// modelContainer reads one container. A sidecar is an init container with restartPolicy Always.
func modelContainer(c *corev1.Container) model.ContainerSpec {
	m := model.ContainerSpec{
		Name:      c.Name,
		Sidecar:   c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways,
		Restart:   modelRestart(c),
		Startup:   modelProbe(c.StartupProbe),
		Readiness: modelProbe(c.ReadinessProbe),
		Liveness:  modelProbe(c.LivenessProbe),
	}
	if c.Lifecycle != nil && c.Lifecycle.PreStop != nil {
		m.PreStop = modelPreStop(c.Lifecycle.PreStop)
	}
	return m
}

// modelRestart reads what happens to a container that has ended; nil if it is always restarted, like a container
// without a policy of its own: the pods of a set have restartPolicy Always.
func modelRestart(c *corev1.Container) *model.Restart {
	if c.RestartPolicy == nil || *c.RestartPolicy == corev1.ContainerRestartPolicyAlways && len(c.RestartPolicyRules) == 0 {
		return nil
	}
	r := &model.Restart{}
	switch *c.RestartPolicy {
	case corev1.ContainerRestartPolicyOnFailure:
		r.Policy = model.RestartOnFailure
	case corev1.ContainerRestartPolicyNever:
		r.Policy = model.RestartNever
	}
	for _, rule := range c.RestartPolicyRules {
		if rule.ExitCodes == nil {
			continue
		}
		read := model.RestartRule{
			Not: rule.ExitCodes.Operator == corev1.ContainerRestartRuleOnExitCodesOpNotIn,
			All: rule.Action == corev1.ContainerRestartRuleActionRestartAllContainers,
		}
		for _, code := range rule.ExitCodes.Values {
			read.Codes = append(read.Codes, int(code))
		}
		r.Rules = append(r.Rules, read)
	}
	return r
}

// modelProbe reads when a probe runs and how many results count; nil if there is none. The check itself is not
// simulated. The period is at least a second, as in the kubelet. A nil Grace means the pod's.
func modelProbe(p *corev1.Probe) *model.Probe {
	if p == nil {
		return nil
	}
	m := &model.Probe{
		InitialDelay: seconds(p.InitialDelaySeconds),
		Period:       max(seconds(p.PeriodSeconds), time.Second),
		Successes:    int(p.SuccessThreshold),
		Failures:     int(p.FailureThreshold),
	}
	if p.TerminationGracePeriodSeconds != nil {
		own := grace(*p.TerminationGracePeriodSeconds)
		m.Grace = &own
	}
	return m
}

// seconds returns a number of seconds, at least 0.
func seconds(n int32) time.Duration { return time.Duration(max(n, 0)) * time.Second }

// sleepCommand is a command that only sleeps, as many hooks do until endpoints are out of service.
var sleepCommand = lazy.Regexp(`^(?:(?:/bin/)?(?:ba|da)?sh -e?c )?(?:/bin/)?sleep ([0-9]{1,6})s?;?$`)

// modelPreStop reads the time that a hook takes. Known is true only for a sleep.
func modelPreStop(hook *corev1.LifecycleHandler) *model.PreStop {
	if hook.Sleep != nil {
		return &model.PreStop{Takes: model.Seconds(hook.Sleep.Seconds), Known: true}
	}
	if hook.Exec != nil {
		if m := sleepCommand().FindStringSubmatch(strings.Join(hook.Exec.Command, " ")); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			return &model.PreStop{Takes: time.Duration(n) * time.Second, Known: true}
		}
	}
	return &model.PreStop{}
}
