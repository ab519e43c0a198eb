package manifest

import (
	"slices"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
)

// IsLive reports whether an object, or one of a List, has been printed of a live cluster: it has a UID, which only
// the API server gives.
func IsLive(object *yaml.Node) bool {
	if items := Field(object, "items"); items != nil && items.Kind == yaml.SequenceNode {
		return slices.ContainsFunc(items.Content, IsLive)
	}
	return Field(object, "metadata", "uid") != nil
}

// Field returns the value at a path of keys in an object, nil if a key is missing.
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

// LiveStatus turns the status of a set of a live cluster into the model's, without its conditions.
func LiveStatus(shown *appsv1.StatefulSetStatus) model.Status {
	status := model.Status{
		ObservedGeneration: shown.ObservedGeneration, Replicas: shown.Replicas, Ready: shown.ReadyReplicas,
		Available: shown.AvailableReplicas, Current: shown.CurrentReplicas, Updated: shown.UpdatedReplicas,
		CurrentRevision: shown.CurrentRevision, UpdateRevision: shown.UpdateRevision,
	}
	if shown.CollisionCount != nil {
		status.CollisionCount = *shown.CollisionCount
	}
	return status
}

// LiveBudget turns a PodDisruptionBudget of a live cluster into the model's, without its status.
func LiveBudget(object *policyv1.PodDisruptionBudget) *model.Budget { return modelBudget(object) }

// LiveService turns a Service of a live cluster into the model's.
func LiveService(object *corev1.Service) *model.Service {
	return (&Service{object: object}).Model(object.Namespace)
}

// Objects that a client of a session sends, and what the API server finds wrong with them. Defaults are filled in
// in place.

// ServedPod turns a pod that a user creates into the model's.
func ServedPod(object *corev1.Pod) (*model.Pod, field.ErrorList) {
	template := corev1.PodTemplateSpec{Spec: object.Spec}
	template.Labels, template.Annotations = object.Labels, object.Annotations
	defaultPodTemplate(&template)
	object.Spec = template.Spec
	errs := append(validateMarks(&object.ObjectMeta), podspec.Validate(&object.Spec, field.NewPath("spec"))...)
	if len(errs) > 0 {
		return nil, errs
	}
	t := modelTemplate(&template)
	return &model.Pod{
		Meta: model.Meta{Namespace: object.Namespace, Name: object.Name, Labels: object.Labels,
			Annotations: object.Annotations},
		Template: t, Hostname: object.Spec.Hostname, Subdomain: object.Spec.Subdomain, Volumes: t.Volumes,
	}, nil
}

// ServedClaim converts a claim into the model's. Its mistakes are in its Facts.
func ServedClaim(object *corev1.PersistentVolumeClaim) *model.Claim {
	defaultClaimSpec(&object.Spec)
	dropSource(&object.Spec)
	return &model.Claim{
		Meta: model.Meta{Namespace: object.Namespace, Name: object.Name, Labels: object.Labels,
			Annotations: object.Annotations},
		Data: string(mustJSON(&object.Spec)), Facts: modelClaimFacts(object),
	}
}

// ServedStatus turns the status of a set that a client writes into the model's. Its conditions have been as they are since
// now.
func ServedStatus(sent *appsv1.StatefulSetStatus, now model.Time) model.Status {
	status := LiveStatus(sent)
	for _, c := range sent.Conditions {
		status.Conditions = append(status.Conditions, model.Condition{
			Type: string(c.Type), Reason: c.Reason, Message: c.Message, True: c.Status == corev1.ConditionTrue, Since: now,
		})
	}
	return status
}

// ServedBudget turns a PodDisruptionBudget into the model's.
func ServedBudget(object *policyv1.PodDisruptionBudget) (*model.Budget, field.ErrorList) {
	if errs := refuseBudget(object); len(errs) > 0 {
		return nil, errs
	}
	return modelBudget(object), nil
}

// ServedService turns a Service into the model's.
func ServedService(object *corev1.Service) (*model.Service, field.ErrorList) {
	spec := &object.Spec
	ifEmpty(&spec.Type, corev1.ServiceTypeClusterIP)
	ifEmpty(&spec.SessionAffinity, corev1.ServiceAffinityNone)
	for i := range spec.Ports {
		port := &spec.Ports[i]
		ifEmpty(&port.Protocol, corev1.ProtocolTCP)
		if port.TargetPort.IntVal == 0 && port.TargetPort.StrVal == "" {
			port.TargetPort.IntVal = port.Port
		}
	}
	if errs := append(validatePorts(spec), validateService(object)...); len(errs) > 0 {
		return nil, errs
	}
	return LiveService(object), nil
}

// validatePorts returns what the API server refuses in the numbers and the names of a Service's ports.
func validatePorts(spec *corev1.ServiceSpec) (errs field.ErrorList) {
	path, names := field.NewPath("spec", "ports"), map[string]bool{}
	if len(spec.Ports) == 0 && spec.ClusterIP != corev1.ClusterIPNone && spec.Type != corev1.ServiceTypeExternalName {
		errs = append(errs, field.Required(path, ""))
	}
	for i := range spec.Ports {
		port, at := &spec.Ports[i], path.Index(i)
		switch {
		case port.Name == "" && len(spec.Ports) > 1:
			errs = append(errs, field.Required(at.Child("name"), ""))
		case port.Name != "" && names[port.Name]:
			errs = append(errs, field.Duplicate(at.Child("name"), port.Name))
		}
		names[port.Name] = true
		for _, wrong := range validation.IsValidPortNum(int(port.Port)) {
			errs = append(errs, field.Invalid(at.Child("port"), port.Port, wrong))
			if target := port.TargetPort; target.StrVal == "" && target.IntVal == 0 {
				errs = append(errs, field.Invalid(at.Child("targetPort"), target.IntVal, wrong))
			}
		}
	}
	return errs
}

// DefaultTemplate fills in the API server's defaults in a pod template of any kind.
func DefaultTemplate(template *corev1.PodTemplateSpec) { defaultPodTemplate(template) }
