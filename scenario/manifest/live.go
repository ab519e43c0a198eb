package manifest

import (
	"slices"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/statefulsim/statefulsim/model"
)

// IsLive says whether an object, or one of a List, has been printed of a live cluster: it has a UID, which only the API
// server gives.
func IsLive(object *yaml.Node) bool {
	if items := Field(object, "items"); items != nil && items.Kind == yaml.SequenceNode {
		return slices.ContainsFunc(items.Content, IsLive)
	}
	return Field(object, "metadata", "uid") != nil
}

// Field returns what stands at a path of keys in an object, nil if one of them is missing.
func Field(n *yaml.Node, path ...string) *yaml.Node {
	for _, key := range path {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		at := 0
		for at+1 < len(n.Content) && n.Content[at].Value != key {
			at += 2
		}
		if at+1 >= len(n.Content) {
			return nil
		}
		n = n.Content[at+1]
	}
	return n
}

// The objects of a live cluster have been accepted by an API server. They are taken as they are.

// Live turns a StatefulSet of a live cluster into the model's. An API server has accepted it, so it is not validated:
// a rule of another version must not refuse what exists. Its metadata except names, labels and annotations, and its
// status, are left to the caller. The object is not changed.
func Live(object *appsv1.StatefulSet) *model.StatefulSet {
	object = object.DeepCopy()
	Default(object)
	return modelSet(object)
}

// LiveTemplate turns a pod template of a live cluster, or of a ControllerRevision, into the model's. Defaults are
// filled in, because a revision may have been written by an older API server.
func LiveTemplate(template *corev1.PodTemplateSpec) *model.Template {
	template = template.DeepCopy()
	defaultPodTemplate(template)
	return modelTemplate(template)
}

// LiveBudget turns a PodDisruptionBudget of a live cluster into the model's, without its status.
func LiveBudget(object *policyv1.PodDisruptionBudget) *model.Budget { return modelBudget(object) }

// LiveService turns a Service of a live cluster into the model's.
func LiveService(object *corev1.Service) *model.Service {
	return (&Service{object: object}).Model(object.Namespace)
}
