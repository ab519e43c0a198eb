package manifest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// LastApplied is the annotation that holds the last manifest of kubectl apply, so that the next apply knows which
// fields left the manifest.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// New converts the StatefulSet of a manifest into the model's, in the given namespace unless it names its own. The
// error is always nil; mistakes are in the set, for the API server to refuse.
func (s *Set) New(namespace string) (*model.StatefulSet, *model.APIError) {
	object := s.Object.DeepCopy()
	object.Namespace = s.Namespace(namespace)
	return Model(object), nil
}

// Namespace returns the namespace that the manifest names, or else the one given.
func (s *Set) Namespace(fallback string) string {
	if s.Object.Namespace != "" {
		return s.Object.Namespace
	}
	return fallback
}

// NewApplied is New as kubectl apply does it for a new object: with an annotation of the applied configuration.
func (s *Set) NewApplied(namespace string) (*model.StatefulSet, *model.APIError) {
	set, err := s.New(namespace)
	if err != nil {
		return nil, err
	}
	set.Annotations = maps.Clone(set.Annotations)
	if set.Annotations == nil {
		set.Annotations = map[string]string{}
	}
	set.Annotations[LastApplied] = string(s.lastApplied(set.Namespace))
	return set, nil
}

// Apply changes a live set as kubectl apply does on the client's side: fields in the manifest are added or changed,
// fields that left the manifest since the last apply are removed, and all others stay, such as replicas that an
// autoscaler has set. A field that the manifest sets to null is removed from the live set. Lists are merged by the
// keys of the API. `changed` is false if there was nothing to change; then kubectl sends nothing. The live set is
// not changed.
func (s *Set) Apply(live *model.StatefulSet) (set *model.StatefulSet, changed bool, refusal *model.APIError) {
	schema, err := strategicpatch.NewPatchMetaFromStruct(appsv1.StatefulSet{})
	if err != nil {
		panic("manifest: " + err.Error())
	}
	original := []byte(live.Annotations[LastApplied])
	current := mustJSON(Object(live))
	modified := s.modified(live.Namespace, current)
	patch, err := strategicpatch.CreateThreeWayMergePatch(original, modified, current, schema, true)
	if err != nil {
		return nil, false, unpatchable(live, err)
	}
	owned := s.ofOwnership()
	if string(patch) == "{}" && owned == nil {
		return live, false, nil
	}
	data, err := strategic(current, patch)
	if err != nil {
		return nil, false, unpatchable(live, err)
	}
	if set, refusal = patched(live, data); set != nil && owned != nil {
		wrong := *cmp.Or(set.Spec.Wrong, &model.Wrong{})
		wrong.Meta, wrong.MetaBefore = slices.Concat(wrong.Meta, owned.Meta), slices.Concat(wrong.Meta, owned.MetaBefore)
		words := maps.Clone(owned.Printed)
		maps.Copy(words, wrong.Printed)
		wrong.Printed = words
		set.Spec.Wrong = &wrong
	}
	return set, true, refusal
}

// ofOwnership returns what is wrong with the owners and the finalizers of the manifest, nil if nothing is.
func (s *Set) ofOwnership() *model.Wrong {
	meta, path := &s.Object.ObjectMeta, field.NewPath("metadata")
	of := func(before bool) field.ErrorList {
		return append(validateOwners(meta.OwnerReferences, path.Child("ownerReferences"), before),
			validateFinalizers(meta.Finalizers, path.Child("finalizers"))...)
	}
	now, before := of(false), of(true)
	if len(now) == 0 {
		return nil
	}
	return &model.Wrong{Meta: texts(now), MetaBefore: texts(before), Printed: printed(before)}
}

// modified returns the manifest with the annotation that holds the manifest itself, as it should be after the
// apply. It keeps the manifest's nulls that remove something from the live set, which is given as JSON.
func (s *Set) modified(namespace string, live []byte) []byte {
	object := s.withNamespace(namespace)
	metadata := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	annotations = maps.Clone(annotations)
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[LastApplied] = string(s.lastApplied(namespace))
	metadata["annotations"] = annotations
	if s.prefix == "" && len(s.nulls) > 0 {
		var current map[string]any
		mustDecode(string(live), &current)
		for _, path := range s.nulls {
			object = clearedAt(object, current, path)
		}
	}
	return mustJSON(object)
}

// clearedAt returns an object with null at a path, if the live one has something there. Neither is changed.
func clearedAt(object, live map[string]any, path []string) map[string]any {
	there, found := live[path[0]]
	if !found || there == nil {
		return object
	}
	object = maps.Clone(object)
	if len(path) == 1 {
		object[path[0]] = nil
		return object
	}
	below, _ := object[path[0]].(map[string]any)
	current, _ := there.(map[string]any)
	object[path[0]] = clearedAt(below, current, path[1:])
	return object
}

// lastApplied returns what kubectl writes into that annotation: the manifest with its namespace, without the
// annotation itself, and with a line break at the end.
func (s *Set) lastApplied(namespace string) []byte {
	object := s.withNamespace(namespace)
	metadata := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	annotations = maps.Clone(annotations)
	if annotations == nil {
		annotations = map[string]any{}
	}
	delete(annotations, LastApplied)
	metadata["annotations"] = annotations
	return append(mustJSON(object), '\n')
}

// withNamespace copies the manifest down to its metadata and names the namespace in it, as kubectl does before
// anything else. Deeper parts are shared.
func (s *Set) withNamespace(namespace string) map[string]any {
	object := maps.Clone(s.Given)
	metadata, _ := object["metadata"].(map[string]any)
	if metadata = maps.Clone(metadata); metadata == nil {
		metadata = map[string]any{}
	}
	metadata["namespace"] = namespace
	object["metadata"] = metadata
	return object
}

// Replace changes a live set as kubectl replace does: into what the manifest says. Only what the server writes stays:
// uid, status and the like.
func (s *Set) Replace(live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	set, err := s.New(live.Namespace)
	if err != nil {
		return nil, err
	}
	return onto(live, set), nil
}

// Apply changes a live set by the patch, on the server's side. The live set is not changed. The refusal is about
// the patch as such; mistakes in the result are in its Wrong.
func (p *Patch) Apply(live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	if wrong := p.misnames(live); wrong != "" {
		return nil, &model.APIError{Reason: model.Invalid, Message: wrong}
	}
	data, err := p.apply(mustJSON(Object(live)))
	if err != nil {
		return nil, &model.APIError{Reason: model.InternalError, Message: err.Error()}
	}
	if version := p.meta("resourceVersion"); version != "" && version != strconv.FormatUint(live.ResourceVersion, 10) {
		return nil, &model.APIError{Reason: model.Conflict, Message: fmt.Sprintf("Operation cannot be fulfilled on "+
			"statefulsets.apps %q: the object has been modified; please apply your changes to the latest version and try again",
			live.Name)}
	}
	set, refusal := patched(live, data)
	if uid := p.meta("uid"); refusal == nil && uid != "" && uid != live.UID.String() {
		wrong := *cmp.Or(set.Spec.Wrong, &model.Wrong{})
		fixed := field.Invalid(field.NewPath("metadata", "uid"), uid, "field is immutable").Error()
		wrong.Meta = append(slices.Clone(wrong.Meta), fixed)
		if wrong.MetaBefore != nil {
			wrong.MetaBefore = append(slices.Clone(wrong.MetaBefore), fixed)
		}
		set.Spec.Wrong = &wrong
	}
	return set, refusal
}

// meta returns a text of the metadata that the patch gives, "" for none.
func (p *Patch) meta(field string) string {
	meta, _ := p.Given["metadata"].(map[string]any)
	text, _ := meta[field].(string)
	return text
}

// Override changes the manifest by a merge patch, as if it had been written like that. It must come before the set is
// checked or turned into the model's.
func (s *Set) Override(r *strict.Reader, p *Patch) {
	given := merge(s.Given, p.Given).(map[string]any)
	object, err := decodeObject(mustJSON(given))
	if err != nil {
		misfit(r, s.Node, "StatefulSet", err)
		return
	}
	s.Given, s.Object = given, object
}

// apply applies the patch to the JSON of an object.
func (p *Patch) apply(object []byte) ([]byte, error) {
	if p.strategic {
		return strategic(object, p.JSON())
	}
	var old any
	mustDecode(string(object), &old)
	return json.Marshal(merge(old, p.Given))
}

// misnames is the refusal of a patch that gives the set another name or namespace; "" is none.
func (p *Patch) misnames(live *model.StatefulSet) string {
	meta, _ := p.Given["metadata"].(map[string]any)
	name, named := meta["name"].(string)
	namespace, placed := meta["namespace"].(string)
	switch {
	case placed && namespace != live.Namespace:
		return "the namespace of the provided object does not match the namespace sent on the request"
	case named && name != live.Name:
		return fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", name, live.Name)
	}
	return ""
}

// strategic applies a strategic merge patch. The upstream code trusts the directives of a patch; if it panics on
// one, the patch is refused.
func strategic(object, patch []byte) (data []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			data, err = nil, fmt.Errorf("the patch cannot be applied: %v", v)
		}
	}()
	return strategicpatch.StrategicMergePatch(object, patch, appsv1.StatefulSet{})
}

// merge applies a JSON merge patch (RFC 7386): null removes a field, lists are replaced whole. The arguments stay.
func merge(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	old, _ := target.(map[string]any)
	merged := maps.Clone(old)
	if merged == nil {
		merged = map[string]any{}
	}
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		if changes[key] == nil {
			delete(merged, key)
			continue
		}
		merged[key] = merge(merged[key], changes[key])
	}
	return merged
}

// patched returns the live set with the content of a patched object.
func patched(live *model.StatefulSet, data []byte) (*model.StatefulSet, *model.APIError) {
	object, err := decodeObject(data)
	if err != nil {
		return nil, unpatchable(live, err)
	}
	return onto(live, Model(object)), nil
}

// decodeObject decodes a StatefulSet as the API server does, without defaults.
func decodeObject(data []byte) (*appsv1.StatefulSet, error) {
	object := new(appsv1.StatefulSet)
	err := kube.Unmarshal(data, object)
	return object, err
}

// unpatchable is the refusal of a patch that cannot be applied.
func unpatchable(live *model.StatefulSet, err error) *model.APIError {
	message := fmt.Sprintf("StatefulSet.apps %q is invalid: patch: %v", live.Name, err)
	return &model.APIError{Reason: model.Invalid, Message: message}
}

// onto returns the live object with the spec, the labels and the annotations of another: the rest of its metadata and
// its status are the server's.
func onto(live, set *model.StatefulSet) *model.StatefulSet {
	changed := *live
	changed.Spec, changed.Labels, changed.Annotations = set.Spec, set.Labels, set.Annotations
	return &changed
}

// SetImage changes the image of a container, or of an init container, of a live set; container may be "" if there is
// only one container. The error is a message of kubectl's. The live set is not changed.
func SetImage(live *model.StatefulSet, container, image string) (*model.StatefulSet, error) {
	template := templateOf(live)
	spec := &template.Spec
	names := []string{}
	for i := range spec.Containers {
		names = append(names, spec.Containers[i].Name)
	}
	if container == "" {
		if len(names) != 1 {
			return nil, fmt.Errorf("name the container: the pods of %s have %s", live.Name, strings.Join(names, ", "))
		}
		container = names[0]
	}
	found := false
	for i := range spec.Containers {
		if spec.Containers[i].Name == container {
			spec.Containers[i].Image, found = image, true
		}
	}
	for i := range spec.InitContainers {
		names = append(names, spec.InitContainers[i].Name)
		if spec.InitContainers[i].Name == container {
			spec.InitContainers[i].Image, found = image, true
		}
	}
	if !found {
		return nil, fmt.Errorf("unable to find container named %q", container)
	}
	return withTemplate(live, template), nil
}

// AnyNode removes everything from the template of a set that keeps its pods from nodes: requirements on nodes and
// on other pods, and requests, including host ports. It adds tolerations for the taints with these keys.
func AnyNode(live *model.StatefulSet, taints []string) *model.StatefulSet {
	template := templateOf(live)
	spec := &template.Spec
	spec.NodeSelector, spec.Affinity, spec.TopologySpreadConstraints, spec.NodeName = nil, nil, nil, ""
	for _, key := range taints {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists})
	}
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			list[i].Resources = corev1.ResourceRequirements{}
			for j := range list[i].Ports {
				list[i].Ports[j].HostPort = 0
			}
		}
	}
	return withTemplate(live, template)
}

// Ungated removes the readiness gates from the template of a set.
func Ungated(live *model.StatefulSet) *model.StatefulSet {
	template := templateOf(live)
	template.Spec.ReadinessGates = nil
	return withTemplate(live, template)
}

// Restart gives the template of a live set the annotation of kubectl rollout restart; at is a time as RFC 3339 writes
// it. The same time twice gives the same template.
func Restart(live *model.StatefulSet, at string) *model.StatefulSet {
	template := templateOf(live)
	annotations := &template.Annotations
	if *annotations == nil {
		*annotations = map[string]string{}
	}
	(*annotations)["kubectl.kubernetes.io/restartedAt"] = at
	return withTemplate(live, template)
}

// withTemplate returns the live set with another template.
func withTemplate(live *model.StatefulSet, template *corev1.PodTemplateSpec) *model.StatefulSet {
	changed := *live
	changed.Spec.Template = modelTemplate(template)
	return &changed
}

// templateOf returns the template of a live set, which the caller may change.
func templateOf(live *model.StatefulSet) *corev1.PodTemplateSpec {
	template := new(corev1.PodTemplateSpec)
	mustDecode(live.Spec.Template.Data, template)
	return template
}
