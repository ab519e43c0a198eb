package manifest

import (
	"maps"
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// ReadPod reads the manifest of a pod, nil if there is a problem.
func ReadPod(r *strict.Reader, n *yaml.Node) *corev1.Pod {
	var object corev1.Pod
	if readTyped(r, WithoutServerOnly(n), &object) == nil {
		return nil
	}
	if object.APIVersion != "v1" || object.Kind != "Pod" {
		r.Problem(n, "the object is no Pod", "write apiVersion: v1 and kind: Pod")
		return nil
	}
	return &object
}

// ReadStatus reads the status of a set, false if there is a problem.
func ReadStatus(r *strict.Reader, n *yaml.Node) (status appsv1.StatefulSetStatus, ok bool) {
	ok = readTyped(r, n, &status) != nil
	return status, ok
}

// ObjectPatch is a merge patch of a pod's metadata, or of a claim's metadata and spec. It does not change.
type ObjectPatch struct{ meta, spec map[string]any }

// ReadPodPatch reads the key metadata of a mapping as a merge patch of a pod, nil if there is a problem.
func ReadPodPatch(r *strict.Reader, n *yaml.Node) *ObjectPatch {
	return readObjectPatch(r, n, reflect.TypeFor[corev1.Pod](), "metadata")
}

// ReadClaimPatch reads the keys metadata and spec of a mapping as a merge patch of a claim, nil if there is a problem.
func ReadClaimPatch(r *strict.Reader, n *yaml.Node) *ObjectPatch {
	return readObjectPatch(r, n, reflect.TypeFor[corev1.PersistentVolumeClaim](), "metadata", "spec")
}

func readObjectPatch(r *strict.Reader, n *yaml.Node, of reflect.Type, fields ...string) *ObjectPatch {
	before := len(r.Problems)
	reader := typed{r: r, nodes: map[string]*yaml.Node{}, nulls: true}
	given, _ := reader.value(only(n, fields), "", of).(map[string]any)
	meta, _ := given["metadata"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(meta)) {
		switch at := reader.nodes["metadata."+field]; field {
		case "labels", "annotations", "finalizers":
		case "ownerReferences":
			if owners, _ := meta[field].([]any); len(owners) > 0 {
				r.Problem(at, "the patch gives the object an owner", "write null, which takes its owners away")
			}
		default:
			r.Problem(at, "metadata."+field+" cannot be patched here",
				"it must be one of "+strict.List([]string{"labels", "annotations", "finalizers", "ownerReferences"}))
		}
	}
	if len(r.Problems) > before {
		return nil
	}
	spec, _ := given["spec"].(map[string]any)
	patch := &ObjectPatch{meta, spec}
	var patched metav1.ObjectMeta
	patch.decodeMeta(&model.Meta{}, &patched)
	for _, err := range validateMarks(&patched) {
		r.Problem(n, err.Error(), "no version of Kubernetes accepts this")
	}
	if len(r.Problems) > before {
		return nil
	}
	return patch
}

// Meta returns the metadata of an object with the patch: its labels, its annotations, its finalizers, and its owners.
func (p *ObjectPatch) Meta(live *model.Meta) model.Meta {
	var patched metav1.ObjectMeta
	p.decodeMeta(live, &patched)
	meta := *live
	meta.Labels, meta.Annotations, meta.Finalizers = patched.Labels, patched.Annotations, patched.Finalizers
	if _, given := p.meta["ownerReferences"]; given {
		meta.Owners = nil
	}
	return meta
}

// Labels returns the labels that the patch sets, and the names of those that it removes, sorted.
func (p *ObjectPatch) Labels() (set map[string]string, removed []string) {
	set = map[string]string{}
	labels, _ := p.meta["labels"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		if text, is := labels[name].(string); is {
			set[name] = text
			continue
		}
		removed = append(removed, name)
	}
	return set, removed
}

// decodeMeta reads the metadata of an object with the patch, but for its owners.
func (p *ObjectPatch) decodeMeta(live *model.Meta, into *metav1.ObjectMeta) {
	var below any
	mustDecode(string(mustJSON(&metav1.ObjectMeta{Labels: live.Labels, Annotations: live.Annotations,
		Finalizers: live.Finalizers})), &below)
	mustDecode(string(mustJSON(merge(below, map[string]any(p.meta)))), into)
}

// Claim returns a claim with the patch of its spec, and what the API server finds wrong with the change.
func (p *ObjectPatch) Claim(live *model.Claim) (*model.Claim, []string) {
	if len(p.spec) == 0 {
		return live, nil
	}
	var below any
	mustDecode(live.Data, &below)
	object := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: live.Namespace, Name: live.Name}}
	mustDecode(string(mustJSON(merge(below, map[string]any(p.spec)))), &object.Spec)
	return ChangeClaim(live, ServedClaim(object), false)
}
