package builtin

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// Resized returns a pod with the changes that the resize subresource allows: the resources of its containers, and
// the effects of changing them. Everything else that was sent is ignored.
func Resized(old, sent kinds.Fields) kinds.Fields {
	next := kinds.Fields(runtime.DeepCopyJSON(old))
	for _, list := range []string{"containers", "initContainers"} {
		for _, container := range next.List("spec", list) {
			for _, wanted := range sent.List("spec", list) {
				if wanted.Text("name") == container.Text("name") {
					take(container, wanted, "resources", "resizePolicy")
				}
			}
		}
	}
	return managedAs(next, sent)
}

// WithEphemeral returns a pod with the ephemeral containers that were sent. Everything else that was sent is
// ignored.
func WithEphemeral(old, sent kinds.Fields) kinds.Fields {
	next := kinds.Fields(runtime.DeepCopyJSON(old))
	take(next.Map("spec"), sent.Map("spec"), "ephemeralContainers")
	return managedAs(next, sent)
}

// Finalized returns a namespace with the spec's finalizers that were sent. Everything else that was sent is
// ignored.
func Finalized(old, sent kinds.Fields) kinds.Fields {
	next := kinds.Fields(runtime.DeepCopyJSON(old))
	if next.Map("spec") == nil {
		next["spec"] = map[string]any{}
	}
	take(next.Map("spec"), sent.Map("spec"), "finalizers")
	return managedAs(next, sent)
}

// take takes fields of one object over into another one.
func take(into, from kinds.Fields, names ...string) {
	for _, name := range names {
		if into[name] = from[name]; into[name] == nil {
			delete(into, name)
		}
	}
}

// managedAs gives an object the managers of another one.
func managedAs(next, sent kinds.Fields) kinds.Fields {
	take(next.Map("metadata"), sent.Map("metadata"), "managedFields")
	return next
}

// DefaultEphemeral fills the defaults into the ephemeral containers of a pod.
func DefaultEphemeral(spec *corev1.PodSpec) {
	for i := range spec.EphemeralContainers {
		common := &spec.EphemeralContainers[i].EphemeralContainerCommon
		template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{corev1.Container(*common)}}}
		manifest.DefaultTemplate(&template)
		*common = corev1.EphemeralContainerCommon(template.Spec.Containers[0])
	}
}

// ValidateEphemeral returns what is wrong with the ephemeral containers of a pod. was are the existing ones, which
// must not change.
func ValidateEphemeral(spec *corev1.PodSpec, was []corev1.EphemeralContainer) (errs field.ErrorList) {
	path := field.NewPath("spec", "ephemeralContainers")
	names, targets := sets.New[string](), sets.New[string]()
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			names.Insert(list[i].Name)
		}
	}
	targets = targets.Union(names)
	now := map[string]*corev1.EphemeralContainer{}
	for i := range spec.EphemeralContainers {
		one := &spec.EphemeralContainers[i]
		now[one.Name] = one
		at := path.Index(i)
		switch {
		case one.Name == "":
			errs = append(errs, field.Required(at.Child("name"), ""))
		case names.Has(one.Name):
			errs = append(errs, field.Duplicate(at.Child("name"), one.Name))
		}
		names.Insert(one.Name)
		if one.Image == "" {
			errs = append(errs, field.Required(at.Child("image"), ""))
		}
		if of := one.TargetContainerName; of != "" && !targets.Has(of) {
			errs = append(errs, field.NotFound(at.Child("targetContainerName"), of))
		}
	}
	for i := range was {
		switch one := now[was[i].Name]; {
		case one == nil:
			errs = append(errs, field.Forbidden(path, "existing ephemeral containers \""+was[i].Name+"\" may not be removed\n"))
		case !equality.Semantic.DeepEqual(one, &was[i]):
			errs = append(errs, field.Forbidden(path, "existing ephemeral containers \""+was[i].Name+"\" may not be changed\n"))
		}
	}
	return errs
}

// FurnishPod fills in what a real API server gives each new pod, for display only: the world does not depend on it.
func FurnishPod(pod *corev1.Pod) {
	links := corev1.DefaultEnableServiceLinks
	if pod.Spec.EnableServiceLinks == nil {
		pod.Spec.EnableServiceLinks = &links
	}
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		tolerated := false
		for _, t := range pod.Spec.Tolerations {
			tolerated = tolerated || (t.Key == key || t.Key == "" && t.Operator == corev1.TolerationOpExists) &&
				(t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		}
		if seconds := int64(300); !tolerated {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{Key: key,
				Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds})
		}
	}
}
