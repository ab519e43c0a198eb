package builtin

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The ports of nodes that Services get.
const (
	FirstNodePort = 30_000
	LastNodePort  = 32_767
)

func contains[T comparable](list []T, one T) bool { return slices.Contains(list, one) }

// DefaultService fills in the type, the ports and the session affinity that a client left out of a Service.
func DefaultService(spec *corev1.ServiceSpec) {
	empty(&spec.Type, corev1.ServiceTypeClusterIP)
	for i := range spec.Ports {
		empty(&spec.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	if seconds := corev1.DefaultClientIPServiceAffinitySeconds; spec.SessionAffinity == corev1.ServiceAffinityClientIP &&
		spec.SessionAffinityConfig == nil {
		spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &seconds}}
	}
}

// ValidateService returns what a real API server refuses in a Service, apart from its names and the numbers of its
// ports. address is its present address, "" if it is new.
func ValidateService(spec *corev1.ServiceSpec, address string) (errs field.ErrorList) {
	outside := spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer
	addresses := specPath.Child("clusterIPs")
	switch given := spec.ClusterIP; {
	case spec.Type == corev1.ServiceTypeExternalName:
		if spec.ExternalName == "" {
			errs = append(errs, field.Required(specPath.Child("externalName"), ""))
		}
	case given == corev1.ClusterIPNone && outside:
		errs = append(errs, field.Invalid(addresses.Index(0), given,
			fmt.Sprintf("may not be set to 'None' for %s services", spec.Type)))
	case given != "" && given != corev1.ClusterIPNone && len(validation.IsValidIP(addresses, given)) > 0:
		errs = append(errs, validation.IsValidIP(addresses.Index(0), given)...)
	case given != "" && address != "" && given != address:
		errs = append(errs, field.Invalid(addresses.Index(0), []string{given}, "may not change once set"))
	}
	errs = append(errs, portErrors(spec, outside)...)
	if policy := spec.ExternalTrafficPolicy; policy != "" && !outside && len(spec.ExternalIPs) == 0 {
		errs = append(errs, field.Invalid(specPath.Child("externalTrafficPolicy"), policy,
			"may only be set for externally-accessible services"))
	}
	if policy := spec.InternalTrafficPolicy; policy != nil && *policy != corev1.ServiceInternalTrafficPolicyCluster &&
		*policy != corev1.ServiceInternalTrafficPolicyLocal {
		errs = append(errs, field.NotSupported(specPath.Child("internalTrafficPolicy"), *policy,
			[]corev1.ServiceInternalTrafficPolicy{corev1.ServiceInternalTrafficPolicyCluster,
				corev1.ServiceInternalTrafficPolicyLocal}))
	}
	if spec.AllocateLoadBalancerNodePorts != nil && spec.Type != corev1.ServiceTypeLoadBalancer {
		errs = append(errs, field.Forbidden(specPath.Child("allocateLoadBalancerNodePorts"),
			"may only be used when `type` is 'LoadBalancer'"))
	}
	return errs
}

// portErrors returns what is wrong with the node ports, and with duplicate ports.
func portErrors(spec *corev1.ServiceSpec, outside bool) (errs field.ErrorList) {
	type place struct {
		protocol corev1.Protocol
		port     int32
	}
	seen := map[place]bool{}
	for i := range spec.Ports {
		port, path := spec.Ports[i], specPath.Child("ports").Index(i)
		switch node := port.NodePort; {
		case node == 0:
		case !outside:
			errs = append(errs, field.Forbidden(path.Child("nodePort"), "may not be used when `type` is '"+string(spec.Type)+"'"))
		case node < FirstNodePort || node > LastNodePort:
			errs = append(errs, field.Invalid(path.Child("nodePort"), node, fmt.Sprintf("provided port is not in the valid range. "+
				"The range of valid ports is %d-%d", FirstNodePort, LastNodePort)))
		}
		at := place{port.Protocol, port.Port}
		if seen[at] {
			same := corev1.ServicePort{Protocol: port.Protocol, Port: port.Port}
			errs = append(errs, field.Duplicate(path, asInGo(same)))
		}
		seen[at] = true
	}
	return errs
}
