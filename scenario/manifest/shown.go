package manifest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shownClaim is a claim template as a refusal of 1.37 shows it: the API server's own type as JSON, with Go's names of
// the fields, and with those that are not set.
type shownClaim struct {
	metav1.ObjectMeta
	Spec   shownClaimSpec
	Status shownClaimStatus
}

// shownClaimSpec and the types below have the fields of the API server's own types, in their order: encoding/json
// prints them in that order.
type shownClaimSpec struct {
	AccessModes               []corev1.PersistentVolumeAccessMode
	Selector                  *metav1.LabelSelector
	Resources                 shownResources
	VolumeName                string
	StorageClassName          *string
	VolumeMode                *corev1.PersistentVolumeMode
	DataSource                *shownSource
	DataSourceRef             *shownSourceRef
	VolumeAttributesClassName *string
}

type shownResources struct{ Limits, Requests corev1.ResourceList }

type shownSource struct {
	APIGroup   *string
	Kind, Name string
}

type shownSourceRef struct {
	shownSource
	Namespace *string
}

// shownClaimStatus has nothing but the phase, which is filled in by default.
type shownClaimStatus struct {
	Phase                                         corev1.PersistentVolumeClaimPhase
	AccessModes, Capacity, Conditions             *string
	AllocatedResources, AllocatedResourceStatuses *string
	CurrentVolumeAttributesClassName              *string
	ModifyVolumeStatus, HealthStatus              *string
}

// showClaim renders a claim template for a refusal of 1.37; see shownClaim.
func showClaim(claim *corev1.PersistentVolumeClaim) string {
	spec := &claim.Spec
	shown := shownClaim{
		ObjectMeta: claim.ObjectMeta,
		Spec: shownClaimSpec{
			AccessModes: spec.AccessModes, Selector: spec.Selector,
			Resources:  shownResources{spec.Resources.Limits, spec.Resources.Requests},
			VolumeName: spec.VolumeName, StorageClassName: spec.StorageClassName, VolumeMode: spec.VolumeMode,
			VolumeAttributesClassName: spec.VolumeAttributesClassName,
		},
		Status: shownClaimStatus{Phase: corev1.ClaimPending},
	}
	if s := spec.DataSource; s != nil {
		shown.Spec.DataSource = &shownSource{s.APIGroup, s.Kind, s.Name}
	}
	if s := spec.DataSourceRef; s != nil {
		shown.Spec.DataSourceRef = &shownSourceRef{shownSource{s.APIGroup, s.Kind, s.Name}, s.Namespace}
	}
	return string(mustJSON(&shown))
}
