package serve

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// admitPod does what a real API server does with a pod that is written, before it looks at the rest.
func (g *writer) admitPod(w *write, pod *corev1.Pod) error {
	if w.old == nil {
		return g.prioritize(w, pod)
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
func unchangedPod(w *write, pod *corev1.Pod) error {
	typed, err := project.Typed(kinds.Pod, w.old.Fields)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	stored := corev1.PodTemplateSpec{Spec: typed.(*corev1.Pod).Spec}
	manifest.DefaultTemplate(&stored) // That of a dump need not have them.
	was, is := &stored.Spec, pod.Spec.DeepCopy()
	links := corev1.DefaultEnableServiceLinks
	if is.EnableServiceLinks == nil && was.EnableServiceLinks != nil && *was.EnableServiceLinks == links {
		is.EnableServiceLinks = &links
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
		return refuse.Invalid(w.q.kind, w.key.Name, field.ErrorList{field.Forbidden(path.Child("containers"),
			"pod updates may not add or remove containers")})
	case !equality.Semantic.DeepEqual(is, was):
		return refuse.Invalid(w.q.kind, w.key.Name, field.ErrorList{field.Forbidden(path, mutable)})
	}
	return nil
}

// prioritize refuses a new pod whose priority is not that of its class.
func (g *writer) prioritize(w *write, pod *corev1.Pod) error {
	forbidden := func(format string, args ...any) error {
		return apierrors.NewForbidden(refuse.Resource(w.q.kind), w.key.Name, fmt.Errorf(format, args...))
	}
	priority, policy := int32(0), corev1.PreemptLowerPriority
	if name := pod.Spec.PriorityClassName; name != "" {
		class := g.cluster.Objects.Get(kinds.Priority, model.Key{Name: name})
		if class == nil {
			return forbidden("no PriorityClass with name %s was found", name)
		}
		priority = int32(class.Fields.Number("value"))
		if given := class.Fields.Text("preemptionPolicy"); given != "" {
			policy = corev1.PreemptionPolicy(given)
		}
	}
	if given := pod.Spec.Priority; given != nil && *given != priority {
		return forbidden("the integer value of priority (%d) must not be provided in pod spec; priority admission "+
			"controller computed %d from the given PriorityClass name", *given, priority)
	}
	if given := pod.Spec.PreemptionPolicy; given != nil && *given != policy {
		return forbidden("the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission "+
			"controller computed %s from the given PriorityClass name", *given, policy)
	}
	pod.Spec.Priority, pod.Spec.PreemptionPolicy = &priority, &policy
	return nil
}

// furnishPod fills in what a real API server gives each new pod, as it is shown: what the world makes of a pod does not
// depend on it.
func furnishPod(pod *corev1.Pod) {
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
