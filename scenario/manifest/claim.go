package manifest

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// IsClaim reports whether the object is a PersistentVolumeClaim.
func (o Other) IsClaim() bool { return o.Kind == "PersistentVolumeClaim" && o.APIVersion == "v1" }

// Claim reads a PersistentVolumeClaim. A mistake becomes a problem of the reader, and nil is returned. Its
// namespace is "" if the manifest has none. It has no phase, which its creator decides.
func (o Other) Claim(r *strict.Reader) *model.Claim {
	var object corev1.PersistentVolumeClaim
	if readTyped(r, WithoutServerOnly(o.Node), &object) == nil {
		return nil
	}
	if object.Name == "" {
		r.Problem(o.Node, "the PersistentVolumeClaim has no name", "give it metadata.name")
		return nil
	}
	defaultClaimSpec(&object.Spec)
	dropSource(&object.Spec)
	facts := modelClaimFacts(&object)
	if reasons := apivalidation.NameIsDNSSubdomain(object.Name, false); len(reasons) > 0 {
		named := texts(invalidBecause(field.NewPath("metadata", "name"), object.Name, reasons))
		facts.Wrong = cmp.Or(facts.Wrong, &model.WrongClaim{})
		facts.Wrong.Meta = slices.Concat(named, facts.Wrong.Meta)
	}
	return &model.Claim{
		Meta: model.Meta{
			Namespace: object.Namespace, Name: object.Name, Labels: object.Labels, Annotations: object.Annotations,
		},
		Data: string(mustJSON(&object.Spec)), Facts: facts,
	}
}

// dropSource drops a source of data that is neither a claim nor a snapshot, as the API server drops it from a claim
// before it checks the rest.
func dropSource(spec *corev1.PersistentVolumeClaimSpec) {
	s := spec.DataSource
	if s == nil {
		return
	}
	group := ""
	if s.APIGroup != nil {
		group = *s.APIGroup
	}
	claim := s.Kind == "PersistentVolumeClaim" && group == ""
	snapshot := s.Kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io"
	if !claim && !snapshot {
		spec.DataSource = nil
	}
}

// wrongClaim returns what is wrong with a claim apart from its access modes and its size, or nil. The name of a
// claim template is not the name of a claim yet: it becomes the name of a volume, and is checked there.
func wrongClaim(claim *corev1.PersistentVolumeClaim) *model.WrongClaim {
	spec := &claim.Spec
	wrong := &model.WrongClaim{
		Meta: texts(validateMarks(&claim.ObjectMeta)),
		Selector: texts(metavalidation.ValidateLabelSelector(spec.Selector,
			metavalidation.LabelSelectorValidationOptions{}, field.NewPath("selector"))),
		Rest: texts(validateClaimRest(spec)),
	}
	if len(wrong.Meta)+len(wrong.Selector)+len(wrong.Rest) == 0 {
		return nil
	}
	return wrong
}

// validateClaimRest checks what the API server looks at after the size. Places are relative to the spec.
func validateClaimRest(spec *corev1.PersistentVolumeClaimSpec) field.ErrorList {
	errs := validateClass(spec.StorageClassName, field.NewPath("storageClassName"))
	modes := []corev1.PersistentVolumeMode{corev1.PersistentVolumeBlock, corev1.PersistentVolumeFilesystem}
	if spec.VolumeMode != nil && !slices.Contains(modes, *spec.VolumeMode) {
		errs = append(errs, field.NotSupported(field.NewPath("volumeMode"), *spec.VolumeMode, modes))
	}
	if s := spec.DataSource; s != nil {
		errs = append(errs, validateSource(s.APIGroup, s.Kind, s.Name, field.NewPath("dataSource"))...)
	}
	if s := spec.DataSourceRef; s != nil {
		errs = append(errs, validateSource(s.APIGroup, s.Kind, s.Name, field.NewPath("dataSourceRef"))...)
	}
	return append(errs, validateClass(spec.VolumeAttributesClassName, field.NewPath("volumeAttributesClassName"))...)
}

// validateClass checks the name of a class; nil and "" are none.
func validateClass(name *string, path *field.Path) field.ErrorList {
	if name == nil || *name == "" {
		return nil
	}
	return invalidBecause(path, *name, apivalidation.NameIsDNSSubdomain(*name, false))
}

// validateSource checks what a volume is filled from. Without a group that is another claim.
func validateSource(group *string, kind, name string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	}
	if kind == "" {
		errs = append(errs, field.Required(path.Child("kind"), ""))
	}
	if group != nil && *group != "" {
		return append(errs, invalidBecause(path.Child("apiGroup"), *group, validation.IsDNS1123Subdomain(*group))...)
	}
	if kind != "PersistentVolumeClaim" {
		errs = append(errs, field.Invalid(path, kind,
			"must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
	}
	return errs
}

// ClaimsNamed returns the claims that the set's pod template names itself, in addition to volumeClaimTemplates. All
// pods share them. A volume with the name of a claim template is not one of them: the controller replaces it by the
// claim of the template.
func (s *Set) ClaimsNamed() []string {
	var names []string
	for _, volume := range s.Object.Spec.Template.Spec.Volumes {
		replaced := slices.ContainsFunc(s.Object.Spec.VolumeClaimTemplates, func(t corev1.PersistentVolumeClaim) bool {
			return t.Name == volume.Name
		})
		if claim := volume.PersistentVolumeClaim; claim != nil && !replaced {
			names = append(names, claim.ClaimName)
		}
	}
	return names
}

// ChangeClaim returns a live claim after kubectl apply, or replace, of a manifest, and the API server's objections
// to the change. Only the size in its spec may change, and only once it has its volume. Classes knows whether its
// StorageClass lets it grow; its volume is assumed to be as large as the claim has asked for.
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
	bound := live.Phase == model.ClaimBound
	errs := validateClaimChange(&old, &spec, bound)
	if bound && !live.Unclassed {
		errs = append(errs, validateClassChange(old.VolumeAttributesClassName, spec.VolumeAttributesClassName)...)
	}
	return &changed, texts(errs)
}

// validateClassChange returns the API server's errors for another VolumeAttributesClass of a volume that has one: a
// volume can get another class, but cannot lose it.
func validateClassChange(was, wants *string) field.ErrorList {
	what := ""
	switch {
	case was == nil || *was == "":
		return nil
	case wants == nil:
		what = "nil"
	case *wants == "":
		what = "empty string"
	default:
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec", "volumeAttributesClassName"),
		"update to "+what+" is forbidden when status.currentVolumeAttributesClassName is not nil")}
}

// validateClaimChange returns the API server's errors for the change of a spec, without the difference that it
// shows, and without the errors that depend on the class of the volume.
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
