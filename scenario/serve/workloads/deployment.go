package workloads

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// revisionAnnotation numbers the templates of a Deployment, on it and on its ReplicaSets.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// owning is a ReplicaSet of a Deployment.
type owning struct {
	*objects.Object
	*appsv1.ReplicaSet
}

func (r *owning) wants() int32 { return *r.Spec.Replicas }

// revision returns the number of a ReplicaSet, 0 if it has none.
func (r *owning) revision() int {
	n, err := strconv.Atoi(r.Annotations[revisionAnnotation])
	if err != nil {
		return 0
	}
	return n
}

// rollout is a Deployment with its ReplicaSets: the one of its template, nil if it is missing, and the others.
type rollout struct {
	o       *objects.Object
	d       *appsv1.Deployment
	current *owning
	old     []*owning
}

// all returns the ReplicaSets.
func (r *rollout) all() []*owning {
	if r.current == nil {
		return r.old
	}
	return append(slices.Clip(r.old), r.current)
}

func (r *rollout) sum(of func(*owning) int32) (n int32) {
	for _, set := range r.all() {
		n += of(set)
	}
	return n
}

// deployment rolls the template of a Deployment out.
func (s *syncing) deployment(o *objects.Object) {
	d, is := typed[*appsv1.Deployment](o)
	if !is || d.Spec.Replicas == nil || going(o) {
		return
	}
	r := &rollout{o: o, d: d}
	for _, set := range s.owned(kinds.ReplicaSet, o) {
		of, is := typed[*appsv1.ReplicaSet](set)
		switch {
		case !is || of.Spec.Replicas == nil || going(set):
		case r.current == nil && sameTemplate(&of.Spec.Template, &d.Spec.Template):
			r.current = &owning{set, of}
		default:
			r.old = append(r.old, &owning{set, of})
		}
	}
	n := len(s.plan.Writes)
	switch {
	case d.Spec.Paused:
		s.scaleActive(r)
	case r.current == nil:
		s.newSet(r)
	case s.number(r):
	case d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType:
		s.recreate(r)
	default:
		s.roll(r)
	}
	if len(s.plan.Writes) == n && !d.Spec.Paused {
		s.forget(r)
	}
	s.deploymentStatus(r)
}

// sameTemplate reports whether two templates are the same but for the label that tells ReplicaSets apart.
func sameTemplate(a, b *corev1.PodTemplateSpec) bool {
	plain := func(t *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
		t = t.DeepCopy()
		delete(t.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
		if len(t.Labels) == 0 {
			t.Labels = nil
		}
		return t
	}
	return reflect.DeepEqual(plain(a), plain(b))
}

// newSet creates the ReplicaSet of a Deployment's template.
func (s *syncing) newSet(r *rollout) {
	d, hash := r.d, hashed(&r.d.Spec.Template)
	template := *d.Spec.Template.DeepCopy()
	template.Labels = with(template.Labels, appsv1.DefaultDeploymentUniqueLabelKey, hash)
	selector := d.Spec.Selector.DeepCopy()
	selector.MatchLabels = with(selector.MatchLabels, appsv1.DefaultDeploymentUniqueLabelKey, hash)
	annotations := maps.Clone(d.Annotations)
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	replicas := int32(0)
	if d.Spec.Strategy.Type != appsv1.RecreateDeploymentStrategyType || len(r.old) == 0 {
		replicas = r.room()
	}
	s.create(kinds.ReplicaSet, r.o, &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: d.Name + "-" + hash, Labels: template.Labels,
			Annotations: with(annotations, revisionAnnotation, strconv.Itoa(r.last()+1))},
		Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, MinReadySeconds: d.Spec.MinReadySeconds, Selector: selector,
			Template: template},
	})
}

// last returns the highest revision of the old ReplicaSets.
func (r *rollout) last() (n int) {
	for _, set := range r.old {
		n = max(n, set.revision())
	}
	return n
}

// number gives the ReplicaSet of the template, which may have been there before, and the Deployment the newest revision. It
// reports whether it had to.
func (s *syncing) number(r *rollout) bool {
	revision := r.current.revision()
	if last := r.last(); revision <= last {
		revision = last + 1
		r.current.Annotations = with(r.current.Annotations, revisionAnnotation, strconv.Itoa(revision))
		s.update(r.current.Object, r.current.ReplicaSet)
		return true
	}
	if r.d.Annotations[revisionAnnotation] != strconv.Itoa(revision) {
		r.d.Annotations = with(r.d.Annotations, revisionAnnotation, strconv.Itoa(revision))
		s.update(r.o, r.d)
		return true
	}
	return false
}

// limits returns how many pods there may be above the replicas, and how many of these may be unavailable.
func (r *rollout) limits() (surge, unavailable int32) {
	replicas := int(*r.d.Spec.Replicas)
	if u := r.d.Spec.Strategy.RollingUpdate; u != nil {
		above, err := intstr.GetScaledValueFromIntOrPercent(cmp.Or(u.MaxSurge, new(intstr.IntOrString)), replicas, true)
		below, wrong := intstr.GetScaledValueFromIntOrPercent(cmp.Or(u.MaxUnavailable, new(intstr.IntOrString)), replicas, false)
		if err == nil && wrong == nil {
			surge, unavailable = int32(above), int32(below)
		}
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, min(unavailable, int32(replicas))
}

// room returns how many replicas the ReplicaSet of the template may have now.
func (r *rollout) room() int32 {
	has := int32(0)
	if r.current != nil {
		has = r.current.wants()
	}
	replicas := *r.d.Spec.Replicas
	surge, _ := r.limits()
	if r.d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		surge = 0
	}
	free := replicas + surge - r.sum((*owning).wants)
	return min(replicas, max(has, has+free))
}

// scale gives a ReplicaSet other replicas.
func (s *syncing) scale(set *owning, replicas int32) {
	if set.wants() == replicas {
		return
	}
	set.Spec.Replicas = &replicas
	s.update(set.Object, set.ReplicaSet)
}

// scaleActive scales the only active ReplicaSet, or else the ReplicaSet of the template, to the replicas of a
// paused Deployment.
func (s *syncing) scaleActive(r *rollout) {
	var active []*owning
	for _, set := range r.all() {
		if set.wants() > 0 {
			active = append(active, set)
		}
	}
	switch {
	case len(active) == 1:
		s.scale(active[0], *r.d.Spec.Replicas)
	case len(active) == 0 && r.current != nil:
		s.scale(r.current, *r.d.Spec.Replicas)
	}
}

// recreate lets the old pods end, and then creates the new ones.
func (s *syncing) recreate(r *rollout) {
	ended := true
	for _, set := range r.old {
		s.scale(set, 0)
		ended = ended && !slices.ContainsFunc(s.podsOf(set.Object), func(p pod) bool { return !p.over() })
	}
	if ended {
		s.scale(r.current, *r.d.Spec.Replicas)
	}
}

// roll moves replicas from the old ReplicaSets to the ReplicaSet of the template, within the limits.
func (s *syncing) roll(r *rollout) {
	if room := r.room(); room != r.current.wants() {
		s.scale(r.current, room)
		return
	}
	_, unavailable := r.limits()
	least := *r.d.Spec.Replicas - unavailable
	lacking := r.current.wants() - r.current.Status.AvailableReplicas
	spare := r.sum((*owning).wants) - least - lacking
	for _, set := range r.old { // Pods that do not work are removed first.
		n := min(set.wants()-set.Status.AvailableReplicas, spare)
		if n > 0 {
			spare -= n
			s.scale(set, set.wants()-n)
			return
		}
	}
	spare = min(spare, r.sum(func(set *owning) int32 { return set.Status.AvailableReplicas })-least)
	for _, set := range r.old {
		n := min(set.wants(), spare)
		if n > 0 {
			s.scale(set, set.wants()-n)
			return
		}
	}
}

// forget deletes the old ReplicaSets without pods that are too many.
func (s *syncing) forget(r *rollout) {
	if r.d.Spec.RevisionHistoryLimit == nil {
		return
	}
	idle := slices.DeleteFunc(slices.Clone(r.old), func(set *owning) bool {
		return set.wants() != 0 || set.Status.Replicas != 0
	})
	slices.SortFunc(idle, func(a, b *owning) int { return cmp.Compare(a.revision(), b.revision()) })
	for _, set := range idle[:max(0, len(idle)-int(*r.d.Spec.RevisionHistoryLimit))] {
		s.remove(kinds.ReplicaSet, set.Key)
	}
}

// deploymentStatus shows how far a Deployment is.
func (s *syncing) deploymentStatus(r *rollout) {
	d, was := r.d, r.d.Status
	status := appsv1.DeploymentStatus{ObservedGeneration: d.Generation,
		Replicas:          r.sum(func(set *owning) int32 { return set.Status.Replicas }),
		ReadyReplicas:     r.sum(func(set *owning) int32 { return set.Status.ReadyReplicas }),
		AvailableReplicas: r.sum(func(set *owning) int32 { return set.Status.AvailableReplicas }),
		CollisionCount:    was.CollisionCount, Conditions: was.Conditions}
	if r.current != nil {
		status.UpdatedReplicas = r.current.Status.Replicas
	}
	status.UnavailableReplicas = max(0, r.sum((*owning).wants)-status.AvailableReplicas)
	_, unavailable := r.limits()
	available := appsv1.DeploymentCondition{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionFalse,
		Reason: "MinimumReplicasUnavailable", Message: "Deployment does not have minimum availability."}
	if status.AvailableReplicas >= *d.Spec.Replicas-unavailable {
		available.Status, available.Reason = corev1.ConditionTrue, "MinimumReplicasAvailable"
		available.Message = "Deployment has minimum availability."
	}
	status.Conditions = s.condition(status.Conditions, available)
	if r.current != nil && !d.Spec.Paused {
		status.Conditions = s.condition(status.Conditions, s.progress(r, &status))
	}
	d.Status = status
	s.status(r.o, d)
}

// progress is the Progressing condition of a Deployment.
func (s *syncing) progress(r *rollout, status *appsv1.DeploymentStatus) appsv1.DeploymentCondition {
	c := appsv1.DeploymentCondition{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue,
		Reason: "ReplicaSetUpdated", Message: fmt.Sprintf("ReplicaSet %q is progressing.", r.current.Key.Name)}
	replicas := *r.d.Spec.Replicas
	if status.UpdatedReplicas == replicas && status.Replicas == replicas && status.AvailableReplicas == replicas {
		c.Reason = "NewReplicaSetAvailable"
		c.Message = fmt.Sprintf("ReplicaSet %q has successfully progressed.", r.current.Key.Name)
		return c
	}
	was, moved := r.d.Status, s.now
	for _, before := range was.Conditions {
		if before.Type == c.Type && before.Reason != "NewReplicaSetAvailable" &&
			was.UpdatedReplicas == status.UpdatedReplicas && was.ReadyReplicas == status.ReadyReplicas &&
			was.AvailableReplicas == status.AvailableReplicas && was.Replicas == status.Replicas &&
			was.ObservedGeneration == status.ObservedGeneration {
			moved = before.LastUpdateTime.Time
		}
	}
	c.LastUpdateTime = metav1.NewTime(moved)
	if r.d.Spec.ProgressDeadlineSeconds == nil {
		return c
	}
	end := moved.Add(time.Duration(*r.d.Spec.ProgressDeadlineSeconds) * time.Second)
	if later(end, s.now) {
		s.plan.wake(end)
		return c
	}
	c.Status, c.Reason = corev1.ConditionFalse, "ProgressDeadlineExceeded"
	c.Message = fmt.Sprintf("ReplicaSet %q has timed out progressing.", r.current.Key.Name)
	return c
}

// condition returns conditions with one that may have been among them.
func (s *syncing) condition(list []appsv1.DeploymentCondition, c appsv1.DeploymentCondition) []appsv1.DeploymentCondition {
	c.LastTransitionTime = metav1.NewTime(s.now)
	at := slices.IndexFunc(list, func(was appsv1.DeploymentCondition) bool { return was.Type == c.Type })
	if at < 0 {
		if c.LastUpdateTime.IsZero() {
			c.LastUpdateTime = c.LastTransitionTime
		}
		return append(slices.Clip(list), c)
	}
	was := list[at]
	if was.Status == c.Status {
		c.LastTransitionTime = was.LastTransitionTime
	}
	switch {
	case !c.LastUpdateTime.IsZero():
	case was.Status == c.Status && was.Reason == c.Reason:
		c.LastUpdateTime = was.LastUpdateTime
	default:
		c.LastUpdateTime = metav1.NewTime(s.now)
	}
	next := slices.Clone(list)
	next[at] = c
	return next
}
