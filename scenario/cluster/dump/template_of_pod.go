package dump

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
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
