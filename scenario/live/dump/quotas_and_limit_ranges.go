package dump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

// QuotaRoom is how many more pods of a set a ResourceQuota admits, and what it has given of it: "pods: 3 of 3".
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

// room returns for how many pods like that of a message a quota has room now, at most so many, and the message about
// the next one. A resource that it does not limit any more counts as allowed.
func (b *Brought) room(says string, most int) (pods int, next string) {
	exceeded := symptom.QuotaExceeded(says)
	if exceeded == nil || exceeded.Quota != b.Name {
		return 0, says
	}
	requested, used := amounts(exceeded.Requested), amounts(exceeded.Used)
	for ; pods < most; pods++ {
		var uses, limits []string
		full := false
		for _, name := range slices.Sorted(maps.Keys(requested)) {
			hard, limited := b.Spec.Hard[corev1.ResourceName(name)]
			before, after := used[name], requested[name]
			after.Add(before)
			used[name], full = after, full || limited && after.Cmp(hard) > 0
			if limited {
				uses, limits = append(uses, name+"="+before.String()), append(limits, name+"="+hard.String())
			}
		}
		if full {
			return pods, exceeded.Again(says, strings.Join(uses, ","), strings.Join(limits, ","))
		}
	}
	return pods, ""
}

// Refuses says whether an event says that a ResourceQuota, or a LimitRange of the namespace, refuses pods.
func (d *Dump) Refuses(kind string, of model.Key) bool {
	for _, set := range slices.SortedFunc(maps.Keys(d.Sets), model.Key.Compare) {
		says := d.Sets[set].FailedCreate
		exceeded := symptom.QuotaExceeded(says)
		if set.Namespace == of.Namespace && (kind == kindQuota && exceeded != nil && exceeded.Quota == of.Name ||
			kind == kindLimits && len(symptom.Bounds(says)) > 0) {
			return true
		}
	}
	return false
}

// amounts reads "requests.cpu=2,pods=3". What is no amount is left out.
func amounts(text string) map[string]resource.Quantity {
	list := map[string]resource.Quantity{}
	for pair := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(pair, "=")
		if amount, err := resource.ParseQuantity(value); err == nil {
			list[name] = amount
		}
	}
	return list
}

// admits says whether a LimitRange admits the pod of a message of an earlier one.
func (b *Brought) admits(says string) bool {
	all := symptom.Bounds(says)
	for _, bound := range all {
		amount, err := resource.ParseQuantity(bound.Has)
		if err != nil || slices.ContainsFunc(b.Spec.Limits, func(item corev1.LimitRangeItem) bool {
			most, atMost := item.Max[corev1.ResourceName(bound.Resource)]
			least, atLeast := item.Min[corev1.ResourceName(bound.Resource)]
			return string(item.Type) == bound.Of && (atMost && amount.Cmp(most) > 0 || atLeast && amount.Cmp(least) < 0)
		}) {
			return false
		}
	}
	return len(all) > 0
}

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
	for i, bounds := range []corev1.ResourceList{item.Max, item.Min} {
		least, has := i == 1, []corev1.ResourceList{of.Limits, item.Default}
		if least {
			has = []corev1.ResourceList{of.Requests, of.Limits, item.DefaultRequest}
		}
		for _, name := range slices.Sorted(maps.Keys(bounds)) {
			bound, amount := bounds[name], amountOf(name, has...)
			if amount != nil && (!least && amount.Cmp(bound) > 0 || least && amount.Cmp(bound) < 0) {
				return symptom.Bound{Resource: string(name), Of: string(item.Type), Has: amount.String()}.Beyond(least, bound.String())
			}
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
