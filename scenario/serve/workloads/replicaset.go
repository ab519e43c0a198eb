package workloads

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// replicaSet keeps as many pods as a ReplicaSet wants.
func (s *syncing) replicaSet(o *objects.Object) {
	set, is := typed[*appsv1.ReplicaSet](o)
	if !is || set.Spec.Replicas == nil {
		return
	}
	list := actives(s.podsOf(o))
	if !going(o) {
		s.replicas(o, set, list)
	}
	was := set.Status
	set.Status = appsv1.ReplicaSetStatus{Replicas: int32(len(list)), ObservedGeneration: set.Generation,
		Conditions: was.Conditions}
	selector := labels.SelectorFromSet(set.Spec.Template.Labels)
	for i := range list {
		p := &list[i]
		set.Status.FullyLabeledReplicas += one(selector.Matches(p.Labels()))
		set.Status.ReadyReplicas += one(p.ready)
		set.Status.AvailableReplicas += one(s.available(p, set.Spec.MinReadySeconds))
	}
	s.status(o, set)
}

// replicas creates the pods that are missing, or deletes those that are too many.
func (s *syncing) replicas(o *objects.Object, set *appsv1.ReplicaSet, list []pod) {
	for range int(*set.Spec.Replicas) - len(list) {
		s.create(kinds.Pod, o, podOf(&set.Spec.Template, set.Name+"-"))
	}
	slices.SortFunc(list, spare)
	for _, p := range list[:max(0, len(list)-int(*set.Spec.Replicas))] {
		s.remove(kinds.Pod, p.Key)
	}
}

// one returns 1 for true.
func one(is bool) int32 {
	if is {
		return 1
	}
	return 0
}
