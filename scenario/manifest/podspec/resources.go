package podspec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// resources checks limits and requests, each sorted by name. Resources that cannot be overcommitted need a limit that
// is equal to the request.
func (v *validator) resources(r *corev1.ResourceRequirements, path *field.Path) {
	v.amounts(r, v.resourceName, path)
}

// amounts checks limits and requests, whose names are checked by named.
func (v *validator) amounts(r *corev1.ResourceRequirements, named func(corev1.ResourceName, *field.Path),
	path *field.Path) {
	for _, name := range slices.Sorted(maps.Keys(r.Limits)) {
		named(name, path.Child("limits").Key(string(name)))
		v.amount(name, r.Limits[name], path.Child("limits").Key(string(name)))
		v.pages(name, r.Limits[name], path.Child("limits").Key(string(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
		request := r.Requests[name]
		named(name, path.Child("requests").Key(string(name)))
		v.amount(name, request, path.Child("requests").Key(string(name)))
		limit, limited := r.Limits[name]
		switch {
		case !limited && !overcommit(name):
			v.add(field.Required(path.Child("limits"), "Limit must be set for non overcommitable resources"))
		case limited && request.Cmp(limit) != 0 && !overcommit(name):
			v.add(field.Invalid(path.Child("requests"), request.String(),
				fmt.Sprintf("must be equal to %s limit of %s", name, limit.String())))
		case limited && request.Cmp(limit) > 0:
			v.add(field.Invalid(path.Child("requests"), request.String(),
				fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit.String())))
		}
		v.pages(name, request, path.Child("requests").Key(string(name)))
	}
	v.hugeAlone(r, path)
}

// hugeAlone notes huge pages that are requested without CPU or memory.
func (v *validator) hugeAlone(r *corev1.ResourceRequirements, path *field.Path) {
	var pages, other bool
	for _, list := range []corev1.ResourceList{r.Limits, r.Requests} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			pages = pages || huge(name)
			other = other || name == corev1.ResourceCPU || name == corev1.ResourceMemory
		}
	}
	if pages && !other {
		v.add(field.Forbidden(path, "HugePages require cpu or memory"))
	}
}

// pages checks that huge pages are asked for as whole pages, of a size that the name of the resource tells.
func (v *validator) pages(name corev1.ResourceName, value resource.Quantity, path *field.Path) {
	if !huge(name) {
		return
	}
	size, err := resource.ParseQuantity(strings.TrimPrefix(string(name), corev1.ResourceHugePagesPrefix))
	whole := err == nil && size.Sign() > 0 && size.MilliValue()%1000 == 0 && value.Value()%size.Value() == 0
	v.must(whole, path, value.String(), fmt.Sprintf("%s is not positive integer multiple of %s", value.String(), name))
}

// podResources checks the resources of the pod as a whole, which are CPU, memory and huge pages alone. That they are
// enough for the containers is not checked.
func (v *validator) podResources(path *field.Path) {
	if v.spec.Resources == nil {
		return
	}
	if v.spec.Resources.Claims != nil {
		v.add(field.Forbidden(path.Child("claims"), "claims may not be set for Resources at pod-level"))
	}
	v.amounts(v.spec.Resources, func(name corev1.ResourceName, path *field.Path) {
		if !v.knownResource(name, path) {
			return
		}
		if name != corev1.ResourceCPU && name != corev1.ResourceMemory && !huge(name) {
			v.add(field.NotSupported(path, name,
				[]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceHugePagesPrefix, corev1.ResourceMemory}))
		}
	}, path)
}

// resizePolicy checks what becomes of a container whose resources are changed.
func (v *validator) resizePolicy(policies []corev1.ContainerResizePolicy, path *field.Path) {
	seen := sets.New[corev1.ResourceName]()
	for i, p := range policies {
		if seen.Has(p.ResourceName) {
			v.add(field.Duplicate(path.Index(i), p.ResourceName))
		}
		seen.Insert(p.ResourceName)
		oneOf(v, path, p.ResourceName, corev1.ResourceCPU, corev1.ResourceMemory)
		oneOf(v, path, p.RestartPolicy, corev1.NotRequired, corev1.RestartContainer)
		v.must(v.spec.RestartPolicy != corev1.RestartPolicyNever || p.RestartPolicy == corev1.NotRequired, path,
			p.RestartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")
	}
}

// amount checks one amount: it is not negative, and of an extended resource it is a whole number.
func (v *validator) amount(name corev1.ResourceName, value resource.Quantity, path *field.Path) {
	if value.Sign() < 0 {
		v.add(field.Invalid(path, value.String(), "must be greater than or equal to 0"))
	}
	if extended(name) {
		v.must(value.MilliValue()%1000 == 0, path, value, "must be an integer")
	}
}

var (
	// standard are the resources without a prefix, containerResources the ones among them that a container may ask
	// for.
	standard = []corev1.ResourceName{"cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory",
		"requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage", "pods", "resourcequotas",
		"services", "replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims", "storage",
		"requests.storage", "services.nodeports", "services.loadbalancers"}
	containerResources = []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"}
)

// resourceName checks the name of a resource that a container asks for. One without a prefix can have two errors: it
// is unknown, and no container may ask for it.
func (v *validator) resourceName(name corev1.ResourceName, path *field.Path) {
	v.knownResource(name, path)
	if strings.Contains(string(name), "/") {
		v.must(native(name) || extended(name), path, name, "doesn't follow extended resource name standard")
		return
	}
	v.must(slices.Contains(containerResources, name) || huge(name), path, name,
		"must be a standard resource for containers")
}

// knownResource checks that the name of a resource is valid, and known if it has no prefix; it reports whether it
// is.
func (v *validator) knownResource(name corev1.ResourceName, path *field.Path) bool {
	text := string(name)
	before := len(v.errs)
	v.invalid(path, name, validation.IsQualifiedName(text))
	if len(v.errs) == before && !strings.Contains(text, "/") {
		known := slices.Contains(standard, name) || huge(name) || strings.HasPrefix(text, "requests.hugepages-")
		v.must(known, path, name, "must be a standard resource type or fully qualified")
	}
	return len(v.errs) == before
}

// huge reports whether a resource is pages of a certain size.
func huge(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// native reports whether a resource is Kubernetes' own.
func native(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// extended reports whether a resource is an added one, like a GPU.
func extended(name corev1.ResourceName) bool {
	return !native(name) && !strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) &&
		len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+string(name))) == 0
}

// overcommit reports whether more of a resource may be promised than there is.
func overcommit(name corev1.ResourceName) bool { return native(name) && !huge(name) }
