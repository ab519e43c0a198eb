package writer

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	corev1 "k8s.io/api/core/v1"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// metaOf returns metadata as its Go type, without the field managers.
func metaOf(fields kinds.Fields) *metav1.ObjectMeta {
	meta := maps.Clone(map[string]any(fields.Map("metadata")))
	delete(meta, "managedFields")
	var typed metav1.ObjectMeta
	if runtime.DefaultUnstructuredConverter.FromUnstructured(meta, &typed) != nil {
		return &metav1.ObjectMeta{} // What cannot be decoded was refused before.
	}
	return &typed
}

// wrongMeta returns what is wrong with the metadata of an object, by a real API server's own code. The name of a
// new object was checked before.
func wrongMeta(w *Write) field.ErrorList {
	path := field.NewPath("metadata")
	if w.old == nil && plainMeta(w.fields.Map("metadata")) {
		return nil
	}
	meta := metaOf(w.fields)
	meta.GenerateName = ""
	if request.Marked[w.q.Kind] {
		meta.Labels, meta.Annotations = nil, nil
	}
	errs := apivalidation.ValidateObjectMeta(meta, w.q.Kind.Namespaced, func(string, bool) []string { return nil }, path)
	if w.q.Kind.Schema == nil {
		errs = append(errs, wrongFinalizers(meta.Finalizers, path.Child("finalizers"))...)
	}
	if w.old == nil {
		return errs
	}
	was := metaOf(w.old.Fields)
	if was.DeletionTimestamp != nil {
		errs = append(errs, apivalidation.ValidateNoNewFinalizers(meta.Finalizers, was.Finalizers,
			path.Child("finalizers"))...)
	}
	return errs
}

// plainMeta reports whether there is nothing in metadata that could be wrong but names, which are looked at before.
func plainMeta(meta kinds.Fields) bool {
	for _, name := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
		if meta[name] != nil {
			return false
		}
	}
	return true
}

// wrongFinalizers returns which names of finalizers of a built-in kind are neither Kubernetes' own nor have a domain.
func wrongFinalizers(names []string, path *field.Path) (errs field.ErrorList) {
	own := []string{string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents}
	for i, name := range names {
		if !strings.Contains(name, "/") && !slices.Contains(own, name) {
			errs = append(errs, field.Invalid(path.Index(i), name,
				"name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

// errCreated is the answer to a new object that has a resource version.
var errCreated = refuse.With(http.StatusInternalServerError, "",
	"resourceVersion should not be set on objects to be created")

// versioned is the error for a resource version that is not a number.
func versioned(meta kinds.Fields) error {
	text := meta.Text("resourceVersion")
	if _, err := strconv.ParseUint(text, 10, 64); text != "" && err != nil {
		return refuse.With(http.StatusInternalServerError, "", err.Error())
	}
	return nil
}

// StorageError is the message of a real API server's storage for an object other than the intended one.
func StorageError(kind *kinds.Kind, namespace, name, what string) error {
	at := kind.Resource
	switch {
	case kind == kinds.Node:
		at = "minions"
	case kind == kinds.Service:
		at = "services/specs"
	case kind == kinds.Endpoints:
		at = "services/endpoints"
	case kind.Kind == "Ingress":
		at = "ingress"
	case kind.Schema != nil || kind == kinds.Definition:
		at = kind.Group + "/" + kind.Resource
	}
	if namespace != "" {
		at += "/" + namespace
	}
	// These are the words of the API server.
	return fmt.Errorf("StorageError: invalid object, Code: 4, Key: /registry/%s/%s, ResourceVersion: 0, "+
		"AdditionalErrorMsg: %s", at, name, what)
}

// nameCheck returns the function that validates the name of an object, or a name prefix.
func nameCheck(kind *kinds.Kind) func(name string, prefix bool) []string {
	switch {
	case kind == kinds.Budget || kind == kinds.Event || kind.Group == "rbac.authorization.k8s.io":
		// Only what would not fit into a path is refused.
		return func(name string, _ bool) []string { return content.IsPathSegmentName(name) }
	case kind == kinds.StatefulSet:
		// The names of sets are a matter of the version.
		return func(string, bool) []string { return nil }
	case kind == kinds.Namespace || kind == kinds.Service:
		return apivalidation.NameIsDNSLabel
	}
	return apivalidation.NameIsDNSSubdomain
}

// validName returns what is wrong with the name of an object. generated is the prefix that the client gave for it.
func validName(kind *kinds.Kind, name, generated string) error {
	path, check := field.NewPath("metadata"), nameCheck(kind)
	if name == "" {
		return refuse.Invalid(kind, name, field.ErrorList{field.Required(path.Child("name"), "name or generateName is required")})
	}
	var errs field.ErrorList
	if generated != "" {
		for _, wrong := range check(generated, true) {
			errs = append(errs, field.Invalid(path.Child("generateName"), generated, wrong))
		}
	}
	for _, wrong := range check(name, false) {
		errs = append(errs, field.Invalid(path.Child("name"), name, wrong))
	}
	if len(errs) > 0 {
		return refuse.Invalid(kind, name, errs)
	}
	return nil
}
