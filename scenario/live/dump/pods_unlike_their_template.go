package dump

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

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
	for name, amount := range wanted {
		if of, given := has[name]; given && of.Cmp(amount) != 0 {
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
