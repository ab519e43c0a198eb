package writer

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/builtin"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// admitPod handles a written pod as a real API server does before its other checks.
func (g *Writer) admitPod(w *Write, pod *corev1.Pod) error {
	if w.old == nil {
		if err := g.Cluster.Prioritize(pod); err != nil {
			return apierrors.NewForbidden(refuse.Resource(w.q.Kind), w.Key.Name, err)
		}
		return nil
	}
	if priority := int32(w.old.Fields.Number("spec", "priority")); pod.Spec.Priority == nil &&
		w.old.Fields.Text("spec", "priority") != "" {
		pod.Spec.Priority = &priority
	}
	if policy := corev1.PreemptionPolicy(w.old.Fields.Text("spec", "preemptionPolicy")); pod.Spec.PreemptionPolicy == nil &&
		policy != "" {
		pod.Spec.PreemptionPolicy = &policy
	}
	return nil
}

// mutable names what of the spec of a pod may be changed, as a real API server does.
const mutable = "pod updates may not change fields other than `spec.containers[*].image`," +

	"`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing " +
	"tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// unchangedPod refuses a change of a pod's spec that no pod takes.
func unchangedPod(w *Write, pod *corev1.Pod) error {
	typed, err := project.Typed(kinds.Pod, w.old.Fields)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	stored := corev1.PodTemplateSpec{Spec: typed.(*corev1.Pod).Spec}
	manifest.DefaultTemplate(&stored) // That of a dump need not have them.
	was, is := &stored.Spec, pod.Spec.DeepCopy()
	if was.EnableServiceLinks == nil {
		links := corev1.DefaultEnableServiceLinks
		was.EnableServiceLinks = &links
	}
	is.ActiveDeadlineSeconds, is.Tolerations, is.SchedulingGates = was.ActiveDeadlineSeconds, was.Tolerations, was.SchedulingGates
	for _, pair := range [][2][]corev1.Container{{is.Containers, was.Containers}, {is.InitContainers, was.InitContainers}} {
		for i := range pair[0] {
			if i < len(pair[1]) {
				pair[0][i].Image = pair[1][i].Image
			}
		}
	}
	path := field.NewPath("spec")
	switch {
	case len(is.Containers) != len(was.Containers):
		return refuse.Invalid(w.q.Kind, w.Key.Name, field.ErrorList{field.Forbidden(path.Child("containers"),
			"pod updates may not add or remove containers")})
	case !equality.Semantic.DeepEqual(is, was):
		return refuse.Invalid(w.q.Kind, w.Key.Name, field.ErrorList{field.Forbidden(path,
			mutable+"\n"+builtin.Difference(was, is))})
	}
	return nil
}

// changedEphemeral fills in and checks the ephemeral containers that a pod is given.
func changedEphemeral(w *Write, pod *corev1.Pod) error {
	typed, err := project.Typed(kinds.Pod, w.old.Fields)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	builtin.DefaultEphemeral(&pod.Spec)
	if errs := builtin.ValidateEphemeral(&pod.Spec, typed.(*corev1.Pod).Spec.EphemeralContainers); len(errs) > 0 {
		return refuse.Invalid(w.q.Kind, w.Key.Name, errs)
	}
	return nil
}

// admitGrowth refuses that a claim grows whose class does not allow it. A class that is not there allows everything.
func (g *Writer) admitGrowth(w *Write, claim *corev1.PersistentVolumeClaim) error {
	was, err := resource.ParseQuantity(w.old.Fields.Text("spec", "resources", "requests", "storage"))
	name := claim.Spec.StorageClassName
	if size := claim.Spec.Resources.Requests[corev1.ResourceStorage]; err != nil || size.Cmp(was) <= 0 || name == nil {
		return nil
	}
	class := g.Cluster.Objects.Get(kinds.StorageClass, model.Key{Name: *name})
	if class == nil || class.Fields.Is("allowVolumeExpansion") {
		return nil
	}
	return apierrors.NewForbidden(refuse.Resource(w.q.Kind), w.Key.Name, errors.New("only dynamically provisioned pvc can be "+
		"resized and the storageclass that provisions the pvc must support resize"))
}
