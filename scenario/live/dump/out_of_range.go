package dump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
)

// outOfRange says with which words a LimitRange of the dump would refuse a pod, in those of the admission plug-in
// (plugin/pkg/admission/limitranger, v1.37.2); "" if none would. Only limits of containers are looked at: they are what
// people set. A pod that ran before the LimitRange came is refused when it is made again.
func (s *stays) outOfRange(pod *model.Pod) string {
	for _, limits := range s.ranges {
		if cmp.Or(limits.Namespace, "default") != pod.Namespace {
			continue
		}
		for i := range limits.Spec.Limits {
			item := &limits.Spec.Limits[i]
			if item.Type != corev1.LimitTypeContainer {
				continue
			}
			for _, c := range containersOf(pod.Template) {
				if says := beyond(item, &c.Resources); says != "" {
					return fmt.Sprintf("pods %q is forbidden: %s (most likely: the LimitRange %s has refused it)", pod.Name, says,
						limits.Name)
				}
			}
		}
	}
	return ""
}

// beyond says which bound of a LimitRange the resources of a container do not keep, after its defaults; "" for none.
func beyond(item *corev1.LimitRangeItem, of *corev1.ResourceRequirements) string {
	for _, name := range slices.Sorted(maps.Keys(item.Max)) {
		most, limit := item.Max[name], amountOf(name, of.Limits, item.Default)
		if limit != nil && limit.Cmp(most) > 0 {
			return fmt.Sprintf("maximum %s usage per %s is %s, but limit is %s", name, item.Type, most.String(), limit.String())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(item.Min)) {
		least, request := item.Min[name], amountOf(name, of.Requests, of.Limits, item.DefaultRequest)
		if request != nil && request.Cmp(least) < 0 {
			return fmt.Sprintf("minimum %s usage per %s is %s, but request is %s", name, item.Type, least.String(),
				request.String())
		}
	}
	return ""
}

// amountOf returns the amount of a resource in the first of some lists that has it; nil if none has.
func amountOf(name corev1.ResourceName, lists ...corev1.ResourceList) *resource.Quantity {
	for _, list := range lists {
		if amount, given := list[name]; given {
			return &amount
		}
	}
	return nil
}
