package dump

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// Brought is an object that a change brings: one that is new, or that is not as it was.
type Brought struct {
	Kind, Namespace, Name string
	// Keys are those of the data of a ConfigMap or a Secret. Spec is what counts of the spec of any other object.
	Keys []string
	Spec BroughtSpec
}

// BroughtSpec has the fields of specs that count, by the kinds that have them: what a ResourceQuota allows, what a
// LimitRange demands, whether a Service shows pods that are not Ready, and what a PersistentVolume gives to which
// claim.
type BroughtSpec struct {
	Hard                     corev1.ResourceList
	Limits                   []corev1.LimitRangeItem
	PublishNotReadyAddresses bool
	StorageClassName         string
	Capacity                 corev1.ResourceList
	AccessModes              []corev1.PersistentVolumeAccessMode
	ClaimRef                 *corev1.ObjectReference
}

// Cure is an object that a change brings, and how it helps the pods of a set, as a clause: "which its pods wait for".
type Cure struct {
	Brought
	How string
}

// holds says whether a PersistentVolume is large enough for a claim, can be used as it asks, and is kept for no other.
func (b *BroughtSpec) holds(claim *model.Claim) bool {
	asks, ref := claimSpec(claim), b.ClaimRef
	size := b.Capacity[corev1.ResourceStorage]
	return b.StorageClassName == ClassOf(claim) && size.Cmp(asks.Resources.Requests[corev1.ResourceStorage]) >= 0 &&
		!slices.ContainsFunc(asks.AccessModes, func(mode corev1.PersistentVolumeAccessMode) bool {
			return !slices.Contains(b.AccessModes, mode)
		}) && (ref == nil || ref.Namespace == claim.Namespace && ref.Name == claim.Name)
}

// allows says whether an object that is there now ends the refusal of a message about a pod that cannot be created.
// Messages name what is missing, or the numbers that are exceeded.
func (b *Brought) allows(says string) bool {
	switch b.Kind {
	case kindQuota:
		return b.leavesRoom(says)
	case kindLimits:
		return b.admits(says)
	case "ServiceAccount":
		return strings.Contains(says, `serviceaccount "`+b.Name+`" not found`) ||
			strings.Contains(says, "service account "+b.Namespace+"/"+b.Name+":")
	case "PriorityClass":
		return strings.Contains(says, "PriorityClass with name "+b.Name+" ")
	}
	return tells(says, b)
}

// exceeds finds the amounts in the message of a quota that is used up.
var exceeds = lazy.Regexp(`exceeded quota: ([^,]+), requested: (\S+), used: (\S+), limited: (\S+)`)

// leavesRoom says whether a quota lets the pod of a message be created: what is used then fits into what it allows now.
func (b *Brought) leavesRoom(says string) bool {
	pods, _ := b.room(says, 1)
	return pods > 0
}

// room returns for how many pods like that of a message a quota has room now, at most so many, and the message about
// the next one. A resource that it does not limit any more counts as allowed.
func (b *Brought) room(says string, most int) (pods int, next string) {
	found := exceeds().FindStringSubmatch(says)
	if found == nil || found[1] != b.Name {
		return 0, says
	}
	requested, used := amounts(found[2]), amounts(found[3])
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
			return pods, strings.Replace(says, found[0], fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s",
				b.Name, found[2], strings.Join(uses, ","), strings.Join(limits, ",")), 1)
		}
	}
	return pods, ""
}

// Refuses says whether an event says that a ResourceQuota, or a LimitRange of the namespace, refuses pods.
func (d *Dump) Refuses(kind string, of model.Key) bool {
	for _, set := range slices.SortedFunc(maps.Keys(d.FailedCreates), model.Key.Compare) {
		says := d.FailedCreates[set]
		if set.Namespace == of.Namespace && (kind == kindQuota && strings.Contains(says, "exceeded quota: "+of.Name+",") ||
			kind == kindLimits && bounded().MatchString(says)) {
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

// bounded finds the amounts in the message of a LimitRange that refuses a pod.
var bounded = lazy.Regexp(`(maximum|minimum) (\S+) usage per (\w+) is [^,]+, but (?:limit|request) is ([^\s,"\]]+)`)

// admits says whether a LimitRange admits the pod of a message of an earlier one.
func (b *Brought) admits(says string) bool {
	all := bounded().FindAllStringSubmatch(says, -1)
	for _, found := range all {
		amount, err := resource.ParseQuantity(strings.TrimRight(found[4], "."))
		if err != nil || slices.ContainsFunc(b.Spec.Limits, func(item corev1.LimitRangeItem) bool {
			most, bound := item.Max[corev1.ResourceName(found[2])]
			least, bounds := item.Min[corev1.ResourceName(found[2])]
			return string(item.Type) == found[3] && (bound && amount.Cmp(most) > 0 || bounds && amount.Cmp(least) < 0)
		}) {
			return false
		}
	}
	return len(all) > 0
}

// named says whether a template names an object without which its pods are refused.
func (b *Brought) named(template *model.Template) bool {
	name, parts := "", partsOf(template)
	switch b.Kind {
	case "ServiceAccount":
		name = parts.ServiceAccountName
	case "PriorityClass":
		name = parts.PriorityClassName
	case "RuntimeClass":
		name = parts.RuntimeClassName
	}
	return name != "" && b.Name == name
}

// tells says whether a message says that an object is missing.
func tells(says string, b *Brought) bool {
	return strings.Contains(strings.ToLower(says), strings.ToLower(b.Kind)) && strings.Contains(says, `"`+b.Name+`"`)
}
