// Package podspec validates the spec of a pod like the API server, with its words and in its order. Upstream's
// validation is not a library, so it is written here, and sim/conformance compares it with the real code.
//
// The words come from Kubernetes 1.37, and no rule is stricter than there. Rare fields are left out: uncommon
// volume sources, Windows, dynamic resources, sysctls. Leaving a rule out means that a mistake is not found.
// ValidateBefore has the words of earlier versions, if they differ.
//
// Each method checks one part and appends to the errors; a path is the place of that part in the API's notation. If
// upstream names the path of a list instead of its entry, so does this package, because people compare the
// messages.
package podspec

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate returns what is wrong with the spec of a pod whose defaults have been filled in: pointers that have a
// default must not be nil. path is the place of the spec. The order of the errors is upstream's. The spec is not
// changed.
func Validate(spec *corev1.PodSpec, path *field.Path) field.ErrorList {
	return (&validator{spec: spec}).validate(path)
}

// ValidateBefore returns the same as the versions before 1.37 say it.
func ValidateBefore(spec *corev1.PodSpec, path *field.Path) field.ErrorList {
	return (&validator{spec: spec, before: true}).validate(path)
}

// ValidateLenient returns the same as the versions before 1.36 say it, which accept IP addresses with leading zeros.
func ValidateLenient(spec *corev1.PodSpec, path *field.Path) field.ErrorList {
	return (&validator{spec: spec, before: true, lenient: true}).validate(path)
}

func (v *validator) validate(path *field.Path) field.ErrorList {
	spec := v.spec
	v.volumes(path.Child("volumes"))
	v.containers(path.Child("containers"))
	v.initContainers(path.Child("initContainers"))
	v.podResources(path.Child("resources"))
	v.hostNetwork(path.Child("containers"))
	oneOf(v, path.Child("restartPolicy"), spec.RestartPolicy, corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure,
		corev1.RestartPolicyNever)
	oneOf(v, path.Child("dnsPolicy"), spec.DNSPolicy, corev1.DNSClusterFirstWithHostNet, corev1.DNSClusterFirst,
		corev1.DNSDefault, corev1.DNSNone)
	v.add(metavalidation.ValidateLabels(spec.NodeSelector, path.Child("nodeSelector"))...)
	v.podSecurity(path.Child("securityContext"))
	if !v.before {
		v.share(path)
	}
	v.affinity(path.Child("affinity"))
	v.dnsConfig(path.Child("dnsConfig"))
	v.readinessGates(path.Child("readinessGates"))
	v.schedulingGates(path.Child("schedulingGates"))
	v.topologySpread(path.Child("topologySpreadConstraints"))
	v.names(path)
	v.tolerations(path.Child("tolerations"))
	v.hostAliases(path.Child("hostAliases"))
	if name := spec.PriorityClassName; name != "" {
		v.invalid(path.Child("priorityClassName"), name, apivalidation.NameIsDNSSubdomain(name, false))
	}
	if name := spec.RuntimeClassName; name != nil {
		v.invalid(path.Child("runtimeClassName"), *name, apivalidation.NameIsDNSSubdomain(*name, false))
	}
	v.rest(path)
	return v.errs
}

// validator collects what is wrong with one spec.
type validator struct {
	spec *corev1.PodSpec
	// before is true for the versions before 1.37.
	before bool
	// lenient is true for the versions before 1.36.
	lenient bool
	errs    field.ErrorList
	// sources are the volumes in which nothing is wrong, by their names. volumes fills it, so it must come before the
	// containers, whose mounts are looked up in it.
	sources map[string]*corev1.VolumeSource
}

// add adds mistakes, in the order in which they are reported.
func (v *validator) add(errs ...*field.Error) { v.errs = append(v.errs, errs...) }

// invalid notes each reason why a value is wrong.
func (v *validator) invalid(path *field.Path, value any, reasons []string) {
	for _, reason := range reasons {
		v.add(field.Invalid(path, value, reason))
	}
}

// must notes a value that violates a condition.
func (v *validator) must(holds bool, path *field.Path, value any, reason string) {
	if !holds {
		v.add(field.Invalid(path, value, reason))
	}
}

// required notes a text that is missing, and reports whether it is there.
func (v *validator) required(path *field.Path, text string) bool {
	if text == "" {
		v.add(field.Required(path, ""))
	}
	return text != ""
}

// notNegative notes a number below 0.
func (v *validator) notNegative(path *field.Path, value int64) {
	v.add(apivalidation.ValidateNonnegativeField(value, path)...)
}

// oneOf notes a word that is none of those that the API knows; the refusal lists them as they are given here. A
// missing word is one that is required.
func oneOf[T ~string](v *validator, path *field.Path, word T, known ...T) {
	if word == "" {
		v.add(field.Required(path, ""))
		return
	}
	for _, k := range known {
		if word == k {
			return
		}
	}
	v.add(field.NotSupported(path, word, known))
}

// names checks what names other objects, and the pod itself. The hostname and the subdomain are the controller's.
func (v *validator) names(path *field.Path) {
	spec := v.spec
	if name := spec.ServiceAccountName; name != "" {
		v.invalid(path.Child("serviceAccountName"), name, apivalidation.ValidateServiceAccountName(name, false))
	}
	if name := spec.NodeName; name != "" {
		v.invalid(path.Child("nodeName"), name, apivalidation.NameIsDNSSubdomain(name, false))
	}
	if seconds := spec.ActiveDeadlineSeconds; seconds != nil && (*seconds < 1 || *seconds > math.MaxInt32) {
		v.add(field.Invalid(path.Child("activeDeadlineSeconds"), *seconds, validation.InclusiveRangeError(1, math.MaxInt32)))
	}
}

// rest checks what upstream checks last. Containers for debugging are for pods that run, and not for a template.
func (v *validator) rest(path *field.Path) {
	spec := v.spec
	if policy := spec.PreemptionPolicy; policy != nil {
		oneOf(v, path.Child("preemptionPolicy"), *policy, corev1.PreemptLowerPriority, corev1.PreemptNever)
	}
	v.resources(&corev1.ResourceRequirements{Limits: spec.Overhead}, path.Child("overhead"))
	if os := spec.OS; os != nil && os.Name == "" {
		v.add(field.Required(path.Child("os", "name"), ""))
	} else if os != nil {
		oneOf(v, path.Child("os"), os.Name, corev1.Linux, corev1.Windows)
	}
	if len(spec.EphemeralContainers) > 0 {
		v.add(field.Forbidden(path.Child("ephemeralContainers"), "ephemeral containers not allowed in pod template"))
	}
}

// hostNetwork checks that a pod in the node's network asks for the ports that its containers listen on.
func (v *validator) hostNetwork(path *field.Path) {
	if !v.spec.HostNetwork {
		return
	}
	for i := range v.spec.Containers {
		for j, port := range v.spec.Containers[i].Ports {
			at := path.Index(i).Child("ports").Index(j).Child("hostPort")
			v.must(port.HostPort == 0 || port.HostPort == port.ContainerPort, at, port.HostPort,
				"must match `containerPort` when `hostNetwork` is true")
		}
	}
}

// readinessGates checks the names of the conditions.
func (v *validator) readinessGates(path *field.Path) {
	for i, gate := range v.spec.ReadinessGates {
		v.invalid(path.Index(i).Child("conditionType"), string(gate.ConditionType),
			validation.IsQualifiedName(string(gate.ConditionType)))
	}
}

// schedulingGates checks the names of the gates, which must be unique.
func (v *validator) schedulingGates(path *field.Path) {
	names := sets.New[string]()
	for i, gate := range v.spec.SchedulingGates {
		v.invalid(path.Index(i), gate.Name, validation.IsQualifiedName(gate.Name))
		if names.Has(gate.Name) {
			v.add(field.Duplicate(path.Index(i), gate.Name))
		}
		names.Insert(gate.Name)
	}
}

// strictIPs reports whether addresses with leading zeros are refused, as they are from 1.36 on.
func (v *validator) strictIPs() bool { return !v.lenient }

// hostAliases checks the entries of /etc/hosts.
func (v *validator) hostAliases(path *field.Path) {
	for i, alias := range v.spec.HostAliases {
		v.add(validation.IsValidIPForLegacyField(path.Index(i).Child("ip"), alias.IP, v.strictIPs(), nil)...)
		for j, name := range alias.Hostnames {
			v.invalid(path.Index(i).Child("hostnames").Index(j), name, validation.IsDNS1123Subdomain(name))
		}
	}
}

// dnsConfig checks the pod's resolver: with the policy None it must have a nameserver, and it has at most three.
func (v *validator) dnsConfig(path *field.Path) {
	config := v.spec.DNSConfig
	if v.spec.DNSPolicy == corev1.DNSNone {
		if config == nil {
			v.add(field.Required(path, fmt.Sprintf("must provide `dnsConfig` when `dnsPolicy` is %s", corev1.DNSNone)))
			return
		}
		if len(config.Nameservers) == 0 {
			v.add(field.Required(path.Child("nameservers"),
				fmt.Sprintf("must provide at least one DNS nameserver when `dnsPolicy` is %s", corev1.DNSNone)))
			return
		}
	}
	if config == nil {
		return
	}
	const most = 3
	v.must(len(config.Nameservers) <= most, path.Child("nameservers"), config.Nameservers,
		fmt.Sprintf("must not have more than %v nameservers", most))
	for i, server := range config.Nameservers {
		v.add(validation.IsValidIPForLegacyField(path.Child("nameservers").Index(i), server, v.strictIPs(), nil)...)
	}
	for i, option := range config.Options {
		if option.Name == "" {
			v.add(field.Required(path.Child("options").Index(i), "must not be empty"))
		}
	}
}
