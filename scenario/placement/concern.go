package placement

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/statefulsim/statefulsim/model"
)

// Concern reports whether the pods of one set may decide which nodes the pods of another one fit on, other than by
// the resources that they take: by an affinity between pods, a topology spread constraint, or a port of the node.
// It looks at selectors and namespaces alone, so it may return true although topologies keep them apart.
func Concern(a, b *model.StatefulSet) bool {
	if a.Spec.Template.Constraints == nil && b.Spec.Template.Constraints == nil {
		return false
	}
	one, other := typical(a), typical(b)
	of, with := constraintsOf(one), constraintsOf(other)
	return of.selectPod(one, other) || with.selectPod(other, one) ||
		slices.ContainsFunc(of.ports, func(p corev1.ContainerPort) bool {
			return slices.ContainsFunc(with.ports, func(q corev1.ContainerPort) bool { return p.HostPort == q.HostPort })
		})
}

// typical returns what all pods of a set have in common.
func typical(set *model.StatefulSet) *model.Pod {
	template := set.Spec.Template
	return &model.Pod{Meta: model.Meta{Namespace: set.Namespace, Labels: template.Labels}, Template: template}
}

// selectPod reports whether a term of a pod about other pods is about another one.
func (c *Constraints) selectPod(of, other *model.Pod) bool {
	selects := func(t term) bool {
		return t.looksAt(other.Namespace, of.Namespace) && t.selector.Matches(labels.Set(other.Labels))
	}
	return slices.ContainsFunc(c.near, selects) || slices.ContainsFunc(c.apart, selects) ||
		of.Namespace == other.Namespace && slices.ContainsFunc(c.spread, func(s constraint) bool {
			return s.selector.Matches(labels.Set(other.Labels))
		})
}
