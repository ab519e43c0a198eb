package podspec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "github.com/statefulsim/statefulsim/scenario/kube/api/core/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/api/resource"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/validation"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/validation/field"
)

// resources checks limits and requests, each sorted by name. Resources that cannot be overcommitted need a limit that
// is equal to the request.
func (v *validator) resources(r *corev1.ResourceRequirements, path *field.Path) {
	for _, name := range slices.Sorted(maps.Keys(r.Limits)) {
		v.resource(name, r.Limits[name], path.Child("limits").Key(string(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
		request := r.Requests[name]
		v.resource(name, request, path.Child("requests").Key(string(name)))
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
	}
}

// resource checks one amount: it is not negative, and of an extended resource it is a whole number.
func (v *validator) resource(name corev1.ResourceName, value resource.Quantity, path *field.Path) {
	v.resourceName(name, path)
	if value.Sign() < 0 {
		v.add(field.Invalid(path, value.String(), "must be greater than or equal to 0"))
	}
	if extended(name) {
		v.must(value.MilliValue()%1000 == 0, path, value, "must be an integer")
	}
}

var (
	// standard are the resources that have no prefix, containerResources those of them that a container may ask for.
	standard = []corev1.ResourceName{"cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory",
		"requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage", "pods", "resourcequotas",
		"services", "replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims", "storage",
		"requests.storage", "services.nodeports", "services.loadbalancers"}
	containerResources = []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"}
)

// resourceName checks the name of a resource that a container asks for. One without a prefix can have two errors: it
// is unknown, and no container may ask for it.
func (v *validator) resourceName(name corev1.ResourceName, path *field.Path) {
	text := string(name)
	before := len(v.errs)
	v.invalid(path, name, validation.IsQualifiedName(text))
	if strings.Contains(text, "/") {
		v.must(native(name) || extended(name), path, name, "doesn't follow extended resource name standard")
		return
	}
	if len(v.errs) == before {
		known := slices.Contains(standard, name) || huge(name) || strings.HasPrefix(text, "requests.hugepages-")
		v.must(known, path, name, "must be a standard resource type or fully qualified")
	}
	v.must(slices.Contains(containerResources, name) || huge(name), path, name,
		"must be a standard resource for containers")
}

// huge says whether a resource is pages of a certain size.
func huge(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// native says whether a resource is Kubernetes' own.
func native(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// extended says whether a resource is one that somebody has added, like a GPU.
func extended(name corev1.ResourceName) bool {
	return !native(name) && !strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) &&
		len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+string(name))) == 0
}

// overcommit says whether more of a resource may be promised than there is.
func overcommit(name corev1.ResourceName) bool { return native(name) && !huge(name) }
