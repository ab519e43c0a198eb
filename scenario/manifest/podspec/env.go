package podspec

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// env checks the variables of a container. A name may be there twice: the last one wins.
func (v *validator) env(vars []corev1.EnvVar, path *field.Path) {
	for i := range vars {
		at := path.Index(i)
		if v.required(at.Child("name"), vars[i].Name) {
			v.invalid(at.Child("name"), vars[i].Name, validation.IsRelaxedEnvVarName(vars[i].Name))
		}
		if from := vars[i].ValueFrom; from != nil {
			v.valueFrom(from, vars[i].Value, at.Child("valueFrom"))
		}
	}
}

// valueFrom checks that a variable has exactly one source, and that source. value is the value next to it.
func (v *validator) valueFrom(from *corev1.EnvVarSource, value string, path *field.Path) {
	sources := 0
	if from.FieldRef != nil {
		sources++
		v.fieldRef(from.FieldRef, envFields, path.Child("fieldRef"))
	}
	if from.ResourceFieldRef != nil {
		sources++
		v.resourceFieldRef(from.ResourceFieldRef, path.Child("resourceFieldRef"))
	}
	if ref := from.ConfigMapKeyRef; ref != nil {
		sources++
		v.keyRef(ref.Name, ref.Key, path.Child("configMapKeyRef"))
	}
	if ref := from.SecretKeyRef; ref != nil {
		sources++
		v.keyRef(ref.Name, ref.Key, path.Child("secretKeyRef"))
	}
	if from.FileKeyRef != nil {
		sources++
	}
	switch {
	case sources == 0:
		v.add(field.Invalid(path, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "+
			"`secretKeyRef` or `fileKeyRef`"))
	case value != "":
		v.add(field.Invalid(path, "", "may not be specified when `value` is not empty"))
	case sources > 1:
		v.add(field.Invalid(path, "", "may not have more than one field specified at a time"))
	}
}

// envFields and volumeFields are the fields that a fieldRef may name, in the order of a refusal.
var (
	envFields = []string{"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
		"spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"}
	volumeFields = []string{"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace",
		"metadata.uid"}
	// knownFields are the fields that the API converts at all.
	knownFields = append([]string{"metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName",
		"spec.hostNetwork", "status.phase", "status.nominatedNodeName"}, envFields...)
)

// fieldRef checks a reference to a field of the pod: one that the API knows, and that is allowed at this place. Labels
// and annotations may have a subscript.
func (v *validator) fieldRef(ref *corev1.ObjectFieldSelector, allowed []string, path *field.Path) {
	if !v.required(path.Child("apiVersion"), ref.APIVersion) || !v.required(path.Child("fieldPath"), ref.FieldPath) {
		return
	}
	name, subscript, subscripted := subscript(ref.FieldPath)
	switch {
	case subscripted && name == "metadata.annotations":
		v.invalid(path, strings.ToLower(subscript), validation.IsQualifiedName(strings.ToLower(subscript)))
	case subscripted && name == "metadata.labels":
		v.invalid(path, subscript, validation.IsQualifiedName(subscript))
	case subscripted:
		v.add(field.Invalid(path.Child("fieldPath"), ref.FieldPath,
			"error converting fieldPath: field label does not support subscript: "+ref.FieldPath))
	case !slices.Contains(knownFields, ref.FieldPath):
		v.add(field.Invalid(path.Child("fieldPath"), ref.FieldPath,
			"error converting fieldPath: field label not supported: "+ref.FieldPath))
	case !slices.Contains(allowed, ref.FieldPath):
		v.add(field.NotSupported(path.Child("fieldPath"), ref.FieldPath, allowed))
	}
}

// subscript divides metadata.labels['app']; a path without a subscript is all name.
func subscript(path string) (name, key string, is bool) {
	name, rest, found := strings.Cut(path, "['")
	key, closed := strings.CutSuffix(rest, "']")
	if !found || !closed {
		return path, "", false
	}
	return name, key, true
}

// resourceFields are the amounts that a resourceFieldRef may name, in addition to hugepages.
var resourceFields = []string{"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu",
	"requests.ephemeral-storage", "requests.memory"}

// resourceFieldRef checks a reference to a request or a limit.
func (v *validator) resourceFieldRef(ref *corev1.ResourceFieldSelector, path *field.Path) {
	known := slices.Contains(resourceFields, ref.Resource) || strings.HasPrefix(ref.Resource, "requests.hugepages-") ||
		strings.HasPrefix(ref.Resource, "limits.hugepages-")
	if v.required(path.Child("resource"), ref.Resource) && !known {
		v.add(field.NotSupported(path.Child("resource"), ref.Resource, resourceFields))
	}
}

// keyRef checks a key of a ConfigMap or of a Secret.
func (v *validator) keyRef(name, key string, path *field.Path) {
	v.invalid(path.Child("name"), name, apivalidation.NameIsDNSSubdomain(name, false))
	if v.required(path.Child("key"), key) {
		v.invalid(path.Child("key"), key, validation.IsConfigMapKey(key))
	}
}

// envFrom checks the ConfigMaps and Secrets whose keys all become variables.
func (v *validator) envFrom(list []corev1.EnvFromSource, path *field.Path) {
	for i, from := range list {
		at := path.Index(i)
		if from.Prefix != "" {
			v.invalid(at.Child("prefix"), from.Prefix, validation.IsRelaxedEnvVarName(from.Prefix))
		}
		sources := 0
		if from.ConfigMapRef != nil {
			sources++
			v.envSource(from.ConfigMapRef.Name, at.Child("configMapRef", "name"))
		}
		if from.SecretRef != nil {
			sources++
			v.envSource(from.SecretRef.Name, at.Child("secretRef", "name"))
		}
		// The real code names the list, and not the entry.
		switch sources {
		case 0:
			v.add(field.Invalid(path, "", fmt.Sprintf("must specify one of: `%s` or `%s`", "configMapRef", "secretRef")))
		case 2:
			v.add(field.Invalid(path, "", "may not have more than one field specified at a time"))
		}
	}
}

// envSource checks the name of one of them.
func (v *validator) envSource(name string, path *field.Path) {
	if v.required(path, name) {
		v.invalid(path, name, apivalidation.NameIsDNSSubdomain(name, true))
	}
}
