package scenario

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/expect/condition"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// createPodOf creates the pod of a manifest, which no set owns, as kubectl create does. A pod that names its node is bound
// to it, and one that names a scheduler of its own is left to that.
func (s *step) createPodOf() *action {
	object := manifest.ReadPod(s.r, s.value)
	if object == nil {
		return nil
	}
	if object.Name == "" {
		s.r.Problem(s.value, "the Pod has no name", "give it metadata.name")
		return nil
	}
	if object.Namespace == "" {
		object.Namespace = s.namespace
	}
	pod, errs := manifest.ServedPod(object)
	key := model.Key{Namespace: object.Namespace, Name: object.Name}
	s.census.pods[key] = true
	if len(errs) > 0 && !s.refused {
		s.r.Problem(s.value, fmt.Sprintf("the Pod %s is invalid: %s", object.Name, errs[0]), "no version of Kubernetes accepts this")
		return nil
	}
	var problems []string
	for _, err := range errs {
		problems = append(problems, err.Error())
	}
	s.labelling(condition.Labelling{Pod: key, New: true, Labels: object.Labels})
	return &action{does: "create the pod " + object.Name, act: func(u *sim.User) sim.Outcome {
		if len(problems) > 0 {
			return refusal(sim.InvalidPod(object.Name, problems))
		}
		pod.Finalizers = object.Finalizers
		if err := u.CreatePod(pod); err != nil {
			return refusal(err)
		}
		place(u, u.Pod(key), &object.Spec)
		return sim.Outcome{Effect: timeline.Created, Pod: key}
	}}
}

// place binds a new pod to the node that it names, or leaves it to the scheduler that it names.
func place(u *sim.User, pod *model.Pod, spec *corev1.PodSpec) {
	switch {
	case pod == nil:
	case spec.NodeName != "":
		u.PinPod(pod, spec.NodeName)
	case spec.SchedulerName != "" && spec.SchedulerName != corev1.DefaultSchedulerName:
		u.LeavePod(pod)
	}
}
