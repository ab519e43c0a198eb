package manifest

import (
	"cmp"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
)

// ChangeClaim returns a live claim as kubectl apply, or replace, makes it by the manifest of a claim, and what the API
// server finds wrong with the change. Of its spec only the size may change, and only once it has its volume. Whether
// its StorageClass lets it grow Classes says; its volume is assumed to be as large as the claim has asked for.
//
// kubectl apply is taken to remove nothing: which fields have left a manifest, a claim does not keep here.
func ChangeClaim(live, wanted *model.Claim, replace bool) (*model.Claim, []string) {
	if live.Data == "" {
		// It was assumed to be there, and is as its manifest says.
		return live, nil
	}
	text := wanted.Data
	if !replace {
		var below, above any
		mustDecode(live.Data, &below)
		mustDecode(wanted.Data, &above)
		text = string(mustJSON(merge(below, above)))
	}
	var old, spec corev1.PersistentVolumeClaimSpec
	mustDecode(live.Data, &old)
	mustDecode(text, &spec)
	defaultClaimSpec(&old)
	changed := *live
	changed.Data, changed.Facts = text, modelClaimFacts(&corev1.PersistentVolumeClaim{Spec: spec})
	if wanted.Facts.Wrong != nil {
		wrong := *cmp.Or(changed.Facts.Wrong, &model.WrongClaim{})
		wrong.Meta = wanted.Facts.Wrong.Meta
		changed.Facts.Wrong = &wrong
	}
	if live.Phase == model.ClaimBound && old.VolumeName == "" {
		// The binder has written the name of the volume, which is not known here.
		old.VolumeName = "bound"
		if !replace {
			spec.VolumeName = cmp.Or(spec.VolumeName, old.VolumeName)
		}
	}
	return &changed, texts(validateClaimChange(&old, &spec, live.Phase == model.ClaimBound))
}

// validateClaimChange is what the API server says of the change of a spec, without the difference that it shows.
func validateClaimChange(old, spec *corev1.PersistentVolumeClaimSpec, bound bool) field.ErrorList {
	var errs field.ErrorList
	path := field.NewPath("spec")
	same := *spec
	if old.VolumeName == "" {
		same.VolumeName = ""
	}
	// A claim without a class may be given one.
	if old.StorageClassName == nil {
		same.StorageClassName = nil
	}
	was, wants := old.Resources.Requests[corev1.ResourceStorage], spec.Resources.Requests[corev1.ResourceStorage]
	if bound {
		same.VolumeAttributesClassName = old.VolumeAttributesClassName
		if same.Resources.Requests != nil {
			same.Resources.Requests = maps.Clone(same.Resources.Requests)
			same.Resources.Requests[corev1.ResourceStorage] = was
		}
	}
	if string(mustJSON(&same)) != string(mustJSON(old)) {
		errs = append(errs, field.Forbidden(path, "spec is immutable after creation except resources.requests and "+
			"volumeAttributesClassName for bound claims"))
	}
	if wants.Cmp(was) < 0 {
		errs = append(errs, field.Forbidden(path.Child("resources", "requests", "storage"),
			"field can not be less than status.capacity"))
	}
	if was, wants := old.VolumeMode, spec.VolumeMode; wants != nil && *was != *wants {
		errs = append(errs, field.Invalid(field.NewPath("volumeMode"), *wants, "field is immutable"))
	}
	return errs
}
