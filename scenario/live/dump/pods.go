package dump

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
)

// phases are the phases of the API. A pod in Unknown, of which its kubelet says nothing, is neither Pending nor Ready
// for the controller, and it has not ended either: as a pod that runs and is not Ready.
var phases = map[corev1.PodPhase]model.Phase{
	corev1.PodPending: model.Pending, corev1.PodRunning: model.Running, symptom.Unreported: model.Running,
	corev1.PodSucceeded: model.Succeeded, corev1.PodFailed: model.Failed,
}

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
	if is(object, corev1.PodScheduled) {
		state.Bound = c.instant(condition(object, corev1.PodScheduled).LastTransitionTime.Time)
	}
	if object.Status.StartTime != nil {
		state.Started = c.instant(object.Status.StartTime.Time)
	}
	for i := range object.Status.ContainerStatuses {
		if running := object.Status.ContainerStatuses[i].State.Running; running != nil {
			state.Started = max(state.Started, c.instant(running.StartedAt.Time))
		}
	}
	state.Passed, state.Turned = c.passed(object)
	facts.evicted = is(object, corev1.DisruptionTarget) && condition(object, corev1.DisruptionTarget).Reason == symptom.ByTaint
	c.readiness(pod, object, facts, &state)
	if facts.Unreported = object.Status.Phase == symptom.Unreported; facts.Unreported {
		pod.Ready, facts.Lost, state.Silenced = false, false, true
	}
	c.lastRun(object, facts)
	c.ready(pod, object)
	c.unlike(pod, object, facts)
	state.Hung = pod.Terminating() && len(pod.Finalizers) == 0 && c.stopsSince(pod, facts).Add(overdue) < 0
	c.places.addPod(pod, len(c.State.Pods))
	c.State.Pods = append(c.State.Pods, state)
}

// passed counts the first init containers that a pod has behind it: up to the last one that has completed or, a sidecar,
// started. Without a sandbox all run again. turned is when the next one began; 0 if it does not run, or is a sidecar.
func (c *converter) passed(object *corev1.Pod) (n int, turned model.Time) {
	sandbox := condition(object, podReadyToStartContainers)
	again := sandbox != nil && sandbox.Status == corev1.ConditionFalse
	began := make([]model.Time, len(object.Spec.InitContainers)+1)
	for i := range object.Spec.InitContainers {
		sidecar := restartsAlways(&object.Spec.InitContainers[i])
		for j := range object.Status.InitContainerStatuses {
			status := &object.Status.InitContainerStatuses[j]
			ended, running := status.State.Terminated, status.State.Running
			switch {
			case status.Name != object.Spec.InitContainers[i].Name:
			case !again && (sidecar && status.Started != nil && *status.Started || !sidecar && ended != nil && ended.ExitCode == 0):
				n = i + 1
			case !sidecar && running != nil:
				began[i] = c.instant(running.StartedAt.Time)
			}
		}
	}
	return n, began[n]
}

// podReadyToStartContainers is the condition of a pod whose sandbox is there, with its network.
const podReadyToStartContainers = "PodReadyToStartContainers"

// stopsSince returns when a kubelet should have stopped a pod: at its deadline, or when its node answered again later.
func (c *converter) stopsSince(pod *model.Pod, facts *Facts) model.Time {
	since := facts.Deadline
	for _, node := range c.nodes {
		for _, condition := range node.Status.Conditions {
			if node.Name == pod.Node && condition.Type == corev1.NodeReady && !condition.LastTransitionTime.IsZero() {
				since = max(since, c.instant(condition.LastTransitionTime.Time))
			}
		}
	}
	return since
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
	all := len(object.Status.ContainerStatuses) > 0 && !slices.ContainsFunc(object.Status.ContainerStatuses,
		func(s corev1.ContainerStatus) bool { return !s.Ready })
	switch ready.Reason {
	case symptom.ByGates:
		facts.Gate = ready.Message
		for _, gate := range object.Spec.ReadinessGates {
			set := condition(object, gate.ConditionType)
			if set != nil && set.Status != corev1.ConditionTrue && set.Reason+set.Message != "" {
				facts.GateSays = append(facts.GateSays, fmt.Sprintf("The condition %s says: %s", set.Type,
					OneLine(strings.Trim(set.Reason+": "+set.Message, ": "))))
			}
		}
		return
	case symptom.ByContainers:
		// The kubelet says so: a sidecar is not ready, which is among the init containers.
		all = false
	}
	state.Silenced = !pod.Ready && all && pod.Phase == model.Running
	facts.Lost = !pod.Ready && pod.Phase == model.Running && pod.ReadySince > state.Started.Add(time.Second)
}

// condition returns a condition of a pod, nil if it has none of the kind.
func condition(object *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range object.Status.Conditions {
		if object.Status.Conditions[i].Type == kind {
			return &object.Status.Conditions[i]
		}
	}
	return nil
}

// is reports whether a condition of a pod is True.
func is(object *corev1.Pod, kind corev1.PodConditionType) bool {
	found := condition(object, kind)
	return found != nil && found.Status == corev1.ConditionTrue
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

// likeTemplate removes from a pod what the controller, the API server and the scheduler have added, as far as that can
// be recognized. What remains is nearly the template that the pod was created from. The pod is not changed.
func likeTemplate(object *corev1.Pod) *corev1.PodTemplateSpec {
	template := &corev1.PodTemplateSpec{Spec: *object.Spec.DeepCopy()}
	template.Labels = maps.Clone(object.Labels)
	for _, label := range []string{model.LabelRevision, model.LabelPodName, model.LabelPodIndex} {
		delete(template.Labels, label)
	}
	template.Annotations = object.Annotations
	spec := &template.Spec
	spec.Hostname, spec.Subdomain, spec.NodeName = "", "", ""
	spec.EnableServiceLinks, spec.PreemptionPolicy, spec.Priority = nil, nil, nil
	token := ""
	spec.Volumes = slices.DeleteFunc(spec.Volumes, func(v corev1.Volume) bool {
		isToken := strings.HasPrefix(v.Name, "kube-api-access-")
		if isToken {
			token = v.Name
		}
		return isToken || v.PersistentVolumeClaim != nil && strings.HasSuffix(v.PersistentVolumeClaim.ClaimName, object.Name)
	})
	spec.Tolerations = slices.DeleteFunc(spec.Tolerations, func(t corev1.Toleration) bool {
		return t.Effect == corev1.TaintEffectNoExecute &&
			(t.Key == taintUnreachable || t.Key == "node.kubernetes.io/not-ready") && t.TolerationSeconds != nil
	})
	if spec.ServiceAccountName == "default" {
		spec.ServiceAccountName, spec.DeprecatedServiceAccount = "", ""
	}
	for i := range spec.Containers {
		spec.Containers[i].VolumeMounts = slices.DeleteFunc(spec.Containers[i].VolumeMounts, func(m corev1.VolumeMount) bool {
			return token != "" && m.Name == token
		})
	}
	return template
}

// Mutating webhooks change pods while they are admitted: they add the containers of a service mesh, or replace images
// by those of a mirror. The template knows nothing of it, and each new pod of any template is changed in the same way.

// admitted notes what admission has done to the container that keeps a pod from running.
func (f *Facts) admitted(pod *model.Pod, object *corev1.Pod) {
	runs := specImage(object, f.Container, "")
	if f.Waiting == "" || runs == "" {
		return
	}
	containers := containersOf(pod.Template)
	at := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == f.Container })
	switch {
	case at < 0:
		f.Added = len(containers) > 0
	case containers[at].Image != runs:
		f.Replaced = containers[at].Image
	}
}

// containersOf returns the containers of a template, the init containers first; nil if its spec cannot be read.
func containersOf(template *model.Template) []corev1.Container {
	var parts struct {
		Spec struct{ InitContainers, Containers []corev1.Container }
	}
	if template == nil || json.Unmarshal([]byte(template.Data), &parts) != nil {
		return nil
	}
	return append(parts.Spec.InitContainers, parts.Spec.Containers...)
}

// unlike notes what a pod that is Ready has otherwise than its template: an image, and resources that were changed in
// place. The vertical autoscaler gives the next pod the same resources again.
func (c *converter) unlike(pod *model.Pod, object *corev1.Pod, f *Facts) {
	if pending := condition(object, "PodResizePending"); is(object, "PodResizePending") {
		f.Resize = OneLine(pending.Reason + ": " + pending.Message)
	}
	f.RestartsAll = is(object, corev1.AllContainersRestarting)
	if !pod.Ready {
		return
	}
	all := slices.Concat(object.Spec.InitContainers, object.Spec.Containers)
	for _, wanted := range c.containers(pod.Template) {
		at := slices.IndexFunc(all, func(c corev1.Container) bool { return c.Name == wanted.Name })
		if at < 0 {
			continue
		}
		has := &all[at]
		if f.Runs == "" && has.Image != wanted.Image {
			f.Runs, f.Instead = has.Image, wanted.Image
		}
		f.Resized = f.Resized || object.Annotations["vpaUpdates"] == "" &&
			(others(has.Resources.Requests, wanted.Resources.Requests) || others(has.Resources.Limits, wanted.Resources.Limits))
	}
}

// containers is containersOf, once for each template.
func (c *converter) containers(template *model.Template) []corev1.Container {
	if _, known := c.wanted[template]; !known {
		c.wanted[template] = containersOf(template)
	}
	return c.wanted[template]
}

// others says whether one of the amounts that are wanted is another one. Admission adds what a template does not name.
func others(has, wanted corev1.ResourceList) bool {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if of, given := has[name]; given && of.Cmp(wanted[name]) != 0 {
			return true
		}
	}
	return false
}

// added is a container that admission adds to the pods of a set.
type added struct {
	namespace, set, container, image string
}

// ready notes the containers of a Ready pod, if there are more than its template has, by admission, and they work.
func (c *converter) ready(pod *model.Pod, object *corev1.Pod) {
	if !pod.Ready || pod.Template == nil ||
		len(object.Spec.Containers) == len(pod.Template.Containers) && len(object.Spec.InitContainers) == 0 {
		return
	}
	for _, one := range slices.Concat(object.Spec.InitContainers, object.Spec.Containers) {
		c.works[added{pod.Namespace, ownerName(pod), one.Name, one.Image}] = true
	}
}

// broken says whether admission has added a container to a pod that does not run there, and that runs in no Ready pod
// of the set: then no new pod of the set runs either, whatever its template.
func (d *Dump) broken(p *sim.PodState, f *Facts) bool {
	return f.Added && !d.works[added{p.Namespace, ownerName(p.Pod), f.Container, f.Image}]
}

// newOf matches a pod, and all that its set creates from then on.
func (s *stays) newOf(p *sim.PodState) func(*model.Pod) bool {
	set, it := ownerName(p.Pod), only(p.Pod)
	return func(pod *model.Pod) bool {
		if it(pod) {
			return true
		}
		old := s.Pod(pod.Key())
		return pod.Namespace == p.Namespace && ownerName(pod) == set && (old == nil || old.UID != pod.UID)
	}
}
