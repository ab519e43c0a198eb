package placement

import (
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/model"
	corev1 "github.com/statefulsim/statefulsim/scenario/kube/api/core/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/labels"
	"github.com/statefulsim/statefulsim/sim"
)

// Concern says whether pods of one template may decide on which nodes those of another one fit, other than by the
// resources that they take: by an affinity between pods, a topology spread constraint, or a port of the node. It looks
// at selectors alone, so it may say so where namespaces or topologies keep them apart.
func Concern(a, b *model.Template) bool {
	of, with := constraintsOf(&model.Pod{Template: a}), constraintsOf(&model.Pod{Template: b})
	return of.selectPods(b.Labels) || with.selectPods(a.Labels) ||
		slices.ContainsFunc(of.ports, func(p corev1.ContainerPort) bool {
			return slices.ContainsFunc(with.ports, func(q corev1.ContainerPort) bool { return p.HostPort == q.HostPort })
		})
}

// selectPods says whether a term about other pods is about those with these labels.
func (c *Constraints) selectPods(of map[string]string) bool {
	selects := func(t term) bool { return t.selector.Matches(labels.Set(of)) }
	return slices.ContainsFunc(c.near, selects) || slices.ContainsFunc(c.apart, selects) ||
		slices.ContainsFunc(c.spread, func(s constraint) bool { return s.selector.Matches(labels.Set(of)) })
}

// Without returns the nodes of a state with less room: without what some of its pods take, so that these may be left
// out. The nodes are shared where nothing changes. O(nodes + pods).
func Without(nodes []sim.NodeState, pods []*model.Pod) []sim.NodeState {
	on := map[string][]*model.Pod{}
	for _, pod := range pods {
		if pod.Node != "" && !pod.Finished() {
			on[pod.Node] = append(on[pod.Node], pod)
		}
	}
	less := slices.Clone(nodes)
	for i := range less {
		if n := &less[i].Node; len(n.Allocatable) > 0 && len(on[n.Name]) > 0 {
			n.Allocatable = left(nodeOf(n), on[n.Name])
		}
	}
	return less
}

// left returns what pods leave of the resources of a node.
func left(n *node, pods []*model.Pod) map[string]string {
	list := map[string]string{}
	for name := range sorted(n.limits) {
		has := n.allocatable.counts[name]
		for _, pod := range pods {
			has -= constraintsOf(pod).requests.counts[name]
		}
		if name == corev1.ResourcePods {
			has -= int64(len(pods))
		}
		list[string(name)] = strconv.FormatInt(max(0, has), 10)
		if name == corev1.ResourceCPU {
			list[string(name)] += "m"
		}
	}
	return list
}
