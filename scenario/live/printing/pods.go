package printing

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
)

// pod prints a pod as the API server and its kubelet have it.
func (p *printer) pod(state *sim.PodState) *corev1.Pod {
	var template corev1.PodTemplateSpec
	if state.Template != nil {
		decode(state.Template.Data, &template)
	}
	object := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: p.meta(&state.Meta), Spec: template.Spec,
	}
	spec := &object.Spec
	if len(spec.Containers) == 0 && state.Template != nil {
		// A pod that a user has made has no template as JSON.
		for _, c := range state.Template.Containers {
			spec.Containers = append(spec.Containers, corev1.Container{Name: c.Name, Image: c.Image})
		}
	}
	spec.NodeName, spec.Hostname, spec.Subdomain = state.Node, state.Hostname, state.Subdomain
	for _, volume := range state.Volumes {
		at := slices.IndexFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == volume.Name })
		if at < 0 {
			spec.Volumes, at = append(spec.Volumes, corev1.Volume{Name: volume.Name}), len(spec.Volumes)
		}
		if volume.Claim != "" {
			spec.Volumes[at].PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: volume.Claim}
		}
	}
	object.Status = p.podStatus(state, spec)
	return object
}

// podStatus prints the conditions and the containers of a pod. Without a node only PodScheduled
// is there.
func (p *printer) podStatus(state *sim.PodState, spec *corev1.PodSpec) corev1.PodStatus {
	status := corev1.PodStatus{Phase: corev1.PodPhase(state.Phase.String()), Reason: state.Reason}
	if state.Node == "" {
		status.Conditions = append(status.Conditions, p.condition(corev1.PodScheduled, false, state.Created))
		return status
	}
	status.Conditions = append(status.Conditions, p.condition(corev1.PodScheduled, true, state.Bound))
	began := p.time(state.Bound)
	status.StartTime = &began
	since := state.ReadySince
	if !state.Ready && since <= state.Started {
		since = max(state.Bound, state.Started)
	}
	status.Conditions = append(status.Conditions, p.condition(corev1.PodReady, state.Ready, since))
	if state.Passed > 0 || state.Turned < 0 || state.Phase != model.Pending {
		status.InitContainerStatuses = p.initContainers(state, spec.InitContainers)
	}
	for i := range spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, p.container(state, &spec.Containers[i], i == 0))
	}
	return status
}

// initContainers prints the statuses of init containers: those that a pod has behind it, and those that are to come.
func (p *printer) initContainers(state *sim.PodState, specs []corev1.Container) (list []corev1.ContainerStatus) {
	passed := state.Passed
	if state.Phase != model.Pending {
		passed = len(specs)
	}
	for i := range specs {
		c := corev1.ContainerStatus{Name: specs[i].Name, Image: specs[i].Image}
		switch started := specs[i].RestartPolicy != nil && *specs[i].RestartPolicy == corev1.ContainerRestartPolicyAlways; {
		case i == passed && state.Turned < 0:
			c.State.Running = &corev1.ContainerStateRunning{StartedAt: p.time(state.Turned)}
		case i >= passed:
			c.State.Waiting = &corev1.ContainerStateWaiting{Reason: symptom.Initializing}
		case started:
			c.State.Running, c.Started = &corev1.ContainerStateRunning{StartedAt: p.time(state.Bound)}, &started
		default:
			c.State.Terminated, c.Ready = &corev1.ContainerStateTerminated{Reason: "Completed"}, true
		}
		list = append(list, c)
	}
	return list
}

// condition prints a condition of a pod, without the reason and the message that a kubelet would give.
func (p *printer) condition(kind corev1.PodConditionType, is bool, since model.Time) corev1.PodCondition {
	c := corev1.PodCondition{Type: kind, Status: corev1.ConditionFalse, LastTransitionTime: p.time(since)}
	if is {
		c.Status = corev1.ConditionTrue
	}
	return c
}

// container prints the status of a container. What the state knows about containers is printed for the first one.
func (p *printer) container(state *sim.PodState, spec *corev1.Container, first bool) corev1.ContainerStatus {
	c := corev1.ContainerStatus{
		Name: spec.Name, Image: spec.Image, Ready: state.Ready || state.Silenced,
	}
	shown := ""
	if state.Containers != nil && first {
		c.RestartCount, shown = int32(state.Containers.Restarts), state.Containers.Shown
	}
	switch {
	case state.Finished():
		exit := int32(0)
		if state.Phase == model.Failed {
			exit = 1
		}
		c.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: exit, Reason: "Error"}
	case shown != "":
		c.State.Waiting = &corev1.ContainerStateWaiting{Reason: shown, Message: state.Containers.Message}
	case state.Phase == model.Pending:
		c.State.Waiting = &corev1.ContainerStateWaiting{Reason: symptom.Creating}
	default:
		c.State.Running = &corev1.ContainerStateRunning{StartedAt: p.time(state.Started)}
	}
	return c
}
