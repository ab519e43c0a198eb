package manifest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
)

// resizable are the resources that a container can be given while it runs.
var resizable = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}

// Resized returns the template of a single pod whose container gets other resources while it runs (the subresource
// resize, KEP-1287), and whether its resizePolicy restarts the container for that. problems are the API server's
// objections. Resources that are not named stay. The set keeps its template, so a new pod does not have the new
// resources.
func Resized(live *model.Template, container string, wanted *corev1.ResourceRequirements) (
	next *model.Template, restarts bool, problems []string) {
	template := new(corev1.PodTemplateSpec)
	mustDecode(live.Data, template)
	c := containerOf(&template.Spec, container)
	if c == nil {
		return nil, false, []string{field.Forbidden(field.NewPath("spec"), "only cpu and memory resources are mutable").Error()}
	}
	before, was := qosOf(&template.Spec), *c.Resources.DeepCopy()
	c.Resources.Requests = mergedAmounts(c.Resources.Requests, wanted.Requests)
	c.Resources.Limits = mergedAmounts(c.Resources.Limits, wanted.Limits)
	next = modelTemplate(template)
	next.ID = live.ID
	problems = slices.Clone(next.Wrong)
	if qosOf(&template.Spec) != before {
		const changes = "Pod QOS Class may not change as a result of resizing"
		problems = append(problems, field.Invalid(field.NewPath("spec"), before, changes).Error())
	}
	return next, restartsFor(c, &was), problems
}

// containerOf returns a container of a pod that may be resized; "" is the only one of its main containers.
func containerOf(spec *corev1.PodSpec, name string) *corev1.Container {
	if name == "" && len(spec.Containers) == 1 {
		return &spec.Containers[0]
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// mergedAmounts returns amounts with others in their place.
func mergedAmounts(amounts, others corev1.ResourceList) corev1.ResourceList {
	merged := amounts.DeepCopy()
	for _, name := range resizable {
		amount, given := others[name]
		switch {
		case !given:
			continue
		case merged == nil:
			merged = corev1.ResourceList{}
		}
		merged[name] = amount
	}
	return merged
}

// restartsFor reports whether a container has to restart because of the changes in its resources.
func restartsFor(c *corev1.Container, was *corev1.ResourceRequirements) bool {
	return slices.ContainsFunc(c.ResizePolicy, func(policy corev1.ContainerResizePolicy) bool {
		request, limit := c.Resources.Requests[policy.ResourceName], c.Resources.Limits[policy.ResourceName]
		return policy.RestartPolicy == corev1.RestartContainer &&
			(request.Cmp(was.Requests[policy.ResourceName]) != 0 || limit.Cmp(was.Limits[policy.ResourceName]) != 0)
	})
}

// qosOf returns the QoS class of a pod (ComputePodQOS of Kubernetes), by its containers.
func qosOf(spec *corev1.PodSpec) corev1.PodQOSClass {
	all := slices.Concat(spec.InitContainers, spec.Containers)
	guaranteed, none := true, true
	for i := range all {
		for _, name := range resizable {
			limit, request := all[i].Resources.Limits[name], all[i].Resources.Requests[name]
			if _, given := all[i].Resources.Requests[name]; !given {
				request = limit
			}
			none = none && limit.IsZero() && request.IsZero()
			guaranteed = guaranteed && !limit.IsZero() && limit.Cmp(request) == 0
		}
	}
	switch {
	case none:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}
