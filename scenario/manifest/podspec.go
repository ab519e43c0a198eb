package manifest

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateTemplate checks the parts of a pod template without which there are no pods. Old versions let a set with a
// template that makes no valid pod pass, and then refuse each of its pods.
func validateTemplate(spec *appsv1.StatefulSetSpec, path *field.Path) field.ErrorList {
	template, pod := &spec.Template, path.Child("spec")
	errs := metavalidation.ValidateLabels(template.Labels, path.Child("labels"))
	errs = append(errs, apivalidation.ValidateAnnotations(template.Annotations, path.Child("annotations"))...)
	errs = append(errs, validateContainers(spec, pod)...)
	if template.Spec.RestartPolicy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(pod.Child("restartPolicy"), template.Spec.RestartPolicy,
			[]corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if template.Spec.ActiveDeadlineSeconds != nil {
		errs = append(errs, field.Forbidden(pod.Child("activeDeadlineSeconds"),
			"activeDeadlineSeconds in StatefulSet is not Supported"))
	}
	return errs
}

func validateContainers(spec *appsv1.StatefulSetSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	c := containers{names: sets.New[string](), volumes: volumeNames(spec)}
	pod := &spec.Template.Spec
	if len(pod.Containers) == 0 {
		errs = append(errs, field.Required(path.Child("containers"), ""))
	}
	for i := range pod.Containers {
		errs = append(errs, c.validate(&pod.Containers[i], path.Child("containers").Index(i))...)
	}
	for i := range pod.InitContainers {
		errs = append(errs, c.validate(&pod.InitContainers[i], path.Child("initContainers").Index(i))...)
	}
	return errs
}

func volumeNames(spec *appsv1.StatefulSetSpec) sets.Set[string] {
	names := sets.New[string]()
	for i := range spec.Template.Spec.Volumes {
		names.Insert(spec.Template.Spec.Volumes[i].Name)
	}
	for i := range spec.VolumeClaimTemplates {
		names.Insert(spec.VolumeClaimTemplates[i].Name)
	}
	return names
}

// containers are the names of the containers so far, and of the volumes.
type containers struct{ names, volumes sets.Set[string] }

func (all *containers) validate(c *corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch {
	case c.Name == "":
		errs = append(errs, field.Required(path.Child("name"), ""))
	case all.names.Has(c.Name):
		errs = append(errs, field.Duplicate(path.Child("name"), c.Name))
	default:
		errs = append(errs, invalidBecause(path.Child("name"), c.Name, validation.IsDNS1123Label(c.Name))...)
	}
	all.names.Insert(c.Name)
	if c.Image == "" {
		errs = append(errs, field.Required(path.Child("image"), ""))
	}
	for i, mount := range c.VolumeMounts {
		if !all.volumes.Has(mount.Name) {
			errs = append(errs, field.NotFound(path.Child("volumeMounts").Index(i).Child("name"), mount.Name))
		}
	}
	return errs
}
