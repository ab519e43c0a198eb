package dump

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// Mutating webhooks change pods while they are admitted: they add the containers of a service mesh, or replace images
// by those of a mirror. The template knows nothing of it, and each new pod of any template is changed in the same way.

// admitted notes what admission has done to the container that keeps a pod from running.
func (f *Facts) admitted(pod *model.Pod, object *corev1.Pod) {
	runs := specImage(object, f.Container, "")
	if f.Waiting == "" || runs == "" {
		return
	}
	switch image, is := imageIn(pod.Template, f.Container); {
	case !is:
		f.Added = true
	case image != runs:
		f.Replaced = image
	}
}

// imageIn returns the image that a template names for a container, and whether it has the container.
func imageIn(template *model.Template, container string) (image string, is bool) {
	var spec struct {
		InitContainers, Containers []struct{ Name, Image string }
	}
	if json.Unmarshal([]byte(specOf(template)), &spec) != nil {
		return "", true
	}
	for _, c := range append(spec.InitContainers, spec.Containers...) {
		if c.Name == container {
			return c.Image, true
		}
	}
	return "", false
}

// added is a container that admission adds to the pods of a set.
type added struct {
	namespace, set, container, image string
}

// ready notes the containers of a Ready pod, if there are more than its template has: admission has added some, and
// they work.
func (c *converter) ready(pod *model.Pod, object *corev1.Pod) {
	if !pod.Ready || pod.Template == nil ||
		len(object.Spec.Containers) == len(pod.Template.Containers) && len(object.Spec.InitContainers) == 0 {
		return
	}
	for _, list := range [][]corev1.Container{object.Spec.InitContainers, object.Spec.Containers} {
		for i := range list {
			c.works[added{pod.Namespace, ownerName(pod), list[i].Name, list[i].Image}] = true
		}
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
