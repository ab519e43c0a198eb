package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
)

// Classes are the StorageClasses that are known, by their names. If there are none, nothing is known of any.
type Classes map[string]*storagev1.StorageClass

// IsClass reports whether the object is a StorageClass.
func (o Other) IsClass() bool {
	return o.Kind == "StorageClass" && (o.APIVersion == "storage.k8s.io/v1" || o.APIVersion == "storage.k8s.io/v1beta1")
}

// Class reads a StorageClass, nil if it cannot be read, or if its content is not kept.
func (o Other) Class() *storagev1.StorageClass {
	var value map[string]any
	var class storagev1.StorageClass
	if o.Node == nil || (&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{o.Node}}).Decode(&value) != nil {
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil || json.Unmarshal(text, &class) != nil || class.Name == "" {
		return nil
	}
	return &class
}

// With returns the classes with one more, which takes the place of its namesake. nil adds nothing.
func (c Classes) With(class *storagev1.StorageClass) Classes {
	if class == nil {
		return c
	}
	more := maps.Clone(c)
	if more == nil {
		more = Classes{}
	}
	more[class.Name] = class
	return more
}

// defaultClass is the annotation of the default class, for claims that do not name one.
const defaultClass = "storageclass.kubernetes.io/is-default-class"

// Of returns the class of a claim, whose spec is given as JSON: the default class if the claim does not name one.
// It is nil if that is not known.
func (c Classes) Of(claim string) *storagev1.StorageClass {
	var spec corev1.PersistentVolumeClaimSpec
	if len(c) == 0 || kube.Unmarshal([]byte(claim), &spec) != nil {
		return nil
	}
	if spec.StorageClassName != nil {
		return c[*spec.StorageClassName]
	}
	var found *storagev1.StorageClass
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if class := c[name]; class.Annotations[defaultClass] == "true" {
			found = class
		}
	}
	return found
}

// Expands reports whether the volumes of a class may grow.
func Expands(class *storagev1.StorageClass) bool {
	return class.AllowVolumeExpansion != nil && *class.AllowVolumeExpansion
}

// WaitsForPod reports whether a class makes a volume only when a pod uses its claim.
func WaitsForPod(class *storagev1.StorageClass) bool {
	return class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
}

// Forbids returns the refusal of a claim that grows although its class is known not to allow that; nil if it is not
// refused. Without the class it is assumed to allow it (the admission plugin PersistentVolumeClaimResize).
func (c Classes) Forbids(live, wanted *model.Claim) *model.APIError {
	class := c.Of(live.Data)
	if class == nil || Expands(class) || !Grows(live, wanted) {
		return nil
	}
	return &model.APIError{Reason: model.Forbidden, Message: fmt.Sprintf("persistentvolumeclaims %q is forbidden: only "+
		"dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
		live.Name)}
}

// Grows reports whether a claim asks for more than before.
func Grows(live, wanted *model.Claim) bool {
	var old, spec corev1.PersistentVolumeClaimSpec
	if kube.Unmarshal([]byte(live.Data), &old) != nil || kube.Unmarshal([]byte(wanted.Data), &spec) != nil {
		return false
	}
	was, is := old.Resources.Requests[corev1.ResourceStorage], spec.Resources.Requests[corev1.ResourceStorage]
	return is.Cmp(was) > 0
}
