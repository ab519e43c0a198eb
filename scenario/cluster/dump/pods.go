package dump

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
)

// phases are the phases of the API. A pod in Unknown, of which its kubelet says nothing, is neither Pending nor Ready
// for the controller, and it has not ended either: as a pod that runs and is not Ready.
var phases = map[corev1.PodPhase]model.Phase{
	corev1.PodPending: model.Pending, corev1.PodRunning: model.Running, phaseUnknown: model.Running,
	corev1.PodSucceeded: model.Succeeded, corev1.PodFailed: model.Failed,
}

// phaseUnknown is the phase of a pod of which its kubelet has not said anything for too long.
const phaseUnknown = "Unknown"

// overdue is a time after the end of the grace period. If a pod on a node that answers still exists then, its kubelet
// is assumed to be unable to stop it.
const overdue = time.Minute

// pod reads a pod and what the dump shows of it.
func (c *converter) pod(object *corev1.Pod) {
	pod := &model.Pod{
		Meta:     c.meta(kindPod, &object.ObjectMeta),
		Hostname: object.Spec.Hostname, Subdomain: object.Spec.Subdomain,
		Node: object.Spec.NodeName, Phase: phases[object.Status.Phase], Reason: object.Status.Reason,
	}
	if pod.Phase == model.NoPhase {
		pod.Phase = model.Pending
	}
	for i := range object.Spec.Volumes {
		volume := model.Volume{Name: object.Spec.Volumes[i].Name}
		if claim := object.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
			volume.Claim = claim.ClaimName
		}
		pod.Volumes = append(pod.Volumes, volume)
	}
	c.template(pod, object)
	facts := c.facts(pod, object)
	c.Facts[pod.Key()] = facts
	state := sim.PodState{Pod: pod, Bound: pod.Created, Started: pod.Created}
	if scheduled := condition(object, corev1.PodScheduled); scheduled != nil && scheduled.Status == corev1.ConditionTrue {
		state.Bound = c.instant(scheduled.LastTransitionTime.Time)
	}
	if object.Status.StartTime != nil {
		state.Started = c.instant(object.Status.StartTime.Time)
	}
	for i := range object.Status.ContainerStatuses {
		if running := object.Status.ContainerStatuses[i].State.Running; running != nil {
			state.Started = max(state.Started, c.instant(running.StartedAt.Time))
		}
	}
	state.Passed = passed(object)
	state.Turned = c.turned(object, state.Passed)
	target := condition(object, corev1.DisruptionTarget)
	facts.evicted = target != nil && target.Status == corev1.ConditionTrue && target.Reason == "DeletionByTaintManager"
	c.readiness(pod, object, facts, &state)
	if facts.Unreported = object.Status.Phase == phaseUnknown; facts.Unreported {
		pod.Ready, facts.Lost, state.Silenced = false, false, true
	}
	c.lastRun(object, facts)
	c.ready(pod, object)
	c.unlike(pod, object, facts)
	state.Hung = pod.Terminating() && len(pod.Finalizers) == 0 && c.stopsSince(pod, facts).Add(overdue) < 0
	c.places.addPod(pod, len(c.State.Pods))
	c.State.Pods = append(c.State.Pods, state)
}

// passed counts the first init containers that a pod has behind it: up to the last one that has completed or, if it is
// a sidecar, started. Without a sandbox all of them run again.
func passed(object *corev1.Pod) (n int) {
	sandbox := condition(object, podReadyToStartContainers)
	if sandbox != nil && sandbox.Status == corev1.ConditionFalse {
		return 0
	}
	for i := range object.Spec.InitContainers {
		spec := &object.Spec.InitContainers[i]
		if slices.ContainsFunc(object.Status.InitContainerStatuses, func(s corev1.ContainerStatus) bool {
			ended := s.State.Terminated
			if restartsAlways(spec) {
				return s.Name == spec.Name && s.Started != nil && *s.Started
			}
			return s.Name == spec.Name && ended != nil && ended.ExitCode == 0
		}) {
			n = i + 1
		}
	}
	return n
}

// turned returns when the init container began to run that comes after those that a pod has behind it; 0 if it does not
// run, or is a sidecar.
func (c *converter) turned(object *corev1.Pod, passed int) model.Time {
	if passed >= len(object.Spec.InitContainers) || restartsAlways(&object.Spec.InitContainers[passed]) {
		return 0
	}
	for i := range object.Status.InitContainerStatuses {
		status := &object.Status.InitContainerStatuses[i]
		running := status.State.Running
		if status.Name == object.Spec.InitContainers[passed].Name && running != nil && !running.StartedAt.IsZero() {
			return c.instant(running.StartedAt.Time)
		}
	}
	return 0
}

// podReadyToStartContainers is the condition of a pod whose sandbox is there, with its network.
const podReadyToStartContainers = "PodReadyToStartContainers"

// stopsSince returns when a kubelet should have stopped a pod that is being deleted: at its deadline, or when its node
// answered again, if that is later.
func (c *converter) stopsSince(pod *model.Pod, facts *Facts) model.Time {
	at := slices.IndexFunc(c.nodes, func(n *corev1.Node) bool { return n.Name == pod.Node })
	if at < 0 {
		return facts.Deadline
	}
	for _, condition := range c.nodes[at].Status.Conditions {
		if condition.Type == corev1.NodeReady && !condition.LastTransitionTime.IsZero() {
			return max(facts.Deadline, c.instant(condition.LastTransitionTime.Time))
		}
	}
	return facts.Deadline
}

// readiness reads the condition Ready. If only the node controller has set it to false, because the node is silent, the
// pod itself may well be ready. If it is a readiness gate, the pod waits for whoever sets that.
func (c *converter) readiness(pod *model.Pod, object *corev1.Pod, facts *Facts, state *sim.PodState) {
	ready := condition(object, corev1.PodReady)
	if ready == nil {
		return
	}
	pod.Ready = ready.Status == corev1.ConditionTrue
	pod.ReadySince = c.instant(ready.LastTransitionTime.Time)
	all := len(object.Status.ContainerStatuses) > 0
	for i := range object.Status.ContainerStatuses {
		all = all && object.Status.ContainerStatuses[i].Ready
	}
	switch ready.Reason {
	case readinessGates:
		facts.Gate = ready.Message
		return
	case containersNotReady:
		// The kubelet says so: a sidecar is not ready, which is among the init containers.
		all = false
	}
	state.Silenced = !pod.Ready && all && pod.Phase == model.Running
	facts.Lost = !pod.Ready && pod.Phase == model.Running && pod.ReadySince > state.Started.Add(time.Second)
}

// containersNotReady is the reason of the condition Ready of a pod of which the kubelet says that a container is not
// ready. The node controller gives no reason.
const containersNotReady = "ContainersNotReady"

// readinessGates is the reason of the condition Ready of a pod whose containers are ready and whose readiness gates are
// not all True.
const readinessGates = "ReadinessGatesNotReady"

// condition returns a condition of a pod, nil if it has none of the kind.
func condition(object *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	at := slices.IndexFunc(object.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == kind })
	if at < 0 {
		return nil
	}
	return &object.Status.Conditions[at]
}

// template finds the template of a pod: that of the revision that its label names. If the dump does not have that
// revision, the pod's own spec is used, for all other pods of the revision too. All pods of a revision share one
// template, and so do the set and its update revision.
func (c *converter) template(pod *model.Pod, object *corev1.Pod) {
	pod.Template = c.templates[model.Key{Namespace: pod.Namespace, Name: pod.Revision()}]
	if pod.Template == nil {
		pod.Template = manifest.LiveTemplate(likeTemplate(object))
		if name := pod.Revision(); name != "" {
			c.templates[model.Key{Namespace: pod.Namespace, Name: name}] = pod.Template
		}
	}
}

// facts reads why a pod does not run, and since when it has been in its current state.
func (c *converter) facts(pod *model.Pod, object *corev1.Pod) *Facts {
	f := &Facts{
		Since: pod.Created, Nominated: object.Status.NominatedNodeName, Status: ofStatus(object),
		Owner: ownedBy(&object.ObjectMeta), Scheduler: object.Spec.SchedulerName,
		Unbegun: object.Status.StartTime == nil && len(object.Status.ContainerStatuses) == 0,
	}
	for i := range object.Status.InitContainerStatuses {
		f.container(&object.Status.InitContainerStatuses[i])
	}
	f.OfInit = f.Container != ""
	f.OfSidecar = isSidecar(object, f.Container)
	for i := range object.Status.ContainerStatuses {
		f.container(&object.Status.ContainerStatuses[i])
	}
	f.Image = specImage(object, f.Container, f.Image)
	f.admitted(pod, object)
	f.waits(object)
	if scheduled := condition(object, corev1.PodScheduled); scheduled != nil {
		f.Scheduled = true
		if scheduled.Status == corev1.ConditionFalse {
			f.Unschedulable = scheduled.Message
		}
		f.Since = max(f.Since, c.instant(scheduled.LastTransitionTime.Time))
	}
	if ready := condition(object, corev1.PodReady); ready != nil {
		f.Since = max(f.Since, c.instant(ready.LastTransitionTime.Time))
	}
	if pod.Terminating() {
		f.Since, f.Deadline = pod.Deletion.At, pod.Deletion.At.Add(pod.Deletion.Grace)
	}
	if f.Waiting != "" || f.Restarts > 0 {
		pod.Containers = &model.Containers{
			Name: f.Container, Shown: f.Waiting, Message: f.Message, Restarts: f.Restarts,
		}
		if f.Ended != "" {
			pod.Containers.Message += "; its last run has ended: " + f.Ended
		}
		if killed := f.Exit == 137 || f.Exit == 143; f.Crashed && killed && f.Unstarted == f.Container {
			pod.Containers.Message = "its startupProbe has not succeeded"
		}
	}
	return f
}

// waits notes the containers that run and that others, or the kubelet, wait for. Where a pod has none that has been
// created, the status of a container says started: false too.
func (f *Facts) waits(object *corev1.Pod) {
	for i := range object.Status.InitContainerStatuses {
		status := &object.Status.InitContainerStatuses[i]
		if initialized := condition(object, "Initialized"); status.State.Running != nil && !status.Ready &&
			initialized != nil && initialized.Status == corev1.ConditionFalse && f.Init == "" {
			f.Init, f.Sidecar = status.Name, isSidecar(object, status.Name)
		}
	}
	several := len(object.Status.ContainerStatuses) > 1 || slices.ContainsFunc(object.Spec.InitContainers,
		func(container corev1.Container) bool { return restartsAlways(&container) })
	for i := range object.Status.ContainerStatuses {
		status := &object.Status.ContainerStatuses[i]
		if status.State.Running != nil && status.Started != nil && !*status.Started && f.Unstarted == "" {
			f.Unstarted = status.Name
		}
		if status.State.Running != nil && !status.Ready && several {
			f.Unready = append(f.Unready, status.Name)
		}
	}
	for i := range object.Status.InitContainerStatuses {
		status := &object.Status.InitContainerStatuses[i]
		if status.State.Running != nil && !status.Ready && f.Init == "" && isSidecar(object, status.Name) {
			f.Unready = append(f.Unready, status.Name)
		}
	}
}

// specImage returns the image of a container as the spec names it. A kubelet may write another name of it into the
// status, such as docker.io/library/app:v1. It returns the other one if the spec has no such container.
func specImage(object *corev1.Pod, container, otherwise string) string {
	for _, list := range [][]corev1.Container{object.Spec.InitContainers, object.Spec.Containers} {
		for i := range list {
			if list[i].Name == container {
				return list[i].Image
			}
		}
	}
	return otherwise
}

// isSidecar says whether an init container goes on running beside the others.
func isSidecar(object *corev1.Pod, name string) bool {
	return slices.ContainsFunc(object.Spec.InitContainers, func(container corev1.Container) bool {
		return container.Name == name && restartsAlways(&container)
	})
}

// restartsAlways says whether a container of the list of init containers is a sidecar.
func restartsAlways(container *corev1.Container) bool {
	return container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// quiet are the reasons of containers that simply have not started yet.
var quiet = []string{"ContainerCreating", "PodInitializing"}

// container counts the restarts of a container, and notes the first container that does not run, or that runs between
// two crashes.
func (f *Facts) container(status *corev1.ContainerStatus) {
	f.Restarts += int(status.RestartCount)
	reason, message := "", ""
	switch state := &status.State; {
	case state.Waiting != nil:
		reason, message = state.Waiting.Reason, state.Waiting.Message
	case state.Terminated != nil && state.Terminated.ExitCode != 0:
		reason, message = state.Terminated.Reason, state.Terminated.Message
	case state.Running != nil && !status.Ready && status.LastTerminationState.Terminated != nil:
		// The container runs between two crashes.
		last := status.LastTerminationState.Terminated
		reason, message = last.Reason, last.Message
	}
	if reason == "" || f.Waiting != "" || slices.Contains(quiet, reason) {
		return
	}
	last := status.LastTerminationState.Terminated
	if last != nil {
		f.ExitReason, f.ExitMessage, f.Exit = last.Reason, last.Message, int(last.ExitCode)
	}
	if last != nil && status.State.Running != nil {
		f.Crashed = true
	} else if last != nil {
		f.Ended = fmt.Sprintf("%s, exit code %d", last.Reason, last.ExitCode)
		if ran := last.FinishedAt.Sub(last.StartedAt.Time); ran > 0 && ran < 24*time.Hour {
			f.Ended += ", after " + ran.String()
		}
	}
	f.Waiting, f.Message, f.Container, f.Image = reason, message, status.Name, status.Image
}
