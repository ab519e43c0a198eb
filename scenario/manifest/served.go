package manifest

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
)

// What a client of a session sends, and what the API server finds wrong with it. The defaults of the API are filled in
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

// ServedClaim turns a claim into the model's. What is wrong with it is in its Facts.
func ServedClaim(object *corev1.PersistentVolumeClaim) *model.Claim {
	defaultClaimSpec(&object.Spec)
	dropSource(&object.Spec)
	return &model.Claim{
		Meta: model.Meta{Namespace: object.Namespace, Name: object.Name, Labels: object.Labels,
			Annotations: object.Annotations},
		Data: string(mustJSON(&object.Spec)), Facts: modelClaimFacts(object),
	}
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
	if errs := validateService(object); len(errs) > 0 {
		return nil, errs
	}
	return LiveService(object), nil
}
