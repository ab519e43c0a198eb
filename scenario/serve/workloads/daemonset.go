package workloads

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// daemonSet keeps a pod on each node that the nodeSelector of a DaemonSet chooses. It ignores affinity and the
// taints of nodes.
func (s *syncing) daemonSet(o *objects.Object) {
	set, is := typed[*appsv1.DaemonSet](o)
	if !is || going(o) {
		return
	}
	hash := hashed(&set.Spec.Template)
	on := map[string][]pod{}
	for _, p := range s.podsOf(o) {
		if !p.leaving {
			on[p.node] = append(on[p.node], p)
		}
	}
	status := appsv1.DaemonSetStatus{ObservedGeneration: set.Generation, CollisionCount: set.Status.CollisionCount,
		Conditions: set.Status.Conditions}
	selector := labels.SelectorFromSet(set.Spec.Template.Spec.NodeSelector)
	var stale []pod
	for _, node := range s.read.List(kinds.Node, "") {
		list := on[node.Key.Name]
		if going(node) || !selector.Matches(node.Labels()) {
			for _, p := range list {
				status.NumberMisscheduled++
				s.remove(kinds.Pod, p.Key)
			}
			continue
		}
		status.DesiredNumberScheduled++
		if p := s.daemon(o, set, hash, node.Key, list); p != nil {
			s.countDaemon(p, set, hash, &status)
			if p.Labels()[appsv1.DefaultDaemonSetUniqueLabelKey] != hash {
				stale = append(stale, *p)
			}
		}
	}
	status.NumberUnavailable = status.DesiredNumberScheduled - status.NumberAvailable
	s.replaceDaemons(set, stale, &status)
	set.Status = status
	s.status(o, set)
}

// daemon returns the pod of a DaemonSet on a node; if there is none it returns nil and creates one. A finished pod
// is deleted, to be replaced later.
func (s *syncing) daemon(o *objects.Object, set *appsv1.DaemonSet, hash string, node model.Key, list []pod) *pod {
	for i := range list {
		if list[i].over() {
			s.remove(kinds.Pod, list[i].Key)
			return nil
		}
	}
	if len(list) > 0 {
		return &list[0]
	}
	p := podOf(&set.Spec.Template, set.Name+"-")
	p.Labels = with(p.Labels, appsv1.DefaultDaemonSetUniqueLabelKey, hash)
	p.Spec.NodeName = node.Name
	for _, taint := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{Key: taint,
			Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute})
	}
	s.create(kinds.Pod, o, p)
	return nil
}

func (s *syncing) countDaemon(p *pod, set *appsv1.DaemonSet, hash string, status *appsv1.DaemonSetStatus) {
	status.CurrentNumberScheduled++
	status.NumberReady += one(p.ready)
	status.NumberAvailable += one(s.available(p, set.Spec.MinReadySeconds))
	status.UpdatedNumberScheduled += one(p.Labels()[appsv1.DefaultDaemonSetUniqueLabelKey] == hash)
}

// replaceDaemons deletes pods of another template: those that are not available, and of the others as many as may be
// unavailable.
func (s *syncing) replaceDaemons(set *appsv1.DaemonSet, stale []pod, status *appsv1.DaemonSetStatus) {
	rolling := set.Spec.UpdateStrategy.RollingUpdate
	if set.Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType || rolling == nil {
		return
	}
	one := intstr.FromInt32(1)
	most, err := intstr.GetScaledValueFromIntOrPercent(cmp.Or(rolling.MaxUnavailable, &one),
		int(status.DesiredNumberScheduled), true)
	if err != nil {
		most = 1
	}
	free := max(most, 1) - int(status.NumberUnavailable)
	slices.SortStableFunc(stale, spare)
	for i := range stale {
		if !s.available(&stale[i], set.Spec.MinReadySeconds) {
			s.remove(kinds.Pod, stale[i].Key)
		} else if free > 0 {
			free--
			s.remove(kinds.Pod, stale[i].Key)
		}
	}
}
