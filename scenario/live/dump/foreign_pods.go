package dump

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Foreign are pods that are named like those of a StatefulSet and belong to something else, such as the StrimziPodSet
// of an operator.
type Foreign struct {
	// Namespace and Owner are where they belong to.
	Namespace string
	Owner     *Owner
	// Pods counts them, Ready those that are Ready; Restarts counts those of all their containers.
	Pods, Ready, Restarts int
}

// String says in a sentence how they are.
func (f *Foreign) String() string {
	text := fmt.Sprintf("%s: %s %s to the %s, which is no StatefulSet: sim does not know its controller. "+
		"%d of %d %s Ready",
		f.Namespace, render.Count(f.Pods, "pod"), render.Agree(f.Pods, "belongs", "belong"), f.Owner, f.Ready, f.Pods,
		render.Agree(f.Ready, "is", "are"))
	if f.Restarts > 0 {
		text += fmt.Sprintf(", and their containers were restarted %s", render.Count(f.Restarts, "time"))
	}
	return text + "."
}

// usual are the kinds of owners whose pods are never named by an ordinal of their own, or are no service.
var usual = []string{"ReplicaSet", "DaemonSet", "Job", "ReplicationController", "Node"}

// foreignOf returns the pods with ordinals in their names that belong to no StatefulSet, by namespace and owner.
func foreignOf(pods []*corev1.Pod) []*Foreign {
	var list []*Foreign
	for _, pod := range pods {
		owner := metav1.GetControllerOfNoCopy(&pod.ObjectMeta)
		if _, ordinal := model.SplitPodName(pod.Name); owner == nil || ordinal < 0 || isSet(owner) ||
			slices.Contains(usual, owner.Kind) {
			continue
		}
		of := NewOwner(owner.APIVersion, owner.Kind, owner.Name)
		at := slices.IndexFunc(list, func(f *Foreign) bool { return f.Namespace == pod.Namespace && *f.Owner == *of })
		if at < 0 {
			at, list = len(list), append(list, &Foreign{Namespace: pod.Namespace, Owner: of})
		}
		list[at].Pods++
		if ready := condition(pod, corev1.PodReady); ready != nil && ready.Status == corev1.ConditionTrue {
			list[at].Ready++
		}
		for i := range pod.Status.ContainerStatuses {
			list[at].Restarts += int(pod.Status.ContainerStatuses[i].RestartCount)
		}
	}
	slices.SortStableFunc(list, func(a, b *Foreign) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Owner.String(), b.Owner.String()))
	})
	return list
}
