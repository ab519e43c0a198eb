package dump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
)

// QuotaRoom is how many more pods of a set a ResourceQuota admits, and what it has given of what it allows: "pods: 3 of
// 3".
type QuotaRoom struct {
	Quota, Given string
	Pods         int
}

// RoomInQuotas returns what the quotas of the namespace of a set leave for it, by their status. One that is for some
// pods only is left out.
func (d *Dump) RoomInQuotas(set *model.StatefulSet) (list []QuotaRoom) {
	for _, quota := range d.limits {
		spec := &quota.Spec
		if cmp.Or(quota.Namespace, "default") != set.Namespace || len(spec.Scopes) > 0 || spec.ScopeSelector != nil {
			continue
		}
		least := QuotaRoom{Quota: quota.Name, Pods: -1}
		for _, name := range slices.Sorted(maps.Keys(quota.Status.Hard)) {
			hard, used, asks := quota.Status.Hard[name], quota.Status.Used[name], shareOf(set.Spec.Template, string(name))
			if asks <= 0 {
				continue
			}
			pods := max(0, int((hard.AsApproximateFloat64()-used.AsApproximateFloat64())/asks))
			if least.Pods < 0 || pods < least.Pods {
				least.Pods, least.Given = pods, fmt.Sprintf("%s: %s of %s", name, used.String(), hard.String())
			}
		}
		if least.Pods >= 0 {
			list = append(list, least)
		}
	}
	return list
}

// shareOf returns how much of a resource of a quota a pod of a template asks for, 0 for none.
func shareOf(template *model.Template, name string) (sum float64) {
	if name == "pods" || name == "count/pods" {
		return 1
	}
	resourceName, limited := strings.CutPrefix(name, "limits.")
	for _, c := range containersOf(template) {
		list := []corev1.ResourceList{c.Resources.Requests, c.Resources.Limits}
		if limited {
			list = list[1:]
		}
		for _, amounts := range list {
			if amount, given := amounts[corev1.ResourceName(strings.TrimPrefix(resourceName, "requests."))]; given {
				sum += amount.AsApproximateFloat64()
				break
			}
		}
	}
	return sum
}
