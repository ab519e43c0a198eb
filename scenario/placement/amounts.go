package placement

import (
	"iter"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// amounts are quantities of resources in the units that the scheduler counts in: thousandths of a CPU, and units of
// anything else, rounded up. It does not change.
type amounts struct {
	// names are the resources with more than 0, in the scheduler's order; counts has the same ones.
	names  []corev1.ResourceName
	counts map[corev1.ResourceName]int64
}

// amountsOf counts a list. Its order does not depend on the order of the map.
func amountsOf(list corev1.ResourceList) amounts {
	a := amounts{counts: map[corev1.ResourceName]int64{}}
	for name := range sorted(list) {
		quantity := list[name]
		if count := count(name, &quantity); count > 0 {
			a.names = append(a.names, name)
			a.counts[name] = count
		}
	}
	slices.SortStableFunc(a.names, func(x, y corev1.ResourceName) int { return rank(x) - rank(y) })
	return a
}

// count returns a quantity in the scheduler's units.
func count(name corev1.ResourceName, quantity *resource.Quantity) int64 {
	if name == corev1.ResourceCPU {
		return quantity.MilliValue()
	}
	return quantity.Value()
}

// rank returns the place of a resource in the scheduler's messages; those after the first three are sorted by name.
func rank(name corev1.ResourceName) int {
	order := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
	if at := slices.Index(order, name); at >= 0 {
		return at
	}
	return len(order)
}

// none reports whether nothing is asked for.
func (a *amounts) none() bool { return len(a.names) == 0 }

// extended reports whether a resource is one that only some nodes have: a node has none of it unless it lists it.
func extended(name corev1.ResourceName) bool {
	return strings.Contains(string(name), "/") || strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// sorted iterates over the keys of a map in their order.
func sorted[K ~string, V any](m map[K]V) iter.Seq[K] {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}
