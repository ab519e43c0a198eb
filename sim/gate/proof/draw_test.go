package proof

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// draw makes a set with its pods, as a timeline has it. Numbers are small, so that they are often equal.
func draw(r *rand.Rand) *timeline.Set {
	number := func(most int) int32 { return int32(r.IntN(most + 1)) }
	spec := &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web", Generation: int64(1 + r.IntN(3))}}
	if r.IntN(8) == 0 {
		spec.Deletion = &model.Deletion{}
		spec.Finalizers = []string{[]string{"foregroundDeletion", "orphan", "argocd.argoproj.io/hook-finalizer"}[r.IntN(3)]}
	}
	spec.Spec.Replicas = number(3)
	spec.Spec.Strategy.Type = []model.StrategyType{model.RollingUpdateStrategy, model.RollingUpdateStrategy,
		model.RollingUpdateStrategy, model.OnDeleteStrategy, model.RecreateStrategy}[r.IntN(5)]
	if spec.Spec.Strategy.Type == model.RollingUpdateStrategy && r.IntN(3) > 0 {
		spec.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: number(4)}
	}
	set := &timeline.Set{Key: spec.Key(), Spec: spec}
	set.Status = model.Status{
		ObservedGeneration: spec.Generation + int64(r.IntN(3)-1), Replicas: number(4), Ready: number(4), Available: number(4),
		Current: number(4), Updated: number(4), CurrentRevision: "web-1", UpdateRevision: fmt.Sprintf("web-%d", 1+r.IntN(2)),
	}
	if r.IntN(2) == 0 {
		n := spec.Spec.Replicas
		set.Status.Replicas, set.Status.Ready, set.Status.Current, set.Status.Updated = n, n, n, n
	}
	if r.IntN(8) == 0 {
		kind := []string{"Ready", "Reconciling", "Stalled"}[r.IntN(3)]
		set.Status.Conditions = []model.Condition{{Type: kind, Reason: "Drawn", Message: "It is " + kind, True: r.IntN(3) > 0}}
	}
	for i := range r.IntN(4) {
		set.Pods.Put(drawPod(r, i))
	}
	return set
}

// drawPod makes a pod.
func drawPod(r *rand.Rand, ordinal int) *timeline.Pod {
	p := &timeline.Pod{Name: fmt.Sprintf("web-%d", ordinal), Ordinal: ordinal, UID: model.UID(ordinal + 1),
		Phase: []model.Phase{model.NoPhase, model.Pending, model.Running, model.Running, model.Failed, model.Succeeded}[r.IntN(6)]}
	p.Terminating = r.IntN(4) == 0
	switch p.Phase {
	case model.Running:
		if p.Ready = r.IntN(2) == 0; !p.Ready && r.IntN(2) == 0 {
			p.Shown = "CrashLoopBackOff"
		}
	case model.Pending:
		if r.IntN(3) == 0 {
			p.Warning = timeline.ReasonFailedScheduling + ": 0/3 nodes are available"
			break
		}
		p.Shown = []string{"", "ImagePullBackOff", "ErrImagePull"}[r.IntN(3)]
	}
	return p
}

// object is the set as the API server has it.
func object(s *timeline.Set) *appsv1.StatefulSet {
	spec := &s.Spec.Spec
	o := &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{Namespace: s.Key.Namespace, Name: s.Key.Name, Generation: s.Spec.Generation},
	}
	if s.Spec.Terminating() {
		o.DeletionTimestamp = &metav1.Time{Time: metav1.Now().Time}
		o.Finalizers = s.Spec.Finalizers
	}
	o.Spec.Replicas = &spec.Replicas
	o.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	o.Spec.UpdateStrategy.Type = appsv1.StatefulSetUpdateStrategyType(spec.Strategy.Type.String())
	if block := spec.Strategy.RollingUpdate; block != nil {
		o.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: &block.Partition}
	}
	o.Status = appsv1.StatefulSetStatus{
		ObservedGeneration: s.Status.ObservedGeneration, Replicas: s.Status.Replicas, ReadyReplicas: s.Status.Ready,
		AvailableReplicas: s.Status.Available, CurrentReplicas: s.Status.Current, UpdatedReplicas: s.Status.Updated,
		CurrentRevision: s.Status.CurrentRevision, UpdateRevision: s.Status.UpdateRevision,
	}
	for _, c := range s.Status.Conditions {
		status := corev1.ConditionFalse
		if c.True {
			status = corev1.ConditionTrue
		}
		o.Status.Conditions = append(o.Status.Conditions, appsv1.StatefulSetCondition{
			Type: appsv1.StatefulSetConditionType(c.Type), Status: status, Reason: c.Reason, Message: c.Message,
		})
	}
	return o
}

// podObject is a pod as the API server has it. What a timeline does not know differs by the ordinal: whether a kubelet has
// reported a container, and how long ago a pod was created that does not fit on a node.
func podObject(p *timeline.Pod) *corev1.Pod {
	o := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: p.Name, Labels: map[string]string{"app": "web"}},
		Status:     corev1.PodStatus{Phase: corev1.PodPhase(p.Phase.String())},
	}
	if p.Terminating {
		o.DeletionTimestamp = &metav1.Time{Time: metav1.Now().Time}
	}
	ready := corev1.ConditionFalse
	if p.Ready {
		ready = corev1.ConditionTrue
	}
	o.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
	if strings.HasPrefix(p.Warning, timeline.ReasonFailedScheduling) && p.Phase == model.Pending {
		o.CreationTimestamp = metav1.NewTime(time.Now().Add(-time.Duration(p.Ordinal) * time.Minute))
		o.Status.Conditions = append(o.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		})
	}
	container := corev1.ContainerStatus{Name: "app"}
	switch {
	case p.Shown != "":
		container.State.Waiting = &corev1.ContainerStateWaiting{Reason: p.Shown}
	case p.Ordinal == 1:
		container.State.Waiting = &corev1.ContainerStateWaiting{}
	case p.Ordinal == 2:
		return o
	}
	o.Status.ContainerStatuses = []corev1.ContainerStatus{container}
	return o
}

// untyped is an object as readers of any kind take it.
func untyped(o runtime.Object) *unstructured.Unstructured {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		panic(err)
	}
	return &unstructured.Unstructured{Object: fields}
}
